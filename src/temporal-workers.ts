/** Builds the Temporal workers of one process, and what they need on the server. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';
import { NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import { createActivities } from '../activities/index.ts';
import { ACTIVITY_QUEUE, WORKFLOW_QUEUE } from '../workflows/contracts/queues.ts';
import {
  RECONCILE_EVERY_SECONDS,
  RECONCILE_SCHEDULE_ID,
  reconcileType,
} from '../workflows/contracts/reconcile.ts';
import { SEARCH_ATTRIBUTES } from '../workflows/contracts/search-attributes.ts';
import type { Context } from './context.ts';

/** `INDEXED_VALUE_TYPE_KEYWORD` of Temporal's API. */
const KEYWORD = 2;

/** About 1 MB each (workflows.md W13): bounded, the rest is replayed when it wakes up. */
const MAX_CACHED_WORKFLOWS = 200;

/** Built by `npm run build`; loading it is quicker than bundling and needs no webpack. */
const bundlePath = fileURLToPath(new URL('../workflow-bundle.js', import.meta.url));
const workflowsPath = fileURLToPath(new URL('../workflows', import.meta.url));

/** What the workers of a process run. */
interface WorkerCode {
  workflows: Pick<WorkerOptions, 'workflowsPath' | 'workflowBundle'>;
  activities: object;
}

type ServerSettings = Pick<
  Context['config'],
  'TEMPORAL_ADDRESS' | 'TEMPORAL_NAMESPACE' | 'TEMPORAL_TLS' | 'TEMPORAL_API_KEY'
>;

/** The product's workers: all its workflows and activities. */
export const createWorkers = (context: Context): Promise<Worker[]> =>
  workersOf(context.config, {
    workflows: workflowSource(context.config.OUTREACH_ENV === 'production'),
    activities: createActivities(context),
  });

/** One worker for workflows and our own writes, one for vendor calls, each on its own queue. */
export async function workersOf(server: ServerSettings, code: WorkerCode): Promise<Worker[]> {
  const connection = await NativeConnection.connect({
    address: server.TEMPORAL_ADDRESS,
    tls: server.TEMPORAL_TLS,
    ...(server.TEMPORAL_API_KEY !== undefined && { apiKey: server.TEMPORAL_API_KEY }),
  });
  const shared = {
    connection,
    namespace: server.TEMPORAL_NAMESPACE,
    shutdownGraceTime: '10 seconds',
    shutdownForceTime: '20 seconds',
  } satisfies WorkerOptions | object;
  const activities = {
    activities: code.activities,
    maxConcurrentActivityTaskExecutions: 100,
    // The default holds a heartbeat back for 80 % of its time-out: too close to "dead".
    maxHeartbeatThrottleInterval: '500 milliseconds',
  } as const;
  return [
    await Worker.create({
      ...shared,
      taskQueue: WORKFLOW_QUEUE,
      ...code.workflows,
      ...activities,
      maxCachedWorkflows: MAX_CACHED_WORKFLOWS,
    }),
    await Worker.create({
      ...shared,
      taskQueue: ACTIVITY_QUEUE,
      ...activities,
    }),
  ];
}

function workflowSource(isProduction: boolean) {
  if (existsSync(bundlePath)) return { workflowBundle: { codePath: bundlePath } };
  if (isProduction) throw new Error(`${bundlePath} is missing: run npm run build first`);
  return { workflowsPath };
}

/**
 * Checks that the server knows the four search attributes: without them a workflow task is retried
 * for ever. In development they are added, in production the error says what to run.
 */
export async function ensureSearchAttributes({ temporal, config }: Context): Promise<void> {
  const namespace = config.TEMPORAL_NAMESPACE;
  const { operatorService } = temporal.connection as import('@temporalio/client').Connection;
  const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
  const missing = SEARCH_ATTRIBUTES.filter((name) => customAttributes?.[name] !== KEYWORD);
  if (missing.length === 0) return;
  if (config.OUTREACH_ENV === 'production') {
    const flags = missing.map((name) => `--name ${name} --type Keyword`).join(' ');
    throw new Error(
      `Search attributes are missing. Run: temporal operator search-attribute create ` +
        `--namespace ${namespace} ${flags}`,
    );
  }
  await operatorService.addSearchAttributes({
    namespace,
    searchAttributes: Object.fromEntries(missing.map((name) => [name, KEYWORD])),
  });
}

/** The Schedule that starts what has no workflow. Safe to repeat. Workflows: W1. */
export async function ensureReconcileSchedule({ temporal }: Context): Promise<void> {
  try {
    await temporal.schedule.create({
      scheduleId: RECONCILE_SCHEDULE_ID,
      spec: { intervals: [{ every: `${RECONCILE_EVERY_SECONDS} seconds` }] },
      action: {
        type: 'startWorkflow',
        workflowType: reconcileType,
        taskQueue: WORKFLOW_QUEUE,
        workflowExecutionTimeout: '1 minute',
      },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' },
    });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
}
