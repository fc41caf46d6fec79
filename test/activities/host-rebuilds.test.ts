/** What waits for a host that is made anew goes on once it is back. Choice 92. */
import { WorkflowNotFoundError } from '@temporalio/client';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createActivities } from '../../activities/index.ts';
import type { Context } from '../../src/context.ts';
import { getCluster } from '../../src/db/clusters/clusters.ts';
import { getServer } from '../../src/db/clusters/servers.ts';
import { rebuildServerFlow } from '../../src/domain/clusters/server-flows.ts';
import { createMailboxFlow } from '../../src/domain/mailboxes/flows.ts';
import { createMailbox } from '../../src/services/mailboxes/mailboxes.ts';
import { activeCluster } from '../support/provisioning/active-cluster.ts';
import { startOrderWorld, type OrderWorld } from '../support/provisioning/order-world.ts';
import { activityEnvironment } from '../support/workflows/activity-environment.ts';
import { addOperation } from '../support/workflows/operations.ts';

let world: OrderWorld;
let clusterId: number;
let serverId: number;
const told: unknown[] = [];
/** The workflow that Temporal does not know any more. */
let gone = '';
/** How many signals fail. */
let failing = 0;
let activities: ReturnType<typeof createActivities>;

beforeAll(async () => {
  world = await startOrderWorld(() => ({}));
  ({ clusterId } = await activeCluster(world, 'away.com'));
  serverId = (await getCluster(world.context.db, clusterId)).server_id!;
  const getHandle = (workflowId: string) => ({
    async signal(name: string, answer: { step: string; action: string }) {
      if (failing > 0) {
        failing -= 1;
        throw new Error('no answer');
      }
      if (workflowId === gone) throw new WorkflowNotFoundError('gone', workflowId, '');
      told.push([workflowId, name, answer.step, answer.action]);
    },
  });
  const temporal = { workflow: { getHandle } } as unknown as Context['temporal'];
  activities = createActivities({ ...world.context, temporal });
}, 180_000);
afterAll(() => world?.close());

let rebuilds = 0;
beforeEach(() => told.splice(0));

/** A rebuild that holds the host. */
async function held() {
  const { id: operationId } = await addOperation(world.context.db, rebuildServerFlow, {
    userId: 'ann',
    workflowId: `server-rebuild/${serverId}/${(rebuilds += 1)}`,
    resourceId: serverId,
  });
  const key = { operationId, serverId };
  await world.call('holdForRebuild', key);
  return key;
}

/** A new mailbox whose step is blocked: by what its activity says, or by other words. */
async function blocked(name: string, words?: string): Promise<string> {
  const { context } = world;
  const { mailbox } = await createMailbox(context, 'ann', {
    clusterId,
    email: `${name}@away.com`,
    password: undefined,
  });
  const operationId = mailbox.operation_id!;
  const failure = await world
    .call('createMailboxOnHost', { operationId, mailboxId: mailbox.id })
    .then(
      () => 'no failure',
      (error: Error) => error.message,
    );
  const workflowId = `${createMailboxFlow.kind}/${name}`;
  await sql`update operations set workflow_id = ${workflowId}, run_key = null, started_at = now(),
    blocked_at = now(), state = 'blocked', step = 'mailbox_create', error_code = 'NOT_READY_YET',
    error_message = ${words ?? failure} where id = ${operationId}`.execute(context.db);
  return workflowId;
}

const run = (name: 'releaseRebuild' | 'openRebuiltHost', key: object) =>
  activityEnvironment().run(activities[name] as (given: object) => Promise<void>, key);

describe('work on mailboxes that was blocked while their host was made anew', () => {
  it('is tried again when the host is free, and nothing else is', async () => {
    const key = await held();
    const waits = await blocked('waits');
    await blocked('other', 'the host refuses the login');
    gone = await blocked('gone');
    await run('releaseRebuild', key);
    expect(told).toEqual([[waits, 'resolveBlockedStep', 'mailbox_create', 'retry']]);
    const { rebuild_operation_id } = await getServer(world.context.db, serverId);
    expect(rebuild_operation_id).toBeNull();
  });

  it('is tried again by the next attempt where this one could not say so', async () => {
    const key = await held();
    const waits = await blocked('again');
    failing = 1;
    await expect(run('releaseRebuild', key)).rejects.toThrow('no answer');
    await run('openRebuiltHost', key);
    expect(told).toContainEqual([waits, 'resolveBlockedStep', 'mailbox_create', 'retry']);
  });

  it('still waits where another rebuild has the host', async () => {
    const former = await held();
    await run('releaseRebuild', former);
    await held();
    await blocked('later');
    told.splice(0);
    await run('releaseRebuild', former);
    await run('openRebuiltHost', former);
    expect(told).toEqual([]);
  });

  it('is tried again where the server is being deleted meanwhile: nothing is left to do on it', async () => {
    const { db } = world.context;
    const key = await held();
    const waits = await blocked('leaving');
    await sql`update servers set status = 'deleting' where id = ${serverId}`.execute(db);
    await run('openRebuiltHost', key);
    const itsRetry = [waits, 'resolveBlockedStep', 'mailbox_create', 'retry'];
    expect(told).toContainEqual(itsRetry);
    // Also where it was wiped, and the rebuild is given up: nobody will release it.
    told.splice(0);
    const wiped = (at: Date | null) =>
      sql`update server_rebuilds set wiped_at = ${at} where operation_id = ${key.operationId}`;
    await wiped(new Date()).execute(db);
    await run('releaseRebuild', key);
    expect(told).toContainEqual(itsRetry);
    await wiped(null).execute(db);
    await sql`update servers set status = 'active' where id = ${serverId}`.execute(db);
    await run('releaseRebuild', key);
  });
});
