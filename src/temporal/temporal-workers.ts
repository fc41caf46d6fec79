/** Builds the Temporal workers of one process, and what they need on the server. */
import {
  NativeConnection,
  Worker,
  type ActivityInterceptorsFactory,
  type WorkerOptions,
} from '@temporalio/worker';
import { createActivities } from '../../activities/index.ts';
import {
  formerVendorQueue,
  vendorQueue,
  WORKER_ROLES,
  type WorkerRole,
} from '../domain/operations/queues.ts';
import { SEARCH_ATTRIBUTES } from '../../workflows/contracts/search-attributes.ts';
import type { Context } from '../context.ts';
import { activitiesPerSecond, type VendorLimit } from '../domain/accounts/vendor-limits.ts';
import { connectionOptions, type ConnectionSettings } from './connection.ts';
import { createDataConverter } from './payload-codec.ts';
import { rowGuard } from './row-guard.ts';
import { traceActivities, traceSinks } from './trace-calls.ts';
import { createPlaces, type ResourceTargets } from './worker-places.ts';
import { workflowBundle } from './workflow-bundle.ts';

/** `INDEXED_VALUE_TYPE_KEYWORD` of Temporal's API. */
const KEYWORD = 2;

/**
 * About 1 MB each: limited; evicted ones are replayed when they wake up.
 * docs/workflow-rules.md#workers-and-queues.
 */
const MAX_CACHED_WORKFLOWS = 200;

/**
 * Mail sessions wait most of the time: each holds a timer and a few connections. A campaign, a mailbox in
 * warm-up and a cluster's inbox take one each: more of them need more workers.
 */
const MAX_MAIL_SESSIONS = 2_000;

/** One run delivers to all endpoints; a second one may still be ending. */
const MAX_DELIVERY_RUNS = 4;

/** The code that a process's workers run. */
interface WorkerCode {
  /** Needed by the role `workflows` alone. */
  workflows?: Pick<WorkerOptions, 'workflowsPath' | 'workflowBundle'>;
  activities: object;
  /** Vendor queues with their limits; none by default. */
  vendors?: Readonly<Record<string, VendorLimit | undefined>>;
  /** All by default. */
  roles?: readonly string[];
  /** Not versioned by default. */
  build?: WorkerOptions['workerDeploymentOptions'];
  /** Plain payloads by default. */
  dataConverter?: WorkerOptions['dataConverter'];
  /** Compares run and row before each activity; none by default. */
  guard?: ActivityInterceptorsFactory;
}

/** At the queues that have no number of their own. */
const MAX_ACTIVITIES = 100;

type ServerSettings = ConnectionSettings &
  Pick<Context['config'], 'TEMPORAL_NAMESPACE'> &
  ResourceTargets;

/** The product's workers: all its workflows and activities. */
export async function createWorkers(context: Context): Promise<Worker[]> {
  const { config } = context;
  const isProduction = config.OUTREACH_ENV === 'production';
  return workersOf(config, {
    ...(servesRole(config.WORKER_ROLES, 'workflows') && {
      workflows: { workflowBundle: await workflowBundle(isProduction) },
    }),
    activities: createActivities(context),
    vendors: vendorLimits(config.vendors),
    dataConverter: createDataConverter(config),
    guard: rowGuard(context),
    roles: config.WORKER_ROLES,
    build: deploymentOf(config),
  });
}

/**
 * A run ends on the build that began it: what a later build has changed cannot break it, and one that is taken
 * back takes its own runs along. Jobs without an end move on when they continue as new (workflows/engine/job.ts).
 */
export function deploymentOf(settings: {
  WORKER_BUILD_ID?: string | undefined;
  WORKER_DEPLOYMENT_NAME: string;
}): WorkerOptions['workerDeploymentOptions'] {
  const { WORKER_BUILD_ID: buildId, WORKER_DEPLOYMENT_NAME: deploymentName } = settings;
  if (buildId === undefined) return undefined;
  const version = { deploymentName, buildId };
  return { version, useWorkerVersioning: true, defaultVersioningBehavior: 'PINNED' };
}

/** Includes disabled vendors: rows may name them, and a queue without a worker stalls silently. */
function vendorLimits({ registrars, vps }: Context['config']['vendors']) {
  const limits: Record<string, VendorLimit | undefined> = {};
  for (const [name, vendor] of Object.entries({ ...registrars, ...vps })) {
    limits[name] = vendor.state === 'on' ? vendor.limit : undefined;
  }
  return limits;
}

/** Few activities wait at one vendor's queue at a time. */
const VENDOR_POLLS = 2;

/**
 * Of a vendor's limit, at the queue that runs of before use: both queues together ask little more of the vendor
 * than its limit, and few of these runs are left.
 */
const FORMER_SHARE = 1 / 4;

/**
 * One worker for workflows and our own writes, one for vendor calls, one for mail sessions, one for events,
 * and two for each vendor, whose limit the server enforces over all workers: for the queue of today and the
 * one of before; of these, those of `roles`.
 */
export async function workersOf(server: ServerSettings, code: WorkerCode): Promise<Worker[]> {
  const connection = await NativeConnection.connect(connectionOptions(server));
  const shared = {
    connection,
    namespace: server.TEMPORAL_NAMESPACE,
    ...(code.dataConverter && { dataConverter: code.dataConverter }),
    interceptors: { activity: [traceActivities, ...(code.guard ? [code.guard] : [])] },
    sinks: traceSinks,
    ...(code.build && { workerDeploymentOptions: code.build }),
    shutdownGraceTime: '10 seconds',
    shutdownForceTime: '20 seconds',
  } satisfies WorkerOptions | object;
  const activities = {
    activities: code.activities,
    // The default holds a heartbeat back for 80 % of its time-out: too close to "dead".
    maxHeartbeatThrottleInterval: '500 milliseconds',
  } as const;
  const places = createPlaces(server);
  return Promise.all(
    queuesOf(code)
      .filter(({ role }) => servesRole(code.roles ?? [], role))
      .map(({ most = MAX_ACTIVITIES, options }) =>
        Worker.create({ ...shared, ...activities, ...places(most), ...options }),
      ),
  );
}

/** Without any named, a process has all roles. */
export const servesRole = (roles: readonly string[], role: WorkerRole): boolean =>
  roles.length === 0 || roles.includes(role);

/** Of a process to which these are named. */
export const servedRoles = (roles: readonly string[]): WorkerRole[] =>
  (Object.keys(WORKER_ROLES) as WorkerRole[]).filter((role) => servesRole(roles, role));

interface Queue {
  role: WorkerRole;
  /** Activities at once; `MAX_ACTIVITIES` by default. */
  most?: number;
  /** What differs from the other queues'. */
  options: Partial<WorkerOptions> & { taskQueue: string };
}

function queuesOf({ workflows, vendors = {} }: WorkerCode): Queue[] {
  const ofVendors = Object.entries(vendors).flatMap(([vendor, limit]) =>
    [
      { taskQueue: vendorQueue(vendor), share: 1 },
      { taskQueue: formerVendorQueue(vendor), share: FORMER_SHARE },
    ].map(({ taskQueue, share }): Queue => ({
      role: 'vendors',
      options: {
        taskQueue,
        maxConcurrentActivityTaskPolls: VENDOR_POLLS,
        ...(limit && { maxTaskQueueActivitiesPerSecond: activitiesPerSecond(limit) * share }),
      },
    })),
  );
  const { workflows: workflowQueue, mail, webhooks, activities } = WORKER_ROLES;
  return [
    {
      role: 'workflows',
      options: {
        taskQueue: workflowQueue,
        ...workflows,
        maxCachedWorkflows: MAX_CACHED_WORKFLOWS,
      },
    },
    { role: 'activities', options: { taskQueue: activities } },
    {
      role: 'mail',
      most: MAX_MAIL_SESSIONS,
      options: { taskQueue: mail },
    },
    {
      role: 'webhooks',
      most: MAX_DELIVERY_RUNS,
      options: { taskQueue: webhooks },
    },
    ...ofVendors,
  ];
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
