/**
 * P4: CPU per request of GET /v1/clusters with authentication and rate limits / without.
 * Both variants run as processes of their own over one Postgres (fsync on), in turns.
 */
import { Pool } from 'undici';
import { count } from '../test/support/tools/whole-number.ts';
import { CONNECTIONS, KEYS, requestPages, seedPage, USER } from './clusters-page.ts';
import { bench, optionsOf } from './command.ts';
import { withPostgres } from './postgres.ts';
import { postgresCpuMicros } from './rounds.ts';
import { serveApi, type ServedApi } from './served-api.ts';

const GOAL = 1.3;
/** Many short turns: other load on the machine then hits both variants alike. */
const { rounds: ROUNDS, requests: REQUESTS } = optionsOf<{ rounds: number; requests: number }>(
  bench('p4', 'CPU per request of GET /v1/clusters with authentication and rate limits / without.')
    .option('--rounds <n>', 'of each, in turns', count, 15)
    .option('--requests <n>', 'of a round', count, 1_500),
);
const WARM_UP = 3_000;
/** Connections to Postgres of each; its API processes read it. */
process.env['POOL_SIZE'] ??= '10';

interface Target {
  name: 'guarded' | 'open';
  api: ServedApi;
  pool: Pool;
}

/** Microseconds of CPU and of waiting, per request. */
interface Cost {
  api: number;
  postgres: number;
  wall: number;
}

await withPostgres(async ({ appUrl, pid }) => {
  const keys = await seedPage(appUrl);
  const targets = [await start('guarded', appUrl), await start('open', appUrl)];
  for (const target of targets) await requestPages(target.pool, keys, WARM_UP);
  const rounds: Record<Target['name'], Cost>[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const costs = {} as Record<Target['name'], Cost>;
    for (const target of targets) costs[target.name] = await measure(target, keys, pid);
    rounds.push(costs);
  }
  report(rounds);
  for (const { api, pool } of targets) {
    await pool.destroy();
    api.stop();
  }
});

async function start(name: Target['name'], url: string): Promise<Target> {
  const api = await serveApi('api-server.ts', [
    url,
    'clusters',
    ...(name === 'open' ? [USER] : []),
  ]);
  const origin = `http://127.0.0.1:${api.port}`;
  return { name, api, pool: new Pool(origin, { connections: CONNECTIONS, pipelining: 1 }) };
}

async function measure(target: Target, keys: string[], postmaster: number): Promise<Cost> {
  const before = [
    await target.api.cpu(),
    await postgresCpuMicros(postmaster),
    performance.now() * 1_000,
  ] as const;
  await requestPages(target.pool, keys, REQUESTS);
  const after = [
    await target.api.cpu(),
    await postgresCpuMicros(postmaster),
    performance.now() * 1_000,
  ] as const;
  const [api, database, wall] = after.map((value, at) => (value - before[at]!) / REQUESTS);
  return { api: api!, postgres: database!, wall: wall! };
}

function report(rounds: Record<Target['name'], Cost>[]): void {
  const ratios = (part: (cost: Cost) => number) =>
    rounds.map(({ guarded, open }) => part(guarded) / part(open)).toSorted((a, b) => a - b);
  const median = (values: number[]) => values[Math.floor(values.length / 2)]!;
  const cost = (name: Target['name'], part: keyof Cost) =>
    `${median(rounds.map((round) => round[name][part]).toSorted((a, b) => a - b)).toFixed(0)} us`;
  for (const name of ['guarded', 'open'] as const) {
    console.log(
      `${name}: api ${cost(name, 'api')}, postgres ${cost(name, 'postgres')} of CPU, ` +
        `${cost(name, 'wall')} of time per request`,
    );
  }
  const api = ratios(({ api: cpu }) => cpu);
  const both = ratios(({ api: cpu, postgres: database }) => cpu + database);
  console.log(
    `worst round ${api.at(-1)!.toFixed(2)}, with Postgres' CPU ${median(both).toFixed(2)} ` +
      `(${ROUNDS} rounds of ${REQUESTS} requests over ${CONNECTIONS} connections, ${KEYS} keys)`,
  );
  console.log(`P4 ratio=${median(api).toFixed(2)} goal=<=${GOAL}`);
}
