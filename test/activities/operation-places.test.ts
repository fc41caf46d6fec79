/** Jobs wait for a place of their account: against Postgres and a real Temporal server, no worker needed. Choice 125. */
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Config } from '../../src/config.ts';
import { jobActivities } from '../../activities/engine/jobs.ts';
import { operationActivities } from '../../activities/operations/operations.ts';
import { recoveryActivities } from '../../activities/operations/recovery.ts';
import { listWaitingAccounts, takeNextPlace } from '../../src/db/operations/operation-places.ts';
import { readOperatorNumbers } from '../../src/db/operations/operator-metrics.ts';
import {
  getOperation,
  insertOperation,
  type Operation,
} from '../../src/db/operations/operations.ts';
import { discoverLeadsFlow } from '../../src/domain/discovery/flows.ts';
import { createMailboxFlow } from '../../src/domain/mailboxes/flows.ts';
import { tellJob } from '../../src/services/operations/jobs.ts';
import { startOperation } from '../../src/temporal/start-operation.ts';
import { traced } from '../../src/tracing/spans.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { recordSpans } from '../support/tracing/recorded-spans.ts';
import { addOperation } from '../support/workflows/operations.ts';
import { startTemporal } from '../support/workflows/temporal.ts';

const PLACES = 2;
const logger = pino({ level: 'silent' });

let database: TestDatabase;
let temporal: TestWorkflowEnvironment;
let userId: string;
let last = 0;

beforeAll(async () => {
  [database, temporal] = await Promise.all([createTestDatabase(), startTemporal()]);
});
afterAll(async () => {
  await temporal.teardown();
  await database.close();
});
beforeEach(async () => {
  userId = await newUser();
});

async function newUser(): Promise<string> {
  const id = `u${(last += 1)}`;
  await sql`insert into users (user_id, email) values (${id}, ${`${id}@example.test`})`.execute(
    database.db,
  );
  return id;
}

function context() {
  const { db } = database;
  const { client } = temporal;
  const config = {
    ACCOUNT_RUNNING_JOBS: PLACES,
    SHARDED_SESSIONS: true,
    RETRY_PACE: 1,
    HEARTBEAT_TIMEOUT_SECONDS: 30,
    BLOCKED_STEP_TIMEOUT_SECONDS: 60,
  } as Config;
  const start = (operation: Operation) =>
    startOperation({ temporal: client, db, logger, config }, operation);
  return {
    db,
    logger,
    config,
    temporal: client,
    clock: { now: () => new Date() },
    payments: undefined,
    startOperation: start,
    keepSchedule: async () => 'kept' as const,
  };
}

/** A discovery and its intent, as its route writes them. */
const order = (of: string = userId): Promise<Operation> =>
  database.db.transaction().execute(async (trx) => {
    const { id: listId } = await trx
      .insertInto('lead_lists')
      .values({ user_id: of, name: `List ${(last += 1)}` })
      .returning('id')
      .executeTakeFirstOrThrow();
    const { id: processId } = await trx
      .insertInto('lead_processes')
      .values({
        user_id: of,
        lead_list_id: listId,
        search_term: 'shoes',
        lead_count: 5,
        countries: ['DE'],
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const pace = { retryPace: 1, heartbeatSeconds: 30, blockedTimeoutSeconds: 60 };
    return insertOperation(
      trx,
      discoverLeadsFlow,
      { processId, pace },
      { userId: of, summary: '', requested: { actor: `user:${of}`, reason: 'created' } },
    );
  });

async function orderAndStart(count: number, of?: string): Promise<Operation[]> {
  const operations: Operation[] = [];
  for (let n = 0; n < count; n += 1) operations.push(await order(of));
  for (const operation of operations) expect(await context().startOperation(operation)).toBe(true);
  return operations;
}

/** Which of these have a workflow, in their order. */
async function begun(operations: readonly Operation[]): Promise<boolean[]> {
  const rows = await Promise.all(operations.map(({ id }) => getOperation(database.db, id)));
  return rows.map(({ started_at }) => started_at !== null);
}

const finish = (operationId: number) =>
  operationActivities(context()).finishOperation({ operationId, outcome: 'succeeded', steps: [] });

it('starts as many jobs of an account as may run, and the oldest that waits when one has ended', async () => {
  const jobs = await orderAndStart(4);
  expect(await begun(jobs)).toEqual([true, true, false, false]);
  expect((await getOperation(database.db, jobs[3]!.id)).message).toBe(
    'Waits until fewer jobs of this account run.',
  );
  await finish(jobs[1]!.id);
  expect(await begun(jobs)).toEqual([true, true, true, false]);
  await finish(jobs[1]!.id);
  expect(await begun(jobs)).toEqual([true, true, true, false]);
  await finish(jobs[0]!.id);
  await finish(jobs[2]!.id);
  expect(await begun(jobs)).toEqual([true, true, true, true]);
  expect((await getOperation(database.db, jobs[3]!.id)).message).toBe('');
});

it('lets no account wait for another, and what a person waits for needs no place', async () => {
  await orderAndStart(3);
  const other = await newUser();
  expect(await begun(await orderAndStart(1, other))).toEqual([true]);
  const mailbox = await addOperation(database.db, createMailboxFlow, {
    userId,
    workflowId: `mailbox/${(last += 1)}`,
    input: { mailboxId: 1, email: 'ada@acme.test' },
    resourceId: 1,
  });
  await context().startOperation(mailbox);
  expect(await begun([mailbox])).toEqual([true]);
});

it('never runs more at once, however many are ordered in one moment', async () => {
  const jobs: Operation[] = [];
  for (let n = 0; n < 12; n += 1) jobs.push(await order());
  await Promise.all(jobs.map((job) => context().startOperation(job)));
  expect((await begun(jobs)).filter(Boolean)).toHaveLength(PLACES);
});

it('gives the place of a job that is paused or blocked to another, and takes none away', async () => {
  const jobs = await orderAndStart(5);
  const [first, second] = jobs as [Operation, Operation];
  const jobsOf = jobActivities(context());
  const asked = { operationId: first.id, actor: 'user', reason: '' };
  expect(await jobsOf.applyJobRequest({ ...asked, request: 'pause' })).toEqual({ state: 'paused' });
  expect(await begun(jobs)).toEqual([true, true, true, false, false]);
  await operationActivities(context()).recordBlocked({
    operationId: second.id,
    number: 1,
    steps: [],
    isUndo: false,
    blocked: {
      step: 'search_ads',
      token: 't',
      actions: ['retry'],
      error: { type: 'ProviderAuth', code: 'UPSTREAM', message: 'refused', hint: '' },
    },
  });
  expect(await begun(jobs)).toEqual([true, true, true, true, false]);
  // Both go on beside those that have begun meanwhile: until two of them have ended nothing else begins.
  await jobsOf.applyJobRequest({ ...asked, request: 'resume' });
  await sql`update operations set blocked_at = null where id = ${second.id}`.execute(database.db);
  await finish(jobs[2]!.id);
  await finish(jobs[3]!.id);
  expect(await begun(jobs)).toEqual([true, true, true, true, false]);
  await finish(first.id);
  expect(await begun(jobs)).toEqual([true, true, true, true, true]);
});

it('lets a job that is paused while it waits give way, and takes it back when it is to go on', async () => {
  const { db } = database;
  const jobs = await orderAndStart(4);
  const tell = (job: Operation, request: 'pause' | 'resume' | 'cancel') =>
    db.transaction().execute((trx) => tellJob(context(), trx, job, request));
  await tell(jobs[2]!, 'pause');
  await finish(jobs[0]!.id);
  expect(await begun(jobs)).toEqual([true, true, false, true]);
  await tell(jobs[2]!, 'resume');
  await finish(jobs[1]!.id);
  expect(await begun(jobs)).toEqual([true, true, true, true]);
});

it('starts none that was paused while it waited, so that a pause is no way past the limit', async () => {
  const { db } = database;
  const before = await readOperatorNumbers(db);
  const jobs = await orderAndStart(PLACES + 3);
  const tell = (job: Operation, request: 'pause' | 'resume') =>
    db.transaction().execute((trx) => tellJob(context(), trx, job, request));
  const waiting = jobs.slice(PLACES);
  for (const job of waiting) await tell(job, 'pause');
  await sql`update operations set created_at = now() - interval '1 hour'
    where user_id = ${userId}`.execute(db);
  await recoveryActivities(context()).startMissingWorkflows();
  expect(await begun(waiting)).toEqual([false, false, false]);
  expect((await readOperatorNumbers(db)).rowsWithoutWorkflow).toBe(before.rowsWithoutWorkflow);
  for (const job of waiting) await tell(job, 'resume');
  await recoveryActivities(context()).startMissingWorkflows();
  expect(await begun(jobs)).toEqual([true, true, false, false, false]);
  await finish(jobs[0]!.id);
  expect(await begun(jobs)).toEqual([true, true, true, false, false]);
});

it('is no part of the trace of the job that has made room for it', async () => {
  const jobs = await orderAndStart(PLACES + 1);
  const recording = await recordSpans();
  await traced('RunActivity:finishOperation', { parent: 'root' }, () => finish(jobs[0]!.id));
  const spans = await recording.stop();
  const ended = spans.find(({ name }) => name === 'RunActivity:finishOperation')!;
  const started = spans.find(({ name }) => name === 'StartWorkflow:discoverLeads')!;
  expect(started).toMatchObject({ parentId: undefined, links: [ended.traceId] });
  expect(started.traceId).not.toBe(ended.traceId);
});

it('ends a job at once that is cancelled while it waits', async () => {
  const { db } = database;
  const jobs = await orderAndStart(3);
  await db.transaction().execute((trx) => tellJob(context(), trx, jobs[2]!, 'cancel'));
  const ended = await getOperation(db, jobs[2]!.id);
  expect(ended).toMatchObject({ state: 'failed', error_code: 'CANCELLED', started_at: null });
  expect(ended.finished_at).toBeInstanceOf(Date);
  await finish(jobs[0]!.id);
  expect(await begun(jobs)).toEqual([true, true, false]);
});

it('looks for accounts that have places left among those that have none', async () => {
  const { db } = database;
  await orderAndStart(3);
  const full = userId;
  userId = await newUser();
  const jobs = await orderAndStart(4);
  await sql`update operations set finished_at = now(), state = 'succeeded'
    where id = ${jobs[0]!.id}`.execute(db);
  const found = await listWaitingAccounts(db, { places: PLACES, limit: 200 });
  expect(found).toContain(userId);
  expect(found).not.toContain(full);
});

it('forgets no job when a process dies after it has taken the place, or has ended the one before', async () => {
  const jobs = await orderAndStart(4);
  const { db } = database;
  await sql`update operations set created_at = now() - interval '1 minute'
    where user_id = ${userId}`.execute(db);
  // Ended, and the process died before it handed the places on; one place was taken, and nothing started.
  for (const { id } of jobs.slice(0, 2)) {
    await sql`update operations set finished_at = now(), state = 'succeeded' where id = ${id}`.execute(
      db,
    );
  }
  expect((await takeNextPlace(db, userId, PLACES))?.id).toBe(jobs[2]!.id);
  await recoveryActivities(context()).startMissingWorkflows();
  expect(await begun(jobs)).toEqual([true, true, true, true]);
});

it('reports jobs that wait apart from rows that nothing runs', async () => {
  const before = await readOperatorNumbers(database.db);
  await orderAndStart(5);
  await sql`update operations set created_at = now() - interval '1 hour'
    where user_id = ${userId}`.execute(database.db);
  await recoveryActivities(context()).startMissingWorkflows();
  const now = await readOperatorNumbers(database.db);
  expect(now.jobsWaiting - before.jobsWaiting).toBe(3);
  expect(now.rowsWithoutWorkflow).toBe(before.rowsWithoutWorkflow);
});
