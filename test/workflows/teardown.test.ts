/** Clusters and mailboxes taken down, with the real activities, the vendors' stand-ins and Temporal. */
import { workflowIdOf } from '../../src/domain/operations/run-keys.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serverAccess } from '../../activities/engine/access.ts';
import { createActivities } from '../../activities/index.ts';
import { getCluster } from '../../src/db/clusters/clusters.ts';
import { auditWallets } from '../../src/db/wallet/ledger-audit.ts';
import { getMailbox } from '../../src/db/mailboxes/mailboxes.ts';
import { getOperation } from '../../src/db/operations/operations.ts';
import { getServer } from '../../src/db/clusters/servers.ts';
import { checkClusterHealth } from '../../src/services/clusters/cluster-health.ts';
import { deleteCluster } from '../../src/services/clusters/cluster-deletion.ts';
import {
  cancelCluster,
  createCluster,
  createClusterOnDomain,
  retryCluster,
} from '../../src/services/clusters/clusters.ts';
import { awaitOperation } from '../../src/services/operations/operations.ts';
import { createMailbox } from '../../src/services/mailboxes/mailboxes.ts';
import { deleteMailbox, rotatePassword } from '../../src/services/mailboxes/mailbox-changes.ts';
import { activityEnvironment } from '../support/workflows/activity-environment.ts';
import { injectFaults, type Plan } from '../support/provisioning/fault-injector.ts';
import {
  startProvisioningWorld,
  type ProvisioningWorld,
} from '../support/provisioning/provisioning-world.ts';

const FUNDS_CENTS = 20_000;

const plans = new Map<number, Plan>();
/** What goes wrong in the operation that comes next; otherwise each activity runs twice. */
let next: Plan | undefined;
let world: ProvisioningWorld;
let userId: string;
/** Two clusters on the server that was rented for the first one. */
let first: { id: number; serverId: number };
let second: { id: number };

beforeAll(async () => {
  world = await startProvisioningWorld({
    wrap: (activities) => injectFaults(activities, plans),
    // A teardown: each of its activities runs twice.
    beforeStart: ({ id, kind }) => {
      if (kind === 'provisionCluster' || kind === 'syncInbox') return;
      plans.set(id, next ?? { kind: 'all_twice', at: '', undo: 'twice', hits: 0 });
      next = undefined;
    },
  });
  userId = await world.fundedUser(FUNDS_CENTS);
  const { id } = await createCluster(world.context, userId, {
    domain: 'first.com',
    useExistingVps: false,
  });
  await ended(id);
  first = { id, serverId: (await getCluster(world.context.db, id)).server_id! };
  second = await createCluster(world.context, userId, {
    domain: 'second.com',
    useExistingVps: true,
  });
  await ended(second.id);
});

afterAll(async () => {
  await world?.close();
});

/** Waits for the workflow that is at work on a cluster. */
async function ended(clusterId: number): Promise<string> {
  const { db } = world.context;
  const { operation_id } = await getCluster(db, clusterId);
  const operation = await getOperation(db, operation_id!);
  await world.context.temporal.workflow.getHandle(workflowIdOf(operation)).result();
  return (await getCluster(db, clusterId)).status;
}

const make = (clusterId: number, email: string, password?: string) =>
  createMailbox(world.context, userId, { clusterId, email, password });

async function hostStatus() {
  const server = await getServer(world.context.db, first.serverId);
  return world.context.mailHost.status(serverAccess(world.context, server));
}

/** Throws where the login is refused. */
const logIn = (email: string, password: string) =>
  world.context.mailTransport.checkImap({ host: 'mail.first.com', email, password });

async function recordsOf(domain: string): Promise<string[]> {
  const { registrars } = (await world.sandbox.control('GET', '/books')).body;
  return registrars.namecom.records
    .filter((record: { domain: string }) => record.domain === domain)
    .map(({ type, name }: { type: string; name: string }) => `${type} ${name}`);
}

describe('the health of a cluster', () => {
  it('tells of each part how it was found, and when (choice 14)', async () => {
    const { parts, lookedAt } = await checkClusterHealth(world.context, userId, second.id);
    const states = Object.values(parts).map(({ state }) => state);
    expect({ parts, states: new Set(states) }).toMatchObject({ states: new Set(['ok']) });
    expect(parts.dns.message).toBe('A, MX, SPF, DKIM and DMARC are visible');
    expect(parts.ptr.message).toMatch(/ is called mail\.first\.com$/);
    const again = await checkClusterHealth(world.context, userId, second.id);
    expect(again.lookedAt).toEqual(lookedAt);
  });
});

describe('a mailbox', () => {
  it('gets another password at its host and in its row (choice 27)', async () => {
    const { mailbox, password } = await make(first.id, 'ann@first.com', 'the-old-password');
    expect(password).toBe('the-old-password');
    const subject = { userId, id: mailbox.id };
    const rotation = await rotatePassword(world.context, subject, {});
    expect(rotation).toMatchObject({ isInForce: true, mailbox: { next_password: null } });
    await logIn('ann@first.com', rotation.password);
    await expect(logIn('ann@first.com', password)).rejects.toMatchObject({ kind: 'rejected' });
  });

  it('has its old password, at the host too, where a change is given up', async () => {
    const { mailbox, password } = await make(first.id, 'eve@first.com');
    const { context } = world;
    await context.db
      .updateTable('mailboxes')
      .set({
        next_password: context.cipher.seal('half-way-there', `mailbox:${mailbox.id}:password`),
      })
      .where('id', '=', mailbox.id)
      .execute();
    const server = await getServer(context.db, first.serverId);
    const half = { email: 'eve@first.com', password: 'half-way-there' };
    await context.mailHost.setMailbox(serverAccess(context, server), half);
    const activities = createActivities(context);
    const step = { operationId: 0, mailboxId: mailbox.id };
    const restore = () =>
      activityEnvironment().run(
        (given: typeof step) => activities.restoreMailboxSecret(given),
        step,
      );
    await restore();
    await restore();
    await logIn('eve@first.com', password);
    expect((await getMailbox(context.db, mailbox.id)).next_password).toBeNull();
  });

  it('leaves its host when it is deleted, and comes back without its past', async () => {
    const old = await make(first.id, 'ben@first.com', 'the-old-password');
    const self = { host: 'mail.first.com', email: 'ben@first.com', password: 'the-old-password' };
    await world.context.mailTransport.submit(self, {
      to: 'ben@first.com',
      subject: 'Old',
      text: 'old',
      messageId: '<old@first.com>',
    });
    const subject = { userId, id: old.mailbox.id };
    const { mailbox } = await deleteMailbox(world.context, subject);
    expect(mailbox).toMatchObject({ status: 'deleted', password: null });
    expect((await hostStatus()).mailboxes).not.toContain('ben@first.com');
    const read = await world.context.db
      .selectFrom('messages')
      .select('subject')
      .where('mailbox_id', '=', old.mailbox.id)
      .execute();
    expect(read.map(({ subject: words }) => words)).toEqual(['Old']);
    const fresh = await make(first.id, 'ben@first.com');
    expect(fresh.mailbox.id).not.toBe(old.mailbox.id);
    await expect(logIn('ben@first.com', 'the-old-password')).rejects.toMatchObject({
      kind: 'rejected',
    });
    const session = await world.context.mailTransport.openImap({
      ...self,
      password: fresh.password,
    });
    expect((await session.open('INBOX')).exists).toBe(0);
    await session.close();
  });
});

describe('a mailbox whose change of password is blocked', () => {
  /** Blocked once, by a token that is refused. */
  async function blockedRotation(email: string) {
    const { mailbox } = await make(first.id, email);
    const subject = { userId, id: mailbox.id };
    next = { kind: 'operator_then_retry', at: 'credentials_set', undo: 'once', hits: 0 };
    const rotation = await rotatePassword(world.context, subject, {});
    expect(rotation.isInForce).toBe(false);
    return { subject, workflowId: rotation.workflowId };
  }

  it('gets the password that is asked for next (choice 58)', async () => {
    const { subject, workflowId } = await blockedRotation('dan@first.com');
    const wanted = { password: 'the-newest-password' };
    const rotation = await rotatePassword(world.context, subject, wanted);
    expect(rotation).toMatchObject({ ...wanted, isInForce: true, workflowId });
    await logIn('dan@first.com', wanted.password);
  });

  it('can be deleted (choice 27)', async () => {
    const { subject, workflowId } = await blockedRotation('fay@first.com');
    const { mailbox } = await deleteMailbox(world.context, subject);
    expect(mailbox).toMatchObject({ status: 'deleted', next_password: null });
    expect((await hostStatus()).mailboxes).not.toContain('fay@first.com');
    const handle = world.context.temporal.workflow.getHandle(workflowId);
    await expect(handle.result()).rejects.toMatchObject({ name: 'WorkflowFailedError' });
  });
});

describe('a cluster whose server carries another one', () => {
  it('goes and leaves the server, its name and its neighbour as they are (choice 14)', async () => {
    await deleteCluster(world.context, userId, first.id);
    await expect(
      createMailbox(world.context, userId, { clusterId: first.id, email: 'x@first.com' }),
    ).rejects.toMatchObject({ code: 'MAIL_SERVER_NOT_READY' });
    expect(await ended(first.id)).toBe('deleted');
    expect((await getServer(world.context.db, first.serverId)).status).toBe('active');
    const { domains, mailboxes } = await hostStatus();
    expect({ domains, mailboxes }).toEqual({
      domains: ['second.com'],
      mailboxes: ['postmaster@second.com', 'abuse@second.com'],
    });
    expect(await recordsOf('first.com')).toEqual(['A mail']);
    expect(await recordsOf('second.com')).toContain('MX @');
    const { mailbox, password } = await make(second.id, 'cat@second.com');
    expect(mailbox.status).toBe('active');
    await logIn('cat@second.com', password);
  });

  it('leaves a domain that may carry a cluster again, on that server only', async () => {
    const order = { domain: 'first.com', useExistingVps: false };
    await expect(createClusterOnDomain(world.context, userId, order)).rejects.toMatchObject({
      code: 'DOMAIN_IN_USE',
    });
  });
});

describe('the last cluster of a server', () => {
  it('takes the server along, and the address under its name; nothing is refunded', async () => {
    const before = await auditWallets(world.context.db);
    next = { kind: 'operator_then_retry', at: 'server_delete', undo: 'once', hits: 0 };
    await deleteCluster(world.context, userId, second.id);
    const { operation_id } = await getCluster(world.context.db, second.id);
    const blocked = await awaitOperation(world.context, operation_id!);
    expect([blocked.state, blocked.step]).toEqual(['blocked', 'server_delete']);
    await expect(cancelCluster(world.context, userId, second.id)).rejects.toMatchObject({
      code: 'INVALID_STATE',
    });
    await retryCluster(world.context, userId, second.id);
    const again = await deleteCluster(world.context, userId, second.id);
    expect(['deleting', 'deleted']).toContain(again.status);
    expect(await ended(second.id)).toBe('deleted');
    const { vps } = (await world.sandbox.control('GET', '/books')).body;
    expect(vps.hetzner.servers.map(({ deletedAt }: { deletedAt: unknown }) => !deletedAt)).toEqual([
      false,
    ]);
    expect(vps.hetzner.sshKeys).toEqual([]);
    expect((await getServer(world.context.db, first.serverId)).status).toBe('deleted');
    expect([...(await recordsOf('first.com')), ...(await recordsOf('second.com'))]).toEqual([]);
    expect([before, await auditWallets(world.context.db)]).toEqual([[], []]);
    const left = await world.context.db
      .selectFrom('mailboxes')
      .select('id')
      .where('status', '!=', 'deleted')
      .execute();
    expect(left).toEqual([]);
  });
});
