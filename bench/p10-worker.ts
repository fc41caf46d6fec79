/** The product's side of P10: its two workers, guard and metrics, around a no-op activity. */
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { guardAll } from '../activities/engine/guard.ts';
import { openDatabase } from '../src/db/database.ts';
import { workersOf } from '../src/temporal/temporal-workers.ts';
import { serveWorkerMetrics } from '../src/telemetry/worker-metrics.ts';

const activities = guardAll({ greet: async (name: string): Promise<string> => name });

export type NoOpActivities = typeof activities;

const [address = ''] = process.argv.slice(2);
// Used only when the metrics are read: it is never connected.
const db = openDatabase('postgres://127.0.0.1:1/none', { poolSize: 1 });
const logger = pino({ level: 'warn' });
const metrics = await serveWorkerMetrics(
  { db, logger },
  { port: 0, host: '127.0.0.1', isReady: () => true },
);
const workers = await workersOf(
  { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: 'default', TEMPORAL_TLS: false },
  {
    workflows: { workflowsPath: fileURLToPath(new URL('p10-workflows.ts', import.meta.url)) },
    activities,
  },
);
process.on('disconnect', () => {
  for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
});
process.send?.('ready');
await Promise.all(workers.map((worker) => worker.run()));
metrics.close();
