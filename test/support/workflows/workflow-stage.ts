/** A server that skips time, workers with fake activities, and operations to run on them. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkflowHandle } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker, type WorkerOptions } from '@temporalio/worker';
import type { Pace } from '../../../src/domain/operations/operations.ts';
import { jobQuery } from '../../../workflows/contracts/job.ts';
import { operationQuery, type OperationView } from '../../../workflows/contracts/operator.ts';
import {
  ACTIVITY_QUEUE,
  MAIL_QUEUE,
  WEBHOOK_QUEUE,
  WORKFLOW_QUEUE,
  vendorQueue,
} from '../../../src/domain/operations/queues.ts';
import { fakeActivities, type Played, type Script } from './fake-activities.ts';
import { startTimeSkipping } from './temporal.ts';
import { workflowCode } from './workflow-code.ts';

/** Quick retries; a day until a blocked step is given up. */
export const pace: Pace = { retryPace: 0.001, heartbeatSeconds: 5, blockedTimeoutSeconds: 86_400 };

/** Vendors that the fake `chooseVps` names, in its order. */
export const STAGE_VENDORS = ['first', 'second'] as const;

export interface StartedOperation extends Played {
  handle: WorkflowHandle;
  view(): Promise<OperationView>;
  /** Waits, without skipping time, until the view matches. */
  until(isSo: (view: OperationView) => boolean): Promise<OperationView>;
  untilCalled(activityId: string): Promise<void>;
  /** Waits, without skipping time, until a job has noticed its pause. */
  untilPaused(): Promise<void>;
  /**
   * Until a timer runs: this server hangs when an activity ends while its cancellation is being sent.
   */
  untilResting(): Promise<void>;
  untilBlocked(step: string): Promise<NonNullable<OperationView['blocked']>>;
  /** The last input of `finishOperation`. */
  finish(): { outcome: string; error?: { code: string; message: string }; steps: object[] };
  /** How the run ended: `undefined`, or the failure. Skips time. */
  end(): Promise<{ type?: string; message: string; name: string } | undefined>;
}

export interface Stage {
  env: TestWorkflowEnvironment;
  start(type: string, script: Script, input?: object): Promise<StartedOperation>;
  /** Stops the workers and starts others. */
  restartWorkers(options?: Partial<WorkerOptions>): Promise<void>;
  close(): Promise<void>;
}

export async function openStage(options: Partial<WorkerOptions> = {}): Promise<Stage> {
  const env = await startTimeSkipping();
  const played = new Map<number, Played>();
  let last = 0;
  let workers = await startWorkers(env, played, options);
  return {
    env,
    async start(type, script, input = {}) {
      const operationId = (last += 1);
      const one: Played = { script, calls: [], records: [] };
      played.set(operationId, one);
      const subject = { clusterId: 7, domainId: 3, domain: 'acme.com' };
      const needs = { buyDomain: true, rentServer: true };
      const base = { operationId, userId: 'user-1', resource: `cluster/${operationId}`, pace };
      const handle = await env.client.workflow.start(type, {
        workflowId: `${type}/${operationId}`,
        taskQueue: WORKFLOW_QUEUE,
        args: [{ ...subject, ...needs, ...base, ...input }],
      });
      return Object.assign(one, toolsOf(handle, one));
    },
    async restartWorkers(changed = {}) {
      await workers.stop();
      workers = await startWorkers(env, played, { ...options, ...changed });
    },
    async close() {
      await workers.stop();
      await env.teardown();
    },
  };
}

async function startWorkers(
  env: TestWorkflowEnvironment,
  played: ReadonlyMap<number, Played>,
  options: Partial<WorkerOptions>,
) {
  const shared = { connection: env.nativeConnection, namespace: env.namespace ?? 'default' };
  const workflowBundle = { code: await workflowCode() };
  const activities = fakeActivities(played);
  const workers = await Promise.all([
    Worker.create({ ...shared, activities, taskQueue: WORKFLOW_QUEUE, workflowBundle, ...options }),
    Worker.create({ ...shared, activities, taskQueue: ACTIVITY_QUEUE }),
    Worker.create({ ...shared, activities, taskQueue: MAIL_QUEUE }),
    Worker.create({ ...shared, activities, taskQueue: WEBHOOK_QUEUE }),
    ...STAGE_VENDORS.map((vendor) =>
      Worker.create({ ...shared, activities, taskQueue: vendorQueue(vendor) }),
    ),
  ]);
  const running = Promise.all(workers.map((worker) => worker.run()));
  return {
    async stop() {
      for (const worker of workers) worker.shutdown();
      await running;
    },
  };
}

/** How far a run is, for the words of a failure: its last events, and what it waits for. */
async function lastEvents(handle: WorkflowHandle): Promise<string> {
  const { events } = await handle.fetchHistory();
  const last = (events ?? [])
    .slice(-8)
    .map((event) => Object.keys(event).find((key) => key.endsWith('EventAttributes')));
  const { pendingActivities } = (await handle.describe()).raw;
  const pending = (pendingActivities ?? []).map(
    ({ activityType, state, attempt, lastFailure }) =>
      `${activityType?.name} (state ${state}, attempt ${attempt}, ${lastFailure?.message ?? 'no failure'})`,
  );
  return [...last, 'pending:', ...pending].join(' ');
}

function toolsOf(handle: WorkflowHandle, one: Played) {
  const view = () => handle.query(operationQuery);
  const wait = async (isSo: () => Promise<boolean>, what: () => string) => {
    // Far longer than anything takes: a hang is reported before the test times out.
    const deadline = Date.now() + 45_000;
    // A question that is never answered counts as no.
    while (!(await Promise.race([isSo(), sleep(deadline - Date.now(), false, { ref: false })]))) {
      if (Date.now() >= deadline) {
        const run = await lastEvents(handle).catch(String);
        throw new Error(`${what()}; calls: ${one.calls.join(' ')}; run: ${run}`);
      }
      await sleep(10);
    }
  };
  const until = async (isSo: (view: OperationView) => boolean) => {
    let seen = await view();
    const look = async () => isSo((seen = await view()));
    await wait(look, () => `the view stays ${JSON.stringify(seen)}`);
    return seen;
  };
  return {
    handle,
    view,
    until,
    untilCalled: (id: string) =>
      wait(
        async () => one.calls.includes(id),
        () => `${id} was never called`,
      ),
    untilResting: () =>
      wait(
        async () => {
          const { events } = await handle.fetchHistory();
          return events?.some((event) => event.timerStartedEventAttributes) ?? false;
        },
        () => 'no timer was started',
      ),
    untilPaused: async () => {
      // The row first: this server never answers a query that arrives while a run continues as new.
      await wait(
        async () => one.jobState === 'paused',
        () => 'nobody paused the job',
      );
      const jobView = () => handle.query(jobQuery);
      await wait(
        async () => (await jobView()).state === 'paused',
        () => 'the job was never paused',
      );
    },
    untilBlocked: async (step: string) => (await until((v) => v.blocked?.step === step)).blocked!,
    finish: () => one.records.findLast(({ name }) => name === 'finishOperation')?.input,
    end: () =>
      handle.result().then(
        () => undefined,
        (error: { cause?: { type?: string; message: string; name: string } }) => error.cause,
      ),
  };
}

/** What the UI shows as current details, in Markdown. */
export async function currentDetails(handle: WorkflowHandle): Promise<string> {
  const metadata = '__temporal_workflow_metadata';
  return (await handle.query<{ currentDetails?: string }, []>(metadata)).currentDetails ?? '';
}
