/**
 * P1: the guarded inbox page (key, rate limit, 20 of 500,000 messages), requests/s / pgbench of the same
 * page as JSON, over as many connections to one Postgres, in turns.
 */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { count } from '../test/support/tools/whole-number.ts';
import { bench, optionsOf } from './command.ts';
import { inInboxWorld, type InboxWorld, type Served } from './inbox-world.ts';
import { machine, median } from './rounds.ts';

const GOAL = 0.4;
const {
  rounds: ROUNDS,
  seconds: SECONDS,
  messages: MESSAGES,
} = optionsOf<{ rounds: number; seconds: number; messages: number }>(
  bench('p1', 'Requests/s of the guarded inbox page / pgbench of the same page as JSON.')
    .option('--rounds <n>', 'of each, in turns', count, 7)
    .option('--seconds <n>', 'of a round', count, 4)
    .option('--messages <n>', 'in the inbox', count, 500_000),
);
const CONNECTIONS = 32;
const USER = 'bench-user';

/** As a person would write it who needs nothing else. Quoted colons are no pgbench variables. */
const STATEMENT = `
select json_build_object(
  'items', (select json_agg(item) from (
    select id, from_address as "from", array_to_string(to_addresses, ', ') as "to", subject, snippet,
      to_char(sent_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24":"MI":"SS.MS"Z"') as sent_at, is_read,
      direction, has_attachments, thread_id, mailbox_id, from_name, kind, labels, archived,
      to_char(snoozed_until at time zone 'UTC', 'YYYY-MM-DD"T"HH24":"MI":"SS.MS"Z"') as snoozed_until,
      campaign_id, lead_id
    from messages as m where user_id = '${USER}' and in_inbox
    order by m.received_at desc, m.id desc limit 20) as item),
  'total', (select messages from inbox_counts where user_id = '${USER}'))::text;
`;

interface Round {
  pgbench: number;
  api: number;
  ownCpu: number;
  apiPostgresCpu: number;
}

await inInboxWorld(async (world) => {
  const key = await world.addAccount(USER, MESSAGES);
  const script = join(world.folder, 'p1.sql');
  await writeFile(script, STATEMENT);
  const api = await world.serve('api-server.ts', 'inbox');
  await load(api, key, 3_000);
  const rounds: Round[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const pgbench = await runPgbench(world, script);
    const requests = Math.max(500, Math.round(pgbench * 0.25 * SECONDS));
    const before = await world.postgresCpu();
    const { perSecond, ownCpu } = await load(api, key, requests);
    const apiPostgresCpu = ((await world.postgresCpu()) - before) / requests;
    rounds.push({ pgbench, api: perSecond, ownCpu, apiPostgresCpu });
  }
  await report(rounds);
});

function load(api: Served, key: string, requests: number) {
  return api.load({ path: '/v1/inbox', key, count: requests, connections: CONNECTIONS });
}

async function runPgbench(world: InboxWorld, script: string): Promise<number> {
  const flags = `--no-vacuum --protocol=prepared --jobs=2 --client=${CONNECTIONS} --time=${SECONDS}`;
  const args = [...flags.split(' '), `--file=${script}`, world.appUrl];
  const { stdout } = await promisify(execFile)('pgbench', args);
  return Number(/tps = ([\d.]+)/.exec(stdout)![1]);
}

async function report(rounds: readonly Round[]): Promise<void> {
  const middle = (value: (round: Round) => number) => median(rounds.map(value)).toFixed(0);
  const ratios = rounds.map(({ api, pgbench }) => api / pgbench);
  console.log(
    `api ${middle(({ api }) => api)} req/s, ${middle(({ ownCpu }) => ownCpu)} us of CPU in the API ` +
      `and ${middle(({ apiPostgresCpu }) => apiPostgresCpu)} us in Postgres each\n` +
      `pgbench ${middle(({ pgbench }) => pgbench)} pages/s\n` +
      `worst round ${Math.min(...ratios).toFixed(2)} ` +
      `(${ROUNDS} rounds of ${SECONDS} s over ${CONNECTIONS} connections, ${MESSAGES} messages, ${await machine()})`,
  );
  console.log(`P1 ratio=${median(ratios).toFixed(2)} goal=>=${GOAL}`);
}
