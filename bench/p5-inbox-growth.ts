/** P5: the median time of an inbox page in an account with a million messages / with a thousand. */
import { count } from '../test/support/tools/whole-number.ts';
import { bench, optionsOf } from './command.ts';
import { inInboxWorld, type Served } from './inbox-world.ts';
import { machine, median } from './rounds.ts';

const GOAL = 1.1;
const {
  rounds: ROUNDS,
  requests: REQUESTS,
  messages: MESSAGES,
} = optionsOf<{ rounds: number; requests: number; messages: number }>(
  bench('p5', 'The middle time of an inbox page at many messages / at a thousand.')
    .option('--rounds <n>', 'of each, in turns', count, 9)
    .option('--requests <n>', 'of a round', count, 400)
    .option('--messages <n>', 'in the large account', count, 1_000_000),
);
const FEW = 1_000;

await inInboxWorld(async (world) => {
  const few = await world.addAccount('small-account', FEW);
  const many = await world.addAccount('large-account', MESSAGES);
  const api = await world.serve('api-server.ts', 'inbox');
  await middleOf(api, few);
  await middleOf(api, many);
  const ratios: number[] = [];
  const times: { few: number; many: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const time = { few: await middleOf(api, few), many: await middleOf(api, many) };
    times.push(time);
    ratios.push(time.many / time.few);
  }
  console.log(
    `p50 ${median(times.map((time) => time.few)).toFixed(2)} ms at ${FEW} messages, ` +
      `${median(times.map((time) => time.many)).toFixed(2)} ms at ${MESSAGES}\n` +
      `worst round ${Math.max(...ratios).toFixed(2)} ` +
      `(${ROUNDS} rounds of ${REQUESTS} requests one after the other, ${await machine()})`,
  );
  console.log(`P5 ratio=${median(ratios).toFixed(2)} goal=<=${GOAL}`);
});

/** Milliseconds; each request is timed alone, over one connection. */
async function middleOf(api: Served, key: string): Promise<number> {
  const times: number[] = [];
  const batch = 20;
  for (let done = 0; done < REQUESTS; done += batch) {
    const { perSecond } = await api.load({ path: '/v1/inbox', key, count: batch, connections: 1 });
    times.push(1_000 / perSecond);
  }
  return median(times);
}
