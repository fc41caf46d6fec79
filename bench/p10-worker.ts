/**
 * The product's side of P10 and of `tracing`: its two workers, guard and metrics, around a no-op activity; reports its
 * CPU time on request. Arguments: the server, and which of the interceptors in workflows/engine run.
 */
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { pino } from 'pino';
import { guardAll } from '../activities/engine/guard.ts';
import { openDatabase } from '../src/db/database.ts';
import { servedRoles, workersOf } from '../src/temporal/temporal-workers.ts';
import { serveWorkerMetrics } from '../src/telemetry/worker-metrics.ts';
import { traceAsSet } from './trace-as-set.ts';

const activities = guardAll({ greet: async (name: string): Promise<string> => name });

export type NoOpActivities = typeof activities;

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const [address = '', ...interceptors] = process.argv.slice(2);
// Used only when the metrics are read: it is never connected.
const db = openDatabase('postgres://127.0.0.1:1/none', { poolSize: 1 });
const logger = pino({ level: 'warn' });
const tracing = await traceAsSet('outreach-worker', logger);
const metrics = await serveWorkerMetrics(
  { db, logger },
  {
    port: 0,
    host: '127.0.0.1',
    serves: { mode: 'live', roles: servedRoles([]) },
    isReady: () => true,
  },
);
const workflowBundle = await bundleWorkflowCode({
  workflowsPath: pathOf('p10-workflows.ts'),
  workflowInterceptorModules: interceptors.map((name) => pathOf(`../workflows/engine/${name}.ts`)),
  logger: new DefaultLogger('ERROR'),
});
const workers = await workersOf(
  { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: 'default', TEMPORAL_TLS: false },
  { workflows: { workflowBundle }, activities },
);
process.on('message', () => process.send?.({ cpu: process.cpuUsage() }));
process.on('disconnect', () => {
  for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
});
process.send?.('ready');
await Promise.all(workers.map((worker) => worker.run()));
metrics.close();
await tracing.stop();
// The SDK holds the process for as long as its runtime lives.
process.exit();
