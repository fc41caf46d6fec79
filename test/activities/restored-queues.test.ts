/** The queue of a saved host is delivered by one system only: what has run since has delivered it already. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createActivities } from '../../activities/index.ts';
import { getCluster } from '../../src/db/clusters/clusters.ts';
import {
  claimReinstall,
  endReinstall,
  forgetClaim,
  getRebuild,
  type RebuildKey,
} from '../../src/db/clusters/server-rebuilds.ts';
import { orderServerWork } from '../../src/transactions/server-work.ts';
import type { HostMoves } from '../../src/providers/mail-hosts/port.ts';
import { activeCluster } from '../support/provisioning/active-cluster.ts';
import { startOrderWorld, type OrderWorld } from '../support/provisioning/order-world.ts';
import { activityEnvironment } from '../support/workflows/activity-environment.ts';

type Merged = Parameters<HostMoves['mergeBackup']>[1];

describe('a queue that was saved with its host', () => {
  const folder = mkdtempSync(join(tmpdir(), 'outreach-queues-'));
  let world: OrderWorld;
  let serverId: number;
  let days = 0;
  beforeAll(async () => {
    world = await startOrderWorld(() => ({ HOST_BACKUP_DIR: folder }));
    const { clusterId } = await activeCluster(world, 'queues.com');
    serverId = (await getCluster(world.context.db, clusterId)).server_id!;
  }, 180_000);
  afterAll(async () => {
    await world?.close();
    rmSync(folder, { recursive: true });
  });

  /** A rebuild that is held and has its backup; each is of another day. */
  async function begin(choice: string): Promise<RebuildKey> {
    const { db } = world.context;
    const operation = await db.transaction().execute((trx) =>
      orderServerWork(trx, {
        job: 'rebuild',
        serverId,
        again: true,
        requested: { actor: 'operator:test', reason: 'test' },
        requestKey: `rebuild ${Math.random()}`,
        pace: { retryPace: 1, heartbeatSeconds: 30, blockedTimeoutSeconds: 60 },
      }),
    );
    const key = { operationId: operation!.id, serverId };
    await world.call('holdForRebuild', key);
    await take(key, choice);
    return key;
  }

  async function take(key: RebuildKey, choice: string): Promise<void> {
    days += 1;
    const clock = { now: () => new Date(Date.now() + days * 86_400_000) };
    const activities = createActivities({ ...world.context, clock });
    await activityEnvironment().run(() => activities.takeHostBackup({ ...key, choice }));
  }

  /** As the vendor's new system is seen, and what the host is given then. */
  async function wipe(key: RebuildKey): Promise<void> {
    const request = { claim: crypto.randomUUID(), listedBefore: '0', askedUntil: new Date() };
    await claimReinstall(world.context.db, key, request);
    expect(await endReinstall(world.context.db, key, request.claim)).toBe(true);
  }

  async function merge(key: RebuildKey): Promise<Merged | undefined> {
    let merged: Merged | undefined;
    const mailHost: HostMoves = {
      ...world.context.mailHost,
      mergeBackup: async (_server, backup) => void (merged = backup),
    };
    const activities = createActivities({
      ...world.context,
      mailHost: { ...world.context.mailHost, ...mailHost },
    });
    await activityEnvironment().run(() => activities.mergeHostBackup(key));
    return merged;
  }

  const end = ({ operationId }: RebuildKey) =>
    world.context.db
      .updateTable('operations')
      .set({ state: 'failed', finished_at: new Date() })
      .where('id', '=', operationId)
      .execute();
  const backupOf = async (key: RebuildKey) => (await getRebuild(world.context.db, key)).backup!;
  const giveUp = async (key: RebuildKey, choice: string) => {
    await world.call('startHostMail', { ...key, choice });
    await world.call('releaseRebuild', key);
    await end(key);
  };
  const finish = async (key: RebuildKey) => {
    const { mailTransport } = world.context;
    const reached = { ...mailTransport, checkTls: async () => ({ expiresAt: new Date() }) };
    const activities = createActivities({ ...world.context, mailTransport: reached });
    await activityEnvironment().run(() => activities.openRebuiltHost(key));
    await end(key);
  };

  it('goes to the system that follows, and to no other one', async () => {
    const first = await begin('fresh');
    const name = await backupOf(first);
    await wipe(first);
    expect(await merge(first)).toEqual({ name, hasQueue: true });
    await finish(first);
    const second = await begin('newest');
    expect(await backupOf(second)).toBe(name);
    await wipe(second);
    expect(await merge(second)).toEqual({ name, hasQueue: false });
    await finish(second);
    const third = await begin(name);
    await wipe(third);
    expect(await merge(third)).toEqual({ name, hasQueue: false });
    await finish(third);
  }, 180_000);

  it('stays out once its host was started again', async () => {
    const first = await begin('fresh');
    const name = await backupOf(first);
    await giveUp(first, 'fresh');
    const second = await begin('newest');
    expect(await backupOf(second)).toBe(name);
    await wipe(second);
    expect(await merge(second)).toEqual({ name, hasQueue: false });
    await finish(second);
  }, 180_000);

  it('is not lost where the rebuild that saved it was given up after its host was wiped', async () => {
    const first = await begin('fresh');
    const name = await backupOf(first);
    await wipe(first);
    await end(first);
    const second = await begin('newest');
    expect(await merge(second)).toEqual({ name, hasQueue: true });
    await finish(second);
  }, 180_000);

  it('stays out where a later rebuild found that nothing was wiped, and started the host', async () => {
    const first = await begin('fresh');
    const name = await backupOf(first);
    const request = { claim: crypto.randomUUID(), listedBefore: '0', askedUntil: new Date() };
    await claimReinstall(world.context.db, first, request);
    await end(first);
    const second = await begin('newest');
    await forgetClaim(world.context.db, serverId, request.claim);
    await giveUp(second, 'newest');
    const third = await begin('newest');
    await wipe(third);
    expect(await merge(third)).toEqual({ name, hasQueue: false });
    await finish(third);
  }, 180_000);
});
