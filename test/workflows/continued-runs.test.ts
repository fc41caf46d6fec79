/**
 * What an operator reads of a job in Temporal's UI after it has continued as new: with a real Temporal, which carries
 * over neither the summary nor the details of the run before.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { bundleWorkflowCode, DefaultLogger, Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operation } from '../../src/db/operations/operations.ts';
import { verifyEmailsFlow } from '../../src/domain/email-validation/flows.ts';
import { ACTIVITY_QUEUE, WORKFLOW_QUEUE } from '../../src/domain/operations/queues.ts';
import { startOperation } from '../../src/temporal/start-operation.ts';
import { pauseJobSignal, resumeJobSignal } from '../../workflows/contracts/job.ts';
import { opsState, opsStep } from '../../workflows/contracts/search-attributes.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { fakeActivities, type Played, type Script } from '../support/workflows/fake-activities.ts';
import { addOperation } from '../support/workflows/operations.ts';
import { startTemporal } from '../support/workflows/temporal.ts';
import { currentDetails, pace } from '../support/workflows/workflow-stage.ts';

const REQUEST_ID = 'request-7';
const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
/** So many pages are more than one run's history holds. */
const PAGES = 240;
/** They take half a minute, and more of it on a busy machine. */
const LIMIT_MS = 240_000;
const TEST_MS = 300_000;
const page = (isDone: boolean) => ({ state: 'active', isDone, progress: '40 of 200' });

let temporal: TestWorkflowEnvironment;
let database: TestDatabase;
let workers: Worker[];
let ended: Promise<unknown>;
const played = new Map<number, Played>();
let last = 0;

beforeAll(async () => {
  [temporal, database] = await Promise.all([startTemporal(), createTestDatabase()]);
  await database.db.insertInto('users').values({ user_id: 'user-1', email: 'a@x.test' }).execute();
  const workflowsPath = fileURLToPath(new URL('../support/job-workflows', import.meta.url));
  const logger = new DefaultLogger('ERROR');
  const workflowBundle = await bundleWorkflowCode({ workflowsPath, logger });
  const shared = { connection: temporal.nativeConnection, activities: fakeActivities(played) };
  workers = await Promise.all([
    Worker.create({ ...shared, taskQueue: WORKFLOW_QUEUE, workflowBundle }),
    Worker.create({ ...shared, taskQueue: ACTIVITY_QUEUE }),
  ]);
  ended = Promise.all(workers.map((worker) => worker.run()));
}, 180_000);
afterAll(async () => {
  for (const worker of workers ?? []) worker.shutdown();
  await ended;
  await database?.close();
  await temporal?.teardown();
});

/** Started as an operation is: by its row. */
async function start(script: Script) {
  const { db } = database;
  const resourceId = (last += 1);
  const flow = { ...verifyEmailsFlow, kind: 'threeSteps' } as unknown as typeof verifyEmailsFlow;
  const row = await addOperation(db, flow, {
    userId: 'user-1',
    workflowId: `three-steps/${resourceId}`,
    taskQueue: WORKFLOW_QUEUE,
    summary: `Validate addresses of list ${resourceId}`,
    resourceId,
    input: { pace },
  });
  const operation: Operation = {
    ...row,
    request_id: REQUEST_ID,
    trace_parent: `00-${TRACE_ID}-b7ad6b7169203331-01`,
  };
  const one: Played = { script, calls: [], records: [] };
  played.set(operation.id, one);
  const config = { SHARDED_SESSIONS: true, ACCOUNT_RUNNING_JOBS: 1_000 };
  const logger = pino({ level: 'silent' });
  const isStarted = await startOperation(
    { db, temporal: temporal.client, logger, config },
    operation,
  );
  expect(isStarted).toBe(true);
  const handle = temporal.client.workflow.getHandle(operation.workflow_id);
  const { runId } = await handle.describe();
  const until = async (what: string, isSo: () => boolean | Promise<boolean>) => {
    const deadline = performance.now() + LIMIT_MS;
    while (!(await isSo())) {
      if (performance.now() > deadline) {
        throw new Error(`never: ${what}; calls: ${one.calls.length}`);
      }
      await sleep(10);
    }
  };
  const isContinued = async () => (await handle.describe()).runId !== runId;
  return { handle, one, until, isContinued, summary: operation.summary };
}

/** A page that ends when the test says so. */
function gate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open: () => open(), opened };
}

describe('a job that has continued as new', () => {
  it(
    'says what it is, for whom, by which request and trace, and what it does',
    async () => {
      const { open, opened } = gate();
      const job = await start({
        first: async (call) => {
          if (call === PAGES) await opened;
          return page(call === PAGES);
        },
      });
      await job.until('the last page', () => job.one.calls.length === PAGES);
      expect(await job.isContinued()).toBe(true);
      const shown = await currentDetails(job.handle);
      for (const words of [job.summary, 'user-1', REQUEST_ID, TRACE_ID]) {
        expect(shown).toContain(words);
      }
      expect(shown).toContain('`first`: under way since');
      expect(shown).toContain('40 of 200');
      open();
      await job.handle.result();
      expect(await currentDetails(job.handle)).toContain('Done');
    },
    TEST_MS,
  );

  it(
    'says so in its first run as well, from its first moment',
    async () => {
      const { open, opened } = gate();
      const job = await start({ first: async () => (await opened, page(true)) });
      await job.until('the first page', () => job.one.calls.length === 1);
      const shown = await currentDetails(job.handle);
      expect(shown).toContain(`**${job.summary}** for user-1`);
      expect(shown).toContain('`first`: under way since');
      open();
      await job.handle.result();
    },
    TEST_MS,
  );

  it(
    'still tells its step, and who paused it and why, where it was paused then',
    async () => {
      const words = { actor: 'user:1', reason: 'the budget is used up' };
      const { open, opened } = gate();
      const job = await start({
        first: (call) => page(call >= PAGES - 90),
        second: async () => (await opened, page(false)),
      });
      await job.until('the second step', () => job.one.calls.includes('second'));
      await job.handle.signal(pauseJobSignal, words);
      open();
      const isPaused = async () =>
        (await job.handle.describe()).typedSearchAttributes.get(opsState) === 'Paused';
      await job.until('a pause', isPaused);
      // Each request makes its history a few events longer.
      while (!(await job.isContinued())) {
        const asked = job.one.records.length;
        await job.handle.signal(pauseJobSignal, { actor: 'user:2', reason: 'asked again' });
        await job.until('an answer', () => job.one.records.length > asked);
      }
      await job.until('details', async () => (await currentDetails(job.handle)).includes('Paused'));
      const shown = await currentDetails(job.handle);
      expect(shown).toContain('Paused by user:1');
      expect(shown).toContain('the budget is used up');
      expect(shown).toContain(job.summary);
      const { typedSearchAttributes: attributes } = await job.handle.describe();
      expect([attributes.get(opsState), attributes.get(opsStep)]).toEqual(['Paused', 'second']);
      job.one.script = {};
      await job.handle.signal(resumeJobSignal, words);
      await job.handle.result();
    },
    TEST_MS,
  );
});
