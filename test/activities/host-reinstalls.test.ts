/** A new system is asked for once, wherever an attempt dies, sleeps or is given up: a second one would wipe mail. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createActivities } from '../../activities/index.ts';
import { getCluster } from '../../src/db/clusters/clusters.ts';
import {
  claimReinstall,
  endReinstall,
  forgetClaim,
  getRebuild,
  settleBackup,
} from '../../src/db/clusters/server-rebuilds.ts';
import { getServer } from '../../src/db/clusters/servers.ts';
import { orderServerWork } from '../../src/transactions/server-work.ts';
import { activeCluster } from '../support/provisioning/active-cluster.ts';
import { startOrderWorld, type OrderWorld } from '../support/provisioning/order-world.ts';
import { providerError } from '../support/vendors/provider-error.ts';
import { activityEnvironment } from '../support/workflows/activity-environment.ts';

const HEALS = ['NotReadyYet', 'ProviderUnavailable'];
const LATE_MS = 1_500;
const REQUESTS = {
  hetzner: 'POST /servers/{id}/actions/rebuild',
  vultr: 'POST /instances/{id}/reinstall',
} as const;

describe.each(['hetzner', 'vultr'] as const)('at %s', (vendor) => {
  let world: OrderWorld;
  let domains = 0;
  beforeAll(async () => {
    // The vendor may begin what it was asked for as late as this.
    world = await startOrderWorld(() => ({ DEFAULT_VPS: vendor, PROVIDER_LAG_SECONDS: '3' }));
  }, 180_000);
  afterAll(() => world?.close());

  const newServer = async (): Promise<number> => {
    domains += 1;
    const { clusterId } = await activeCluster(world, `again-${vendor}-${domains}.com`);
    return (await getCluster(world.context.db, clusterId)).server_id!;
  };
  const begin = async (serverId: number) => {
    const { db } = world.context;
    const order = {
      job: 'rebuild' as const,
      serverId,
      requested: { actor: 'operator:test', reason: 'test' },
      requestKey: `rebuild ${serverId} ${Math.random()}`,
      pace: { retryPace: 1, heartbeatSeconds: 30, blockedTimeoutSeconds: 60 },
    };
    const operation = await db.transaction().execute((trx) => orderServerWork(trx, order));
    const key = { operationId: operation!.id, serverId };
    await world.call('holdForRebuild', key);
    await settleBackup(db, key, null);
    return key;
  };
  const unsettle = (serverId: number) =>
    world.context.db
      .updateTable('server_rebuilds')
      .set({ backup_settled_at: null })
      .where('server_id', '=', serverId)
      .execute();
  const giveUp = ({ operationId }: { operationId: number }) =>
    world.context.db
      .updateTable('operations')
      .set({ state: 'failed', finished_at: new Date() })
      .where('id', '=', operationId)
      .execute();
  const fault = (kind: string, delayMs?: number) =>
    world.sandbox.control('POST', '/faults', {
      vendor,
      operation: REQUESTS[vendor],
      kind,
      times: 1,
      ...(delayMs !== undefined && { delayMs }),
    });
  const reinstalls = async (serverId: number): Promise<number> => {
    const { vps } = (await world.sandbox.control('GET', '/books')).body;
    const { external_id } = await getServer(world.context.db, serverId);
    const servers = vps[vendor].servers as { id: string | number; reinstalls: number }[];
    return servers.find(({ id }) => String(id) === external_id)!.reinstalls;
  };
  const untilNew = async (key: { operationId: number; serverId: number }) => {
    await world.callUntilDone('reinstallServer', key, HEALS);
    await world.callUntilDone('awaitNewSystem', key, HEALS);
  };
  /** Whatever comes late has come by then. */
  const reinstallsInAll = async (key: { operationId: number; serverId: number }) => {
    await world.call('reinstallServer', key);
    await sleep(LATE_MS);
    await world.call('awaitNewSystem', key);
    return reinstalls(key.serverId);
  };

  it('is asked once, and adopted by every attempt after that', async () => {
    const key = await begin(await newServer());
    await untilNew(key);
    expect(await reinstallsInAll(key)).toBe(1);
  }, 180_000);

  it('is not asked before it is settled which backup is restored', async () => {
    const serverId = await newServer();
    const key = await begin(serverId);
    await unsettle(serverId);
    await expect(world.call('reinstallServer', key)).rejects.toMatchObject({ type: 'NotReadyYet' });
    expect(await getRebuild(world.context.db, key)).toMatchObject({ claim: null, asks: 0 });
    expect(await reinstalls(serverId)).toBe(0);
  }, 180_000);

  it('is asked by the next attempt where one died before its request', async () => {
    const key = await begin(await newServer());
    const request = { claim: crypto.randomUUID(), listedBefore: '0', askedUntil: new Date() };
    expect(await claimReinstall(world.context.db, key, request)).toMatchObject({ asks: 1 });
    await untilNew(key);
    expect(await reinstallsInAll(key)).toBe(1);
  }, 180_000);

  it('is found by the next attempt where the answer was lost', async () => {
    const key = await begin(await newServer());
    await fault('timeout_after_effect');
    await untilNew(key);
    expect(await reinstallsInAll(key)).toBe(1);
  }, 180_000);

  it('is waited for where a request whose answer was lost begins late', async () => {
    const key = await begin(await newServer());
    await fault('lag', LATE_MS);
    await untilNew(key);
    expect(await reinstallsInAll(key)).toBe(1);
  }, 180_000);

  it('is asked once by attempts at the same time', async () => {
    const key = await begin(await newServer());
    await Promise.all([untilNew(key), untilNew(key), untilNew(key)]);
    expect(await reinstallsInAll(key)).toBe(1);
  }, 180_000);

  it('is adopted by the rebuild that follows one that was given up, however late it comes', async () => {
    const serverId = await newServer();
    const first = await begin(serverId);
    await fault('lag', LATE_MS);
    await expect(world.call('reinstallServer', first)).rejects.toMatchObject({
      type: 'NotReadyYet',
    });
    // Nobody can take the request back: the server stays held.
    await expect(world.call('assertNotWiped', first)).rejects.toThrow(/was asked to wipe/);
    await world.call('releaseRebuild', first);
    expect((await getServer(world.context.db, serverId)).sending_hold).toBe('rebuilding');
    await giveUp(first);

    const second = await begin(serverId);
    await untilNew(second);
    expect(await reinstallsInAll(second)).toBe(1);
    await expect(world.call('reinstallServer', first)).rejects.toThrow(/Another rebuild/);
  }, 180_000);

  it('is adopted where the one that was given up has its new system already', async () => {
    const serverId = await newServer();
    const first = await begin(serverId);
    await untilNew(first);
    await giveUp(first);
    const second = await begin(serverId);
    await untilNew(second);
    expect(await reinstallsInAll(second)).toBe(1);
    // Nothing of the old system is left to save.
    await unsettle(serverId);
    const choice = { ...second, choice: 'fresh' };
    await expect(world.call('takeHostBackup', choice)).rejects.toThrow(/name a backup/);
  }, 180_000);

  it('is not asked for by an attempt that slept and wakes', async () => {
    const { context } = world;
    const key = await begin(await newServer());
    let wake = () => {};
    const asleep = new Promise<void>((resolve) => (wake = resolve));
    const vps = context.vps[vendor]!;
    const sleepy = {
      ...vps,
      viewReinstalls: async (id: string) => {
        const view = await vps.viewReinstalls(id);
        await asleep;
        return view;
      },
    };
    const activities = createActivities({ ...context, vps: { ...context.vps, [vendor]: sleepy } });
    const late = activityEnvironment().run(() => activities.reinstallServer(key));
    const ended = late.then(
      () => 'done',
      (error: { type?: string }) => error.type,
    );
    await untilNew(key);
    wake();
    // It meets the new system, or the request of the other one: it asks for nothing.
    expect(['done', 'NotReadyYet']).toContain(await ended);
    expect(await reinstallsInAll(key)).toBe(1);
  }, 180_000);

  it('is not asked for later than its request was written down for', async () => {
    const serverId = await newServer();
    const { external_id } = await getServer(world.context.db, serverId);
    const order = { userData: '#cloud-config\n{}\n', latestStart: Date.now() - 1 };
    const asked = world.context.vps[vendor]!.reinstall(external_id!, order);
    expect((await providerError(asked)).facts.providerCode).toBe('too_slow');
    expect(await reinstalls(serverId)).toBe(0);
  }, 180_000);

  it('is given up freely where the vendor has refused it', async () => {
    const serverId = await newServer();
    const key = await begin(serverId);
    await fault('auth');
    await expect(world.call('reinstallServer', key)).rejects.toMatchObject({ type: /Auth/ });
    await world.call('assertNotWiped', key);
    await world.call('startHostMail', { ...key, choice: 'fresh' });
    await world.call('releaseRebuild', key);
    expect((await getServer(world.context.db, serverId)).rebuild_operation_id).toBeNull();
    expect(await reinstalls(serverId)).toBe(0);
  }, 180_000);

  it('keeps the request of one attempt from being forgotten, or ended, by another', async () => {
    const { db } = world.context;
    const key = await begin(await newServer());
    const request = { listedBefore: '0', askedUntil: new Date() };
    const [mine, other] = [crypto.randomUUID(), crypto.randomUUID()];
    expect(await claimReinstall(db, key, { ...request, claim: mine })).toBeDefined();
    expect(await claimReinstall(db, key, { ...request, claim: other })).toBeUndefined();
    await forgetClaim(db, key.serverId, other);
    expect(await endReinstall(db, key, other)).toBe(false);
    expect(await endReinstall(db, key, null)).toBe(false);
    expect(await getRebuild(db, key)).toMatchObject({ claim: mine, done_at: null });
  }, 180_000);
});

describe('at Hetzner, whose actions may fail', () => {
  let world: OrderWorld;
  beforeAll(async () => {
    world = await startOrderWorld(() => ({ DEFAULT_VPS: 'hetzner', PROVIDER_LAG_SECONDS: '1' }));
  }, 180_000);
  afterAll(() => world?.close());

  it('is asked again once the first one has failed, with what the vendor said', async () => {
    const { context } = world;
    const { clusterId } = await activeCluster(world, 'fails-late.com');
    const serverId = (await getCluster(context.db, clusterId)).server_id!;
    const order = {
      job: 'rebuild' as const,
      serverId,
      requested: { actor: 'operator:test', reason: 'test' },
      requestKey: 'rebuild',
      pace: { retryPace: 1, heartbeatSeconds: 30, blockedTimeoutSeconds: 60 },
    };
    const operation = await context.db.transaction().execute((trx) => orderServerWork(trx, order));
    const key = { operationId: operation!.id, serverId };
    await world.call('holdForRebuild', key);
    await settleBackup(context.db, key, null);
    const failure = { vendor: 'hetzner', operation: REQUESTS.hetzner, kind: 'fails_later' };
    await world.sandbox.control('POST', '/faults', { ...failure, times: 1 });
    await expect(world.callUntilDone('reinstallServer', key, ['NotReadyYet'])).rejects.toThrow(
      /the reinstall failed \(Action failed\)/,
    );
    await world.callUntilDone('reinstallServer', key, HEALS);
    await world.callUntilDone('awaitNewSystem', key, HEALS);
  }, 180_000);
});
