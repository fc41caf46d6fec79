/** The worker process: runs workflows and activities until it is told to stop. */
import closeWithGrace from 'close-with-grace';
import { readConfig } from './config.ts';
import { createContext } from './context.ts';
import { createLogger } from './logger.ts';
import {
  createWorkers,
  ensureReconcileSchedule,
  ensureSearchAttributes,
} from './temporal-workers.ts';
import { serveWorkerMetrics } from './worker-metrics.ts';

/** Longer than the workers' own grace and force times. */
const SHUTDOWN_MS = 25_000;

const config = readConfig();
const logger = createLogger({ level: config.LOG_LEVEL, name: 'worker' });
const context = createContext(config, logger);
const address = { port: config.WORKER_METRICS_PORT, host: config.API_HOST };
const metrics = await serveWorkerMetrics(context, address);
await ensureSearchAttributes(context);
const workers = await createWorkers(context);
const running = Promise.all(workers.map((worker) => worker.run()));
await ensureReconcileSchedule(context);
logger.info({ temporal: config.TEMPORAL_ADDRESS }, 'worker is running');

closeWithGrace({ delay: SHUTDOWN_MS, logger: undefined }, async ({ err }) => {
  if (err) logger.error({ err }, 'worker stops after an error');
  for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  await running.catch(() => undefined);
  metrics.close();
  await context.close();
});

// A worker that ends by itself takes the process with it: the supervisor starts a fresh one.
running.catch((err: unknown) => {
  logger.fatal({ err }, 'a worker ended');
  process.exit(1);
});
