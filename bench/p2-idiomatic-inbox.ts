/**
 * P2: the guarded inbox page / the same from idiomatic Express 5 and pg with a key look-up, a limiter on
 * Postgres, the page and count(*); requests/s over as many connections to one Postgres, in turns.
 */
import { count } from '../test/support/tools/whole-number.ts';
import { bench, optionsOf } from './command.ts';
import { inInboxWorld } from './inbox-world.ts';
import { machine, median } from './rounds.ts';

const GOAL = 8;
const {
  rounds: ROUNDS,
  seconds: SECONDS,
  messages: MESSAGES,
} = optionsOf<{ rounds: number; seconds: number; messages: number }>(
  bench('p2', 'Requests/s of the guarded inbox page / the same from idiomatic Express and pg.')
    .option('--rounds <n>', 'of each, in turns', count, 5)
    .option('--seconds <n>', 'of a round', count, 4)
    .option('--messages <n>', 'in the inbox', count, 500_000),
);
const CONNECTIONS = 32;

await inInboxWorld(async (world) => {
  const key = await world.addAccount('bench-user', MESSAGES);
  await world.asOwner(`create table bench_limits (
    key text primary key, points integer not null, expires_at timestamptz not null)`);
  await world.asOwner('grant all on bench_limits to public');
  const product = await world.serve('api-server.ts', 'inbox');
  const baseline = await world.serve('baselines/inbox-express.ts');
  const request = { path: '/v1/inbox', key, connections: CONNECTIONS };
  const speeds = [];
  // How many requests fill a round, by a first measurement.
  let ours = (await product.load({ ...request, count: 2_000 })).perSecond;
  let theirs = (await baseline.load({ ...request, count: 64 })).perSecond;
  for (let round = 0; round < ROUNDS; round += 1) {
    const enough = (perSecond: number) => Math.max(CONNECTIONS, Math.round(perSecond * SECONDS));
    theirs = (await baseline.load({ ...request, count: enough(theirs) })).perSecond;
    ours = (await product.load({ ...request, count: enough(ours) })).perSecond;
    speeds.push({ ours, theirs, ratio: ours / theirs });
  }
  const ratios = speeds.map(({ ratio }) => ratio);
  console.log(
    `ours ${median(speeds.map((each) => each.ours)).toFixed(0)} req/s, ` +
      `idiomatic ${median(speeds.map((each) => each.theirs)).toFixed(0)} req/s\n` +
      `worst round ${Math.min(...ratios).toFixed(1)} ` +
      `(${ROUNDS} rounds of ${SECONDS} s over ${CONNECTIONS} connections, ${MESSAGES} messages, ${await machine()})`,
  );
  console.log(`P2 ratio=${median(ratios).toFixed(1)} goal=>=${GOAL}`);
});
