/**
 * P3: POST /v1/leads (a company and three people), requests/s / pgbench of one statement doing the
 * same. Both write into the same tables of one Postgres (fsync on) over as many connections, in turns.
 */
import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openDatabase } from '../src/db/database.ts';
import { migrate } from '../src/db/migrate.ts';
import { createDatabase, startEmbeddedPostgres } from '../src/dev/embedded-postgres.ts';
import { freePort } from '../src/dev/ports.ts';
import { createKey } from '../src/services/api-keys.ts';
import { sendRequests } from './http-load.ts';
import { machine, median } from './rounds.ts';

const GOAL = 0.5;
const [ROUNDS = 7, SECONDS = 4, CONNECTIONS = 32] = process.argv.slice(2).map(Number);
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
on conflict (user_id, email_key) where email_key is not null do nothing
returning id, status, created_at;
`;

const folder = await mkdtemp(join(tmpdir(), 'outreach-bench-'));
const place = {
  folder: join(folder, 'postgres'),
  port: await freePort(),
  password: 'bench',
  logFile: join(folder, 'postgres.log'),
  durable: true,
};
const postgres = await startEmbeddedPostgres(place);
try {
  await createDatabase(place, 'bench');
  const appUrl = `postgres://bench_app:bench@127.0.0.1:${place.port}/bench`;
  await migrate({ ownerUrl: postgres.ownerUrl('bench'), appUrl });
  const key = await seed(appUrl);
  const script = join(folder, 'p3.sql');
  await writeFile(script, STATEMENT);
  const api = await startApi(appUrl);
  await api.load(3_000, key);
  const rounds: { api: number; pgbench: number; apiCpu: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const pgbench = await runPgbench(appUrl, script);
    const measured = await api.load(Math.round((pgbench / 2) * SECONDS), key);
    rounds.push({ pgbench, ...measured });
  }
  const ratios = rounds.map((round) => round.api / round.pgbench);
  console.log(
    `api ${median(rounds.map((round) => round.api)).toFixed(0)} req/s ` +
      `(${median(rounds.map((round) => round.apiCpu)).toFixed(0)} us of CPU each), ` +
      `pgbench ${median(rounds.map((round) => round.pgbench)).toFixed(0)} statements/s`,
  );
  console.log(
    `worst round ${Math.min(...ratios).toFixed(2)} ` +
      `(${ROUNDS} rounds of ${SECONDS} s over ${CONNECTIONS} connections, ${await machine()})`,
  );
  console.log(`P3 ratio=${median(ratios).toFixed(2)} goal=>=${GOAL}`);
  api.stop();
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

async function seed(url: string): Promise<string> {
  const db = openDatabase(url, { poolSize: 1 });
  await db.insertInto('users').values({ user_id: USER, email: 'bench@example.test' }).execute();
  const settings = { name: 'bench', ipWhitelist: [], scopes: [], expiresAt: null };
  const { key } = await createKey({ db }, USER, settings);
  await db.destroy();
  return key;
}

/** Statements per second. */
async function runPgbench(url: string, script: string): Promise<number> {
  const many = String(CONNECTIONS);
  const flags = `--no-vacuum --protocol=prepared --jobs=2 --client=${CONNECTIONS} --time=${SECONDS}`;
  const args = [...flags.split(' '), `--file=${script}`, url];
  const { stdout } = await promisify(execFile)('pgbench', args);
  return Number(/tps = ([\d.]+)/.exec(stdout)![1]);
}

async function startApi(url: string) {
  const path = new URL('p3-server.ts', import.meta.url);
  const child = fork(path, [url], { execArgv: ['--import', 'tsx'] });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  const cpu = async () => {
    child.send('cpu');
    const [message] = (await once(child, 'message')) as [{ cpu: NodeJS.CpuUsage }];
    return message.cpu.user + message.cpu.system;
  };
  return {
    async load(count: number, key: string): Promise<{ api: number; apiCpu: number }> {
      const before = await cpu();
      const target = { host: '127.0.0.1', port, connections: CONNECTIONS };
      const seconds = await sendRequests(target, count, { next: () => request(key), status: 201 });
      return { api: count / seconds, apiCpu: ((await cpu()) - before) / count };
    },
    stop: () => child.disconnect(),
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
