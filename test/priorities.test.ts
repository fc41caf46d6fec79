/** Who gets workers first where there are too few, with a real Temporal: src/temporal/priorities.ts. */
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { WorkflowHandle } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { bundleWorkflowCode, DefaultLogger, Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { provisionClusterFlow } from '../src/domain/clusters/flows.ts';
import { verifyEmailsFlow } from '../src/domain/email-validation/flows.ts';
import { WORKFLOW_QUEUE } from '../src/domain/operations/queues.ts';
import { priorityFor } from '../src/temporal/priorities.ts';
import { startOperation } from '../src/temporal/start-operation.ts';
import { createTestDatabase, type TestDatabase } from './support/database/database.ts';
import { addOperation } from './support/workflows/operations.ts';
import { WORK_QUEUE } from './support/workflows/priority-workflows.ts';
import { startTemporal } from './support/workflows/temporal.ts';
import { quietRuntime } from './support/workflows/workflow-code.ts';

/** Of the account that has ordered before all others. */
const MANY = 200;

let temporal: TestWorkflowEnvironment;
let database: TestDatabase;
let workflows: Worker;
let workflowsEnded: Promise<void>;
let last = 0;
/** Whose work was done, in order. */
const done: string[] = [];

beforeAll(async () => {
  quietRuntime();
  [temporal, database] = await Promise.all([startTemporal(), createTestDatabase()]);
  const workflowsPath = fileURLToPath(
    new URL('./support/workflows/priority-workflows.ts', import.meta.url),
  );
  const workflowBundle = await bundleWorkflowCode({
    workflowsPath,
    logger: new DefaultLogger('ERROR'),
  });
  const { nativeConnection: connection } = temporal;
  workflows = await Worker.create({ connection, taskQueue: WORKFLOW_QUEUE, workflowBundle });
  workflowsEnded = workflows.run();
}, 120_000);
afterAll(async () => {
  workflows?.shutdown();
  await workflowsEnded;
  await database?.close();
  await temporal?.teardown();
});

async function order(
  userId: string,
  flow: typeof verifyEmailsFlow | typeof provisionClusterFlow,
): Promise<WorkflowHandle> {
  const { db } = database;
  const resourceId = (last += 1);
  await db
    .insertInto('users')
    .values({ user_id: userId, email: `${resourceId}@example.test` })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const operation = await addOperation(db, flow, {
    userId,
    workflowId: `${flow.kind}/${resourceId}`,
    taskQueue: WORKFLOW_QUEUE,
    resourceId,
  });
  const logger = pino({ level: 'silent' });
  const config = { SHARDED_SESSIONS: true, ACCOUNT_RUNNING_JOBS: 10_000 };
  const needs = { temporal: temporal.client, db, logger, config };
  expect(await startOperation(needs, operation)).toBe(true);
  return temporal.client.workflow.getHandle(operation.workflow_id);
}

/** How many tasks wait for a worker. */
async function backlog(): Promise<number> {
  const { stats } = await temporal.client.workflowService.describeTaskQueue({
    namespace: 'default',
    taskQueue: { name: WORK_QUEUE },
    taskQueueType: 2,
    reportStats: true,
  });
  return Number(stats?.approximateBacklogCount ?? 0);
}

describe('an account with many jobs', () => {
  it('holds up nobody else, and none of its own that a person waits for', async () => {
    for (let batch = 0; batch < MANY; batch += 20) {
      await Promise.all(Array.from({ length: 20 }, () => order('ann', verifyEmailsFlow)));
    }
    await expect.poll(backlog, { timeout: 60_000 }).toBe(MANY);
    const bob = await order('bob', verifyEmailsFlow);
    const { runId: first } = await bob.describe();
    /** On a busy machine a run is continued late: until its step waits, nothing else is given out. */
    const untilContinued = async () => {
      for (;;) {
        const { runId, raw } = await bob.describe();
        if (runId !== first && raw.pendingActivities?.length === 1) return;
        await sleep(20);
      }
    };
    const work = async (whose: string) => {
      if (done.filter((one) => one === 'bob low').length === 1) await untilContinued();
      done.push(whose);
    };
    await order('ann', provisionClusterFlow);
    await expect.poll(backlog, { timeout: 60_000 }).toBe(MANY + 2);

    const worker = await Worker.create({
      connection: temporal.nativeConnection,
      taskQueue: WORK_QUEUE,
      activities: { work },
      maxConcurrentActivityTaskExecutions: 1,
    });
    await worker.runUntil(
      expect.poll(() => done.length, { timeout: 200_000 }).toBe(2 * (MANY + 1) + 1),
    );
    // Some tasks are under way early.
    const ahead = (whose: string) => done.indexOf(whose);
    expect(ahead('ann high')).toBeLessThan(MANY / 5);
    expect(ahead('bob low')).toBeLessThan(MANY / 5);
    // The run that continues another is the same account's.
    expect(done.lastIndexOf('bob low')).toBeLessThan(MANY / 2);
  }, 400_000);
});

describe('the key of an account', () => {
  it('fits into what Temporal takes', () => {
    const { fairnessKey } = priorityFor('low', 'ü'.repeat(100));
    expect(Buffer.byteLength(fairnessKey!)).toBeLessThanOrEqual(64);
    expect(fairnessKey).not.toBe(priorityFor('low', 'ü'.repeat(101)).fairnessKey);
    expect(priorityFor('high', 'ann')).toEqual({ priorityKey: 2, fairnessKey: 'ann' });
  });
});
