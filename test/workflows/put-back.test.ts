/**
 * A Postgres that was put back behind Temporal, or a Temporal behind Postgres: nothing is bought twice, nothing of
 * a customer destroyed, nobody gets another one's. Real activities, the stand-ins, a real Temporal server.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { asFailure } from '../../activities/engine/failures.ts';
import { createActivities, type Activities } from '../../activities/index.ts';
import { getCluster } from '../../src/db/clusters/clusters.ts';
import { getOperation, type Operation } from '../../src/db/operations/operations.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { auditWallets } from '../../src/db/wallet/ledger-audit.ts';
import { createCluster } from '../../src/services/clusters/clusters.ts';
import { deleteCluster } from '../../src/services/clusters/cluster-deletion.ts';
import { resolveBlockedStepSignal } from '../../workflows/contracts/operator.ts';
import { takeSnapshot, type Snapshot } from '../support/database/put-back.ts';
import { activityEnvironment } from '../support/workflows/activity-environment.ts';
import {
  startProvisioningWorld,
  type ProvisioningWorld,
} from '../support/provisioning/provisioning-world.ts';
import { readVendorRecords } from '../support/provisioning/vendor-records.ts';

const FUNDS_CENTS = 10_000;
const LIMIT_MS = 200_000;
/** Several waits, on busy cores. */
const TEST_MS = 600_000;

let world: ProvisioningWorld;
/** Called before an activity of this name runs. */
const before = new Map<string, () => Promise<void>>();
let domains = 0;

beforeAll(async () => {
  world = await startProvisioningWorld({ wrap: watched });
}, 300_000);
afterEach(() => before.clear());
afterAll(() => world?.close());

function watched(activities: Activities): Activities {
  // oxlint-disable-next-line typescript/no-explicit-any -- activities have any one argument
  type Activity = (...input: any[]) => Promise<unknown>;
  const all = Object.entries<Activity>(activities).map(([name, activity]) => [
    name,
    async (...input: unknown[]) => {
      await before.get(name)?.();
      return activity(...input);
    },
  ]);
  return Object.fromEntries(all) as Activities;
}

/** Once, right before the activity: the rows as they are then. */
function snapshotBefore(name: string): { taken: Promise<Snapshot> } {
  const taken = new Promise<Snapshot>((resolve, reject) => {
    before.set(name, async () => {
      before.delete(name);
      await takeSnapshot(world.database.ownerUrl).then(resolve, reject);
    });
  });
  return { taken };
}

/** Holds an activity of this name back until `open` is called. */
function holdBefore(name: string) {
  let open = () => undefined as void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  const reached = new Promise<void>((resolve) => {
    before.set(name, async () => {
      resolve();
      await opened;
    });
  });
  return { reached, open };
}

async function order(userId: string) {
  const domain = `put-back-${(domains += 1)}.com`;
  const { id } = await createCluster(world.context, userId, { domain, useExistingVps: false });
  const operation = await operationOf(id);
  return { id, domain, operation, handle: handleOf(operation) };
}

const operationOf = async (clusterId: number): Promise<Operation> => {
  const { operation_id } = await getCluster(world.context.db, clusterId);
  return getOperation(world.context.db, operation_id!);
};

const handleOf = (operation: Operation) => {
  const { workflow_id, run_key } = operation;
  const id = run_key ? `${workflow_id}/${run_key}` : workflow_id;
  return world.context.temporal.workflow.getHandle(id);
};

/** What the reconciler does, for rows that nobody has looked at for long. */
async function reconcile(): Promise<void> {
  const long = sql<Date>`now() - interval '2 minutes'`;
  const { db } = world.context;
  await db
    .updateTable('operations')
    .set({ workflow_seen_at: long })
    .where('finished_at', 'is', null)
    .where('started_at', 'is not', null)
    .execute();
  await sql`update operations set created_at = now() - interval '2 minutes'
    where started_at is null and finished_at is null`.execute(db);
  const activities = createActivities(world.context);
  const environment = activityEnvironment();
  await environment.run(() => activities.startMissingWorkflows());
  await environment.run(() => activities.undoLostWorkflows());
}

/** The Schedule comes again and again: a start that Temporal has not answered in time is made by the next one. */
async function reconciledUntil<T>(wait: () => Promise<T>): Promise<T> {
  let isOver = false;
  const waiting = wait().finally(() => (isOver = true));
  while (!isOver) {
    await reconcile();
    await Promise.race([waiting, sleep(5_000)]);
  }
  return waiting;
}

async function until<T>(what: string, look: () => Promise<T | undefined | false>): Promise<T> {
  const deadline = Date.now() + LIMIT_MS;
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    if (Date.now() > deadline) throw new Error(`${what} did not come`);
    await sleep(100);
  }
}

const ended = async (clusterId: number) => {
  let seen = '';
  return until('the end', async () => {
    const operation = await operationOf(clusterId);
    const { id, state, step, message, error_message } = operation;
    seen = `operation ${id}: ${state} at ${step}: ${message} ${error_message ?? ''}`;
    return operation.finished_at !== null && operation;
  }).catch((error: Error) => {
    throw new Error(`${error.message}; ${seen}`);
  });
};

const blockedAt = (clusterId: number, step: string) =>
  until(`a block at ${step}`, async () => {
    const operation = await operationOf(clusterId);
    if (operation.finished_at) throw new Error(`it ended: ${operation.message}`);
    return operation.state === 'blocked' && operation.step === step && operation;
  });

const answer = (operation: Operation, action: 'adopt' | 'compensate') =>
  handleOf(operation).signal(resolveBlockedStepSignal, {
    step: operation.step!,
    action,
    actor: 'on-call',
    reason: 'looked at the vendor',
  });

/** Of one domain: how often it was bought, and the names of servers that are alive with its label. */
async function vendorsOf(domain: string) {
  const { orders, servers } = await readVendorRecords(world.sandbox);
  const rows = await world.context.db
    .selectFrom('servers')
    .select('intent_name')
    .where('host_name', '=', `mail.${domain}`)
    .execute();
  const known = new Set(rows.map(({ intent_name }) => intent_name));
  return {
    bought: orders.filter((one) => one.domain === domain && one.kind === 'register').length,
    alive: servers.filter(({ name }) => known.has(name)).length,
    servers: servers.map(({ name }) => name),
  };
}

/** The world gives it at the start; in production it is made for DNS, and so is lost with what came since. */
async function loseDkimKey(domain: string): Promise<void> {
  const lost = { dkim_selector: null, dkim_private_key: null, dkim_public_key: null };
  await world.context.db.updateTable('domains').set(lost).where('name', '=', domain).execute();
}

async function spent(userId: string): Promise<number> {
  const { available_cents, held_cents } = await world.context.db
    .selectFrom('wallets')
    .select(['available_cents', 'held_cents'])
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  expect(await auditWallets(world.context.db)).toEqual([]);
  expect(held_cents).toBe(0);
  return FUNDS_CENTS - available_cents;
}

describe('a Postgres that lies behind Temporal', { timeout: TEST_MS }, () => {
  it('by the last commit of a run that completed: the row is settled, and the server stays', async () => {
    const userId = await world.fundedUser(FUNDS_CENTS);
    const { taken } = snapshotBefore('finishOperation');
    const { id, domain, handle } = await order(userId);
    await handle.result();
    await (await taken).putBack();
    expect((await operationOf(id)).state).toBe('running');
    expect((await reconciledUntil(() => ended(id))).state).toBe('succeeded');
    expect((await getCluster(world.context.db, id)).status).toBe('active');
    expect(await vendorsOf(domain)).toMatchObject({ bought: 1, alive: 1 });
    expect(await spent(userId)).toBe(4_100);
  });

  it('by all that a completed run bought: a person decides, and nothing is bought twice', async () => {
    const userId = await world.fundedUser(FUNDS_CENTS);
    const { taken } = snapshotBefore('registerDomain');
    const { id, domain, handle } = await order(userId);
    await handle.result();
    const { servers } = await vendorsOf(domain);
    await (await taken).putBack();
    await answer(await reconciledUntil(() => blockedAt(id, 'domain_purchase')), 'adopt');
    const asked = await blockedAt(id, 'server_create');
    // Until somebody has said so the server is left alone, and no other one is ordered.
    expect((await vendorsOf(domain)).servers).toEqual(servers);
    await answer(asked, 'adopt');
    expect((await ended(id)).state).toBe('succeeded');
    const after = await vendorsOf(domain);
    expect([after.bought, after.alive, after.servers.length]).toEqual([1, 1, servers.length]);
    expect(await spent(userId)).toBe(4_100);
  });

  it('of an open run: it starts over from its rows', async () => {
    const userId = await world.fundedUser(FUNDS_CENTS);
    const gate = holdBefore('installMailHost');
    const { taken } = snapshotBefore('orderServer');
    const { id, domain } = await order(userId);
    await gate.reached;
    const { servers } = await vendorsOf(domain);
    await (await taken).putBack();
    await loseDkimKey(domain);
    gate.open();
    const asked = await blockedAt(id, 'server_create');
    expect((await vendorsOf(domain)).servers).toEqual(servers);
    await answer(asked, 'adopt');
    expect((await ended(id)).state).toBe('succeeded');
    expect(await vendorsOf(domain)).toMatchObject({ bought: 1, alive: 1 });
    expect(await spent(userId)).toBe(4_100);
  });

  it('by the block in which a run waits: the step is tried again, so that it is not forgotten', async () => {
    const userId = await world.fundedUser(FUNDS_CENTS);
    before.set('orderServer', async () => {
      throw asFailure(new ProviderError('auth', 'the token has expired', { provider: 'hetzner' }));
    });
    const { taken } = snapshotBefore('recordBlocked');
    const { id, domain } = await order(userId);
    await blockedAt(id, 'server_create');
    await (await taken).putBack();
    expect(await operationOf(id)).toMatchObject({ state: 'running', blocked_at: null });
    before.clear();
    expect((await reconciledUntil(() => ended(id))).state).toBe('succeeded');
    expect(await vendorsOf(domain)).toMatchObject({ bought: 1, alive: 1 });
    expect(await spent(userId)).toBe(4_100);
  });

  it('and hands ids out again: a run whose row is lost touches nothing of their new owner', async () => {
    const ann = await world.fundedUser(FUNDS_CENTS);
    const bob = await world.fundedUser(FUNDS_CENTS);
    const snapshot = await takeSnapshot(world.database.ownerUrl);
    const gate = holdBefore('installMailHost');
    const lost = await order(ann);
    await gate.reached;
    const { servers } = await vendorsOf(lost.domain);
    await snapshot.putBack();
    const own = await order(bob);
    expect([own.id, own.operation.id]).toEqual([lost.id, lost.operation.id]);
    gate.open();
    await expect(lost.handle.result()).rejects.toMatchObject({ cause: { type: 'RowLost' } });
    expect((await ended(own.id)).state).toBe('succeeded');
    expect(await spent(bob)).toBe(4_100);
    expect(await spent(ann)).toBe(0);
    expect(await vendorsOf(own.domain)).toMatchObject({ bought: 1, alive: 1 });
    // What the lost order bought is there for a person.
    const left = (await vendorsOf(lost.domain)).servers;
    expect(servers.filter((name) => !left.includes(name))).toEqual([]);
    const findings = await world.context.db.selectFrom('findings').selectAll().execute();
    expect(findings).toMatchObject([{ kind: 'lost_row', state: 'open' }]);
  });
});

describe('a Temporal that lies behind Postgres', { timeout: TEST_MS }, () => {
  it('does not know an open run: it goes on from its rows', async () => {
    const userId = await world.fundedUser(FUNDS_CENTS);
    const gate = holdBefore('installMailHost');
    const { id, domain, operation } = await order(userId);
    await gate.reached;
    const { workflow_id, run_key } = operation;
    const { workflowService } = world.temporal.connection;
    await workflowService.deleteWorkflowExecution({
      namespace: 'default',
      workflowExecution: { workflowId: run_key ? `${workflow_id}/${run_key}` : workflow_id },
    });
    before.clear();
    gate.open();
    await until('the loss', async () =>
      handleOf(operation)
        .describe()
        .then(
          () => false,
          () => true,
        ),
    );
    expect((await reconciledUntil(() => ended(id))).state).toBe('succeeded');
    expect(await vendorsOf(domain)).toMatchObject({ bought: 1, alive: 1 });
    expect(await spent(userId)).toBe(4_100);
  });

  it('repeats a run that is over: it ends, though what it made was deleted since', async () => {
    const userId = await world.fundedUser(FUNDS_CENTS);
    const { id, domain, operation, handle } = await order(userId);
    await handle.result();
    await deleteCluster(world.context, userId, id);
    await ended(id);
    const { servers } = await vendorsOf(domain);
    const { workflow_id, run_key, kind, task_queue, input } = operation;
    const resource = `cluster/${id}`;
    const again = await world.context.temporal.workflow.start(kind, {
      workflowId: run_key ? `${workflow_id}/${run_key}` : workflow_id,
      taskQueue: task_queue,
      args: [{ ...input, operationId: operation.id, userId, resource }],
    });
    await expect(again.result()).rejects.toMatchObject({ cause: { type: 'RunOver' } });
    expect(await vendorsOf(domain)).toEqual({ bought: 1, alive: 0, servers });
    expect((await getCluster(world.context.db, id)).status).toBe('deleted');
    expect(await spent(userId)).toBe(4_100);
  });
});
