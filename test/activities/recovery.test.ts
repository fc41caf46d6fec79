/** No row stays without a workflow: against Postgres and a real Temporal server, no worker needed. */
import type { Config } from '../../src/config.ts';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { ServiceError } from '@temporalio/client';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operationActivities } from '../../activities/operations/operations.ts';
import { recoveryActivities } from '../../activities/operations/recovery.ts';
import type { Operation } from '../../src/db/operations/operations.ts';
import { runCampaignFlow } from '../../src/domain/campaigns/flows.ts';
import { discoverLeadsFlow } from '../../src/domain/discovery/flows.ts';
import { createMailboxFlow, deleteMailboxFlow } from '../../src/domain/mailboxes/flows.ts';
import type { Flow } from '../../src/domain/operations/flows.ts';
import { startOperation } from '../../src/temporal/start-operation.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { addMailbox } from '../support/inbox/inbox-messages.ts';
import { addServer } from '../support/provisioning/servers.ts';
import { addOperation } from '../support/workflows/operations.ts';
import { startTemporal } from '../support/workflows/temporal.ts';

let database: TestDatabase;
let temporal: TestWorkflowEnvironment;

beforeAll(async () => {
  [database, temporal] = await Promise.all([createTestDatabase(), startTemporal()]);
  await sql`insert into users (user_id, email) values ('u', 'u@example.test')`.execute(database.db);
});
afterAll(async () => {
  await temporal.teardown();
  await database.close();
});

function context() {
  const { db } = database;
  const logger = pino({ level: 'silent' });
  const { client } = temporal;
  const start = (operation: Operation, again?: { undoOnly?: boolean; restart?: boolean }) =>
    startOperation(
      {
        temporal: client,
        db,
        logger,
        config: { SHARDED_SESSIONS: true, ACCOUNT_RUNNING_JOBS: 10 },
      },
      operation,
      again,
    );
  return {
    db,
    logger,
    temporal: client,
    clock: { now: () => new Date() },
    config: {
      RETRY_PACE: 1,
      HEARTBEAT_TIMEOUT_SECONDS: 30,
      BLOCKED_STEP_TIMEOUT_SECONDS: 60,
    } as Config,
    payments: undefined,
    startOperation: start,
    keepSchedule: async () => 'kept' as const,
  };
}

const recovery = () => recoveryActivities(context());

/** An operation that asked for its workflow two minutes ago. */
async function anOperation(
  workflowId: string,
  started: boolean,
  flow: Flow = createMailboxFlow,
): Promise<Operation> {
  const operation = await addOperation(database.db, flow, {
    userId: 'u',
    workflowId,
    summary: 'Make ada@acme.test',
    input: { mailboxId: 1, email: 'ada@acme.test' },
    resourceId: 1,
  });
  await sql`update operations set created_at = now() - interval '2 minutes',
    started_at = ${started ? sql`now() - interval '2 minutes'` : sql`null`}
    where id = ${operation.id}`.execute(database.db);
  return operation;
}

const isUndoOnly = async (workflowId: string) => {
  const { events } = await temporal.client.workflow.getHandle(workflowId).fetchHistory();
  const input = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads?.[0]?.data;
  return (JSON.parse(Buffer.from(input!).toString()) as { undoOnly?: boolean }).undoOnly ?? false;
};

const eventsOf = async ({ id }: Operation) => {
  const rows = await database.db
    .selectFrom('operation_events')
    .select('kind')
    .where('operation_id', '=', id)
    .orderBy('id')
    .execute();
  return rows.map(({ kind }) => kind);
};

describe('an unfinished operation', () => {
  it('that was never started is started once', async () => {
    const operation = await anOperation('mailbox/1', false);
    expect(await recovery().startMissingWorkflows()).toEqual({ started: 1 });
    expect(await recovery().startMissingWorkflows()).toEqual({ started: 0 });
    expect(await isUndoOnly(operation.workflow_id)).toBe(false);
  });

  it('that cannot be looked after holds up no other; a Temporal that is away does', async () => {
    const broken = await anOperation('mailbox/101', true);
    const lost = await anOperation('mailbox/102', true);
    const real = context();
    const failing = (error: Error) => {
      const getHandle = (workflowId: string) =>
        workflowId === broken.workflow_id
          ? { describe: () => Promise.reject(error) }
          : real.temporal.workflow.getHandle(workflowId);
      const temporal = { workflow: { getHandle } } as unknown as typeof real.temporal;
      return recoveryActivities({ ...real, temporal });
    };
    await expect(failing(new ServiceError('it is away')).undoLostWorkflows()).rejects.toThrow(
      'it is away',
    );
    expect(await failing(new Error('no key opens it')).undoLostWorkflows()).toEqual({ undone: 1 });
    expect(await eventsOf(lost)).toContain('recovered');
    expect(await eventsOf(broken)).not.toContain('recovered');
    await sql`update operations set finished_at = now() where id in (${broken.id}, ${lost.id})`.execute(
      database.db,
    );
  });

  it('whose run was terminated is undone by a new one; one that is unknown to Temporal goes on', async () => {
    const terminated = await anOperation('mailbox/2', true);
    const lost = await anOperation('mailbox/3', true);
    const { client } = temporal;
    const logger = pino({ level: 'silent' });
    await startOperation(
      {
        temporal: client,
        db: database.db,
        logger,
        config: { SHARDED_SESSIONS: true, ACCOUNT_RUNNING_JOBS: 10 },
      },
      terminated,
    );
    await client.workflow.getHandle('mailbox/2').terminate('by mistake');

    expect(await recovery().undoLostWorkflows()).toEqual({ undone: 2 });
    expect(await isUndoOnly('mailbox/2')).toBe(true);
    expect(await isUndoOnly('mailbox/3')).toBe(false);
    expect(await eventsOf(lost)).toEqual(['requested', 'recovered']);
    // They are open now, and were looked for a moment ago.
    expect(await recovery().undoLostWorkflows()).toEqual({ undone: 0 });
  });

  it('of a flow that only a newer build knows is never undone, and holds up no other', async () => {
    const newer = await anOperation('newer/1', true);
    const { db } = database;
    await db
      .updateTable('operations')
      .set({ kind: 'flowOfANewerBuild' })
      .where('id', '=', newer.id)
      .execute();
    await context().startOperation({ ...newer, kind: 'flowOfANewerBuild' });
    await temporal.client.workflow.getHandle('newer/1').terminate('by mistake');
    await sql`update operations set started_at = now() - interval '3 minutes'
      where id = ${newer.id}`.execute(db);
    const known = await anOperation('mailbox/31', true);

    expect(await recovery().undoLostWorkflows()).toEqual({ undone: 1 });
    expect(await eventsOf(newer)).toEqual(['requested']);
    const { status } = await temporal.client.workflow.getHandle('newer/1').describe();
    expect(status.name).toBe('TERMINATED');
    expect(await eventsOf(known)).toEqual(['requested', 'recovered']);
  });

  it('whose run was lost goes on from its rows', async () => {
    const deletion = await anOperation('mailbox-delete/5', true, deleteMailboxFlow);
    const campaign = await anOperation('campaign/5', true, runCampaignFlow);
    const discovery = await anOperation('discovery/5', true, discoverLeadsFlow);
    expect(await recovery().undoLostWorkflows()).toEqual({ undone: 3 });
    const isUndone = async ({ workflow_id: id }: Operation) => isUndoOnly(id);
    expect(await isUndone(deletion)).toBe(false);
    expect(await isUndone(campaign)).toBe(false);
    expect(await isUndone(discovery)).toBe(false);
  });

  it('that runs is left alone', async () => {
    const running = await anOperation('mailbox/4', false);
    const logger = pino({ level: 'silent' });
    await startOperation(
      {
        temporal: temporal.client,
        db: database.db,
        logger,
        config: { SHARDED_SESSIONS: true, ACCOUNT_RUNNING_JOBS: 10 },
      },
      running,
    );
    await sql`update operations set started_at = now() - interval '2 minutes'
      where id = ${running.id}`.execute(database.db);
    expect(await recovery().undoLostWorkflows()).toEqual({ undone: 0 });
    expect(await eventsOf(running)).toEqual(['requested']);
  });
});

describe('a step that is blocked because its host is made anew', () => {
  const words = 'mail.back.test is being made anew';

  /** What the run is told at the next look. */
  async function toldOf(workflowId: string, message: string): Promise<unknown[]> {
    const { db } = database;
    const { id } = await anOperation(workflowId, true);
    await sql`update operations set blocked_at = now(), error_message = ${message} where id = ${id}`.execute(
      db,
    );
    const told: unknown[] = [];
    const run = {
      describe: async () => ({
        status: { name: 'RUNNING' },
        searchAttributes: { OpsState: ['Blocked'], OpsStep: ['mailbox_create'] },
        raw: {},
      }),
      signal: async (name: string, { action }: { action: string }) => told.push([name, action]),
    };
    const real = context();
    const workflow = { getHandle: () => run };
    const client = { workflow } as unknown as typeof real.temporal;
    await recoveryActivities({ ...real, temporal: client }).undoLostWorkflows();
    await sql`update operations set finished_at = now() where id = ${id}`.execute(db);
    return told;
  }

  it('is tried again once the host is back, also where the block was written after that', async () => {
    const { db } = database;
    expect(await toldOf('mailbox/201', words)).toEqual([['resolveBlockedStep', 'retry']]);
    await addServer(db, { user_id: 'u', host_name: 'mail.back.test', status: 'active' });
    await sql`update servers set rebuild_operation_id = (select max(id) from operations)`.execute(
      db,
    );
    expect(await toldOf('mailbox/202', words)).toEqual([]);
    await sql`update servers set rebuild_operation_id = null`.execute(db);
    expect(await toldOf('mailbox/203', 'the host refuses the login')).toEqual([]);
  });
});

describe('a cluster with a mailbox', () => {
  it('has its inbox read: once, and anew when that has ended while the cluster lives', async () => {
    const { db } = database;
    const { mailboxId } = await addMailbox(db, 'u');
    const made = await anOperation('mailbox/9', true);
    await sql`update operations set finished_at = now(), input = '{"pace": {"retryPace": 1}}'
      where id = ${made.id}`.execute(db);
    await db
      .updateTable('mailboxes')
      .set({ operation_id: made.id })
      .where('id', '=', mailboxId)
      .execute();
    await recovery().startMissingWorkflows();
    await recovery().startMissingWorkflows();
    const syncs = () =>
      db
        .selectFrom('operations')
        .selectAll()
        .where('resource_type', '=', 'inbox_sync')
        .orderBy('id')
        .execute();
    const [first, ...others] = await syncs();
    expect(others).toEqual([]);
    expect(first).toMatchObject({ kind: 'syncInbox', workflow_id: `inbox/${first!.resource_id}` });
    expect(first!.started_at).not.toBeNull();
    await sql`update operations set finished_at = now() where id = ${first!.id}`.execute(db);
    await recovery().startMissingWorkflows();
    expect((await syncs())[1]).toMatchObject({ workflow_id: `inbox/${first!.resource_id}/2` });
  });

  it('is read as soon as the mailbox is made, by whoever comes first', async () => {
    const { db } = database;
    const { mailboxId } = await addMailbox(db, 'u');
    const made = await anOperation('mailbox/10', true);
    await sql`update operations set input = '{"pace": {"retryPace": 1}}', resource_id = ${mailboxId}
      where id = ${made.id}`.execute(db);
    await db
      .updateTable('mailboxes')
      .set({ operation_id: made.id })
      .where('id', '=', mailboxId)
      .execute();
    const finished = { operationId: made.id, outcome: 'succeeded' as const, steps: [] };
    await Promise.all([
      operationActivities(context()).finishOperation(finished),
      recovery().startMissingWorkflows(),
      recovery().startMissingWorkflows(),
    ]);
    const { cluster_id: clusterId } = await db
      .selectFrom('mailboxes')
      .select('cluster_id')
      .where('id', '=', mailboxId)
      .executeTakeFirstOrThrow();
    const syncs = await db
      .selectFrom('operations')
      .select(['workflow_id', 'started_at'])
      .where('resource_type', '=', 'inbox_sync')
      .where('resource_id', '=', clusterId)
      .execute();
    expect(syncs).toMatchObject([{ workflow_id: `inbox/${clusterId}` }]);
    expect(syncs[0]!.started_at).not.toBeNull();
  });
});
