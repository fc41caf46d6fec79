/**
 * P3: POST /v1/leads (a company and three people), requests/s / pgbench of one statement doing the
 * same. Both write into the same tables of one Postgres (fsync on) over as many connections, in turns.
 */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openDatabase } from '../src/db/database.ts';
import { createKey } from '../src/services/accounts/api-keys.ts';
import { count } from '../test/support/tools/whole-number.ts';
import { bench, optionsOf } from './command.ts';
import { withPostgres, type BenchPostgres } from './postgres.ts';
import { machine, median, postgresCpuMicros } from './rounds.ts';
import { serveApi } from './served-api.ts';

const GOAL = 0.5;
const {
  rounds: ROUNDS,
  seconds: SECONDS,
  connections: CONNECTIONS,
} = optionsOf<{ rounds: number; seconds: number; connections: number }>(
  bench('p3', 'POST /v1/leads a second / pgbench of one statement that writes the same.')
    .option('--rounds <n>', 'of each, in turns', count, 7)
    .option('--seconds <n>', 'of a round', count, 4)
    .option('--connections <n>', 'at once, of each', count, 32),
);
const USER = 'bench-user';

/** As a person would write it who needs nothing else: by company name and by e-mail. */
const STATEMENT = `
\\set n random(1, 1000000000000)
with known as (
  select id from companies where user_id = '${USER}' and name_key = 'company ' || :n limit 1
), added as (
  insert into companies (user_id, name, name_key)
  select '${USER}', 'Company ' || :n, 'company ' || :n where not exists (select from known)
  returning id
)
insert into leads (user_id, company_id, first_name, last_name, name_key, role, email, email_key,
  phone, phone_key)
select '${USER}', coalesce((select id from known), (select id from added)), 'First' || p,
  'Last' || :n, 'first' || p || ' last' || :n, 'CEO', 'p' || p || '@company-' || :n || '.example',
  'p' || p || '@company-' || :n || '.example', '+49301' || (:n::bigint + p), '49301' || (:n::bigint + p)
from generate_series(1, 3) as p
on conflict (user_id, email_key, company_id) where email_key is not null do nothing
returning id, status, created_at;
`;

await withPostgres(async (postgres) => {
  const { appUrl, folder } = postgres;
  const key = await seed(appUrl);
  const script = join(folder, 'p3.sql');
  await writeFile(script, STATEMENT);
  const api = await serveApi('api-server.ts', [appUrl, 'leads']);
  const load = async (requests: number) => ({
    count: requests,
    ...(await api.load({
      next: () => request(key),
      status: 201,
      count: requests,
      connections: CONNECTIONS,
    })),
  });
  await load(3_000);
  const rounds: Round[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const pgbench = await measured(postgres, () => runPgbench(appUrl, script));
    const requests = Math.round((pgbench.perSecond / 2) * SECONDS);
    rounds.push({ pgbench, api: await measured(postgres, () => load(requests)) });
  }
  await report(rounds);
  api.stop();
});

/** Microseconds of CPU are per request or statement. */
interface Measured {
  perSecond: number;
  count: number;
  ownCpu: number;
  postgresCpu: number;
}
interface Round {
  pgbench: Measured;
  api: Measured;
}

async function measured(
  { pid }: BenchPostgres,
  run: () => Promise<Omit<Measured, 'postgresCpu'>>,
): Promise<Measured> {
  const before = await postgresCpuMicros(pid);
  const result = await run();
  const cpu = (await postgresCpuMicros(pid)) - before;
  return { ...result, postgresCpu: cpu / result.count };
}

async function report(rounds: readonly Round[]): Promise<void> {
  const middle = (value: (round: Round) => number) => median(rounds.map(value)).toFixed(0);
  const ratios = rounds.map(({ api, pgbench }) => api.perSecond / pgbench.perSecond);
  console.log(
    `api ${middle(({ api }) => api.perSecond)} req/s, ${middle(({ api }) => api.ownCpu)} us of CPU ` +
      `in the API and ${middle(({ api }) => api.postgresCpu)} us in Postgres each\n` +
      `pgbench ${middle(({ pgbench }) => pgbench.perSecond)} statements/s, ` +
      `${middle(({ pgbench }) => pgbench.postgresCpu)} us in Postgres each\n` +
      `worst round ${Math.min(...ratios).toFixed(2)} ` +
      `(${ROUNDS} rounds of ${SECONDS} s over ${CONNECTIONS} connections, ${await machine()})`,
  );
  console.log(`P3 ratio=${median(ratios).toFixed(2)} goal=>=${GOAL}`);
}

async function seed(url: string): Promise<string> {
  const db = openDatabase(url, { poolSize: 1 });
  await db.insertInto('users').values({ user_id: USER, email: 'bench@example.test' }).execute();
  const settings = { name: 'bench', ipWhitelist: [], scopes: [], expiresAt: null };
  const { key } = await createKey({ db, config: { OUTREACH_MODE: 'live' } }, USER, settings);
  await db.destroy();
  return key;
}

async function runPgbench(url: string, script: string): Promise<Omit<Measured, 'postgresCpu'>> {
  const flags = `--no-vacuum --protocol=prepared --jobs=2 --client=${CONNECTIONS} --time=${SECONDS}`;
  const args = [...flags.split(' '), `--file=${script}`, url];
  const { stdout } = await promisify(execFile)('pgbench', args);
  return {
    perSecond: Number(/tps = ([\d.]+)/.exec(stdout)![1]),
    count: Number(/actually processed: (\d+)/.exec(stdout)![1]),
    ownCpu: 0,
  };
}

function request(key: string): string {
  const n = Math.floor(Math.random() * 1e12);
  const people = [1, 2, 3].map((p) => ({
    firstName: `First${p}`,
    lastName: `Last${n}`,
    role: 'CEO',
    email: `p${p}@company-${n}.example`,
    phone: `+49301${n + p}`.slice(0, 15),
  }));
  const body = JSON.stringify({ company_name: `Company ${n}`, people });
  return (
    'POST /v1/leads HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n' +
    `Authorization: Bearer ${key}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  );
}
