/** The worker process: runs workflows and activities until it is told to stop. */
import './telemetry/worker-heap.ts';
import type { Worker } from '@temporalio/worker';
import { createRunningJobs } from '../activities/shards/running-jobs.ts';
import { serveShards } from '../activities/shards/serve-shards.ts';
import type { Served } from '../activities/shards/served.ts';
import { serveStanding } from '../activities/shards/standing-work.ts';
import closeWithGrace from 'close-with-grace';
import { readConfig } from './config.ts';
import { createContext } from './context.ts';
import { openDatabase } from './db/database.ts';
import { healRestoredEvents } from './db/webhooks/restored-events.ts';
import { warnOfOrderProblems } from './services/clusters/server-catalogue.ts';
import { createLogger } from './telemetry/logger.ts';
import {
  ensureBooksSchedule,
  dropFormerSchedules,
  ensureHostCheckSchedule,
  ensureKeyRotationSchedule,
  ensureMailReportsSchedule,
  ensureMtaStsSchedule,
  ensureRecordsSchedule,
  ensureRenewalSchedule,
} from './temporal/temporal-schedules.ts';
import {
  createWorkers,
  ensureSearchAttributes,
  servedRoles,
  servesRole,
} from './temporal/temporal-workers.ts';
import { createOperationEnds } from './telemetry/operation-ends.ts';
import { ensureTestNamespace } from './temporal/test-namespace.ts';
import { serveWorkerMetrics } from './telemetry/worker-metrics.ts';
import { startTracing } from './tracing/start-tracing.ts';

/** Longer than the workers' own grace and force times. */
const SHUTDOWN_MS = 25_000;
/**
 * Hundreds of sessions share a few connections to Postgres, and no client waits for them: those that meet a busy
 * moment wait for their turn, instead of failing and beginning anew. Well below what counts as hanging (85 s).
 */
const CONNECTION_MS = 20_000;
/** Of the loop over the shards, and of standing work's leases: leases may not wait behind sessions. */
const SHARD_CONNECTIONS = 4;

const config = readConfig();
const { OUTREACH_MODE: mode } = config;
const name = mode === 'test' ? 'worker of test mode' : 'worker';
const logger = createLogger({ level: config.LOG_LEVEL, name });
const tracing = await startTracing(config, { service: 'outreach-worker', logger });
const context = {
  ...createContext(config, logger, { connectionTimeoutMs: CONNECTION_MS }),
  operationEnds: createOperationEnds(),
};
const shardDb = openDatabase(config.DATABASE_URL, {
  poolSize: SHARD_CONNECTIONS,
  mode,
  onConnectionLost: (err) => logger.warn({ err }, 'a database connection was lost'),
});
let workers: Worker[] = [];
let served: Served[] = [];
let running: Promise<unknown> = Promise.resolve();

// First of all: a signal must end a worker that is still starting, too.
closeWithGrace({ delay: SHUTDOWN_MS, logger: undefined }, async ({ err }) => {
  if (err) logger.error({ err }, 'worker stops after an error');
  const ended = served.map((one) => one.stop());
  for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  await Promise.all([running.catch(() => undefined), ...ended]);
  await Promise.allSettled([context.close(), shardDb.destroy()]);
  await tracing.stop();
});

await serveWorkerMetrics(
  { ...context, shardDb },
  {
    port: config.WORKER_METRICS_PORT,
    host: config.API_HOST,
    serves: { mode, roles: servedRoles(config.WORKER_ROLES) },
    isReady: () => workers.length > 0 && workers.every((one) => one.getState() === 'RUNNING'),
  },
);
await ensureTestNamespace(context);
await ensureSearchAttributes(context);
workers = await createWorkers(context);
const leasing = { leaseDb: shardDb };
served = [
  ...(servesRole(config.WORKER_ROLES, 'mail') ? [serveShardsOf(context)] : []),
  ...(servesRole(config.WORKER_ROLES, 'webhooks')
    ? [serveStanding(context, 'deliveries', leasing)]
    : []),
  ...(servesRole(config.WORKER_ROLES, 'activities')
    ? [
        serveStanding(context, 'reconciler', leasing),
        serveStanding(context, 'interests', leasing),
        serveStanding(context, 'changes', leasing),
      ]
    : []),
];
running = Promise.all(workers.map((worker) => worker.run()));
// A worker that stops by itself ends the process: the supervisor starts a new one.
running.catch((err: unknown) => {
  logger.fatal({ err }, 'a worker ended');
  process.exit(1);
});
// Not awaited: a worker starts while a vendor does not answer, and without Postgres.
void warnOfOrderProblems(context);
healRestoredEvents(context.db).then(
  (events) =>
    events > 0 && logger.warn({ events }, 'events of a restored database were put in order'),
  (err: unknown) => logger.warn({ err }, 'events were not looked at'),
);
await dropFormerSchedules(context);
await ensureBooksSchedule(context);
await ensureRenewalSchedule(context);
await ensureHostCheckSchedule(context);
await ensureKeyRotationSchedule(context);
await ensureMtaStsSchedule(context);
await ensureRecordsSchedule(context);
await ensureMailReportsSchedule(context);
logger.info({ temporal: config.TEMPORAL_ADDRESS, mode }, 'worker is running');

/** The sessions use the connections of all other work, the loop that leads them has its own. */
function serveShardsOf(all: typeof context): Served {
  return serveShards({ ...all, db: shardDb }, createRunningJobs(all));
}
