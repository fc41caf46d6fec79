/**
 * What traces cost: CPU per GET /v1/clusters and per no-op activity with every tenth trace sent to a collector / with
 * traces off, and with traces off / in a process whose hooks do nothing. Processes of their own, in turns.
 */
import { randomBytes } from 'node:crypto';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Client, Connection } from '@temporalio/client';
import { Pool } from 'undici';
import { startCollector } from '../src/dev/trace/collector.ts';
import { WORKFLOW_QUEUE } from '../src/domain/operations/queues.ts';
import { formatTraceParent } from '../src/domain/operations/trace-carrier.ts';
import { carryTrace } from '../src/temporal/trace-calls.ts';
import { withOrigin } from '../src/tracing/origin.ts';
import { count, countOrNone } from '../test/support/tools/whole-number.ts';
import { CONNECTIONS, requestPages, seedPage } from './clusters-page.ts';
import { bench, optionsOf } from './command.ts';
import { withPostgres } from './postgres.ts';
import { machine } from './rounds.ts';
import { serveApi } from './served-api.ts';
import { startTemporalServer } from './temporal.ts';
import { inTurns, report, SIDES, startOf, type Measured, type Side } from './tracing-sides.ts';

const GOAL = 1.03;
const { rounds, processes, requests, workflows } = optionsOf<{
  rounds: number;
  processes: number;
  requests: number;
  workflows: number;
}>(
  bench('tracing', 'CPU per request and per no-op activity with traces on / off.')
    .option('--rounds <n>', 'of each process, in turns', count, 15)
    .option('--processes <n>', 'of each side that answer requests', count, 3)
    .option('--requests <n>', 'of a round', count, 1_000)
    .option('--workflows <n>', 'of a round, at the same time; 0 = no activities', countOrNone, 20),
);
const WARM_UP = 3_000;
const ACTIVITIES = 20;
/** One of so many requests is traced, and with it what it ordered. */
const ONE_OF = 10;
process.env['POOL_SIZE'] ??= '8';

const collector = await startCollector('auto');
try {
  await compareRequests();
  if (workflows > 0) await compareActivities();
  console.log(await machine());
} finally {
  await collector.close();
}

async function compareRequests(): Promise<void> {
  await withPostgres(async ({ appUrl }) => {
    const keys = await seedPage(appUrl);
    const ends: (() => void)[] = [];
    const of: Record<Side, Measured[]> = { bare: [], off: [], on: [] };
    for (const side of Array.from({ length: processes }, () => SIDES).flat()) {
      const api = await serveApi(
        'api-server.ts',
        [appUrl, 'clusters'],
        startOf(side, collector.url),
      );
      const pool = new Pool(`http://127.0.0.1:${api.port}`, { connections: CONNECTIONS });
      of[side].push({ cpu: () => api.cpu(), work: () => requestPages(pool, keys, requests) });
      ends.push(
        () => void pool.destroy(),
        () => api.stop(),
      );
      await requestPages(pool, keys, WARM_UP);
    }
    report('request', await inTurns(of, { rounds, units: requests }), GOAL);
    for (const end of ends) end();
  });
}

async function compareActivities(): Promise<void> {
  const ends: (() => Promise<unknown>)[] = [];
  const of: Record<Side, Measured[]> = { bare: [], off: [], on: [] };
  try {
    for (const side of SIDES) {
      const { address, child } = await startTemporalServer();
      ends.push(async () => child.kill('SIGTERM'));
      const worker = await startWorker(side, address);
      const connection = await Connection.connect({ address });
      ends.push(
        () => worker.stop(),
        () => connection.close(),
      );
      const client = new Client({ connection, interceptors: { workflow: [carryTrace] } });
      const work = () => runWorkflows(client, side);
      of[side].push({ cpu: () => worker.cpu(), work });
      await work();
      await work();
    }
    report('activity', await inTurns(of, { rounds, units: workflows * ACTIVITIES }), GOAL);
  } finally {
    for (const end of ends.toReversed()) await end();
  }
}

async function startWorker(side: Side, address: string) {
  const { environment, loaded } = startOf(side, collector.url);
  const interceptors = side === 'bare' ? ['built-on'] : ['built-on', 'trace'];
  const worker = fork(new URL('p10-worker.ts', import.meta.url), [address, ...interceptors], {
    execArgv: ['tsx', ...loaded].flatMap((name) => ['--import', name]),
    env: { ...process.env, ...environment },
    // Hides the SDK's own lines about starting and stopping.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await once(worker, 'message');
  return {
    async cpu() {
      worker.send('cpu');
      const [{ cpu }] = (await once(worker, 'message')) as [{ cpu: NodeJS.CpuUsage }];
      return cpu.user + cpu.system;
    },
    async stop() {
      const ended = once(worker, 'exit');
      worker.kill('SIGKILL');
      await ended;
    },
  };
}

/** As requests order them: each has the id of its request, and where traces are on, its trace. */
async function runWorkflows(client: Client, side: Side): Promise<void> {
  const hex = (bytes: number) => randomBytes(bytes).toString('hex');
  const execute = (workflowId: string) =>
    client.workflow.execute('noOps', {
      taskQueue: WORKFLOW_QUEUE,
      workflowId,
      args: [{ activities: ACTIVITIES, atOnce: true }],
    });
  const runs = Array.from({ length: workflows }, (_, n) => {
    const id = `${side}-${performance.now()}-${n}`;
    if (side === 'bare') return execute(id);
    const flags = n % ONE_OF === 0 ? 1 : 0;
    const traceparent = formatTraceParent({ traceId: hex(16), spanId: hex(8), flags });
    const origin = { requestId: id, ...(side === 'on' && { traceparent }) };
    return withOrigin(origin, () => execute(id));
  });
  await Promise.all(runs);
}
