/** What is ordered for mail hosts when the activity that orders it runs twice. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createActivities } from '../../activities/index.ts';
import { startOrderWorld, type OrderWorld } from '../support/provisioning/order-world.ts';
import { addServer } from '../support/provisioning/servers.ts';
import { untilWaiting } from '../support/database/lock-waiters.ts';
import { activityEnvironment } from '../support/workflows/activity-environment.ts';

let world: OrderWorld;
const servers: number[] = [];
beforeAll(async () => {
  world = await startOrderWorld(() => ({}));
  const { db } = world.context;
  const owned = { user_id: 'ann', status: 'active' } as const;
  for (const n of [1, 2]) {
    const name = `twice-${n}.com`;
    const place = { host_name: `mail.${name}`, ipv4: `198.18.9.${n}`, external_id: String(n) };
    const server_id = await addServer(db, { ...owned, ...place });
    const domain = await db
      .insertInto('domains')
      .values({ ...owned, name, provider: 'namecom' })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db
      .insertInto('clusters')
      .values({
        ...owned,
        name,
        domain_id: domain.id,
        server_id,
        use_existing_vps: false,
        operation_id: null,
      })
      .execute();
    servers.push(server_id);
  }
});
afterAll(() => world?.close());

describe('a page of hosts', () => {
  it('goes on behind a host that leaves while it is ordered', async () => {
    const { db } = world.context;
    const activities = createActivities({ ...world.context, startOperation: async () => false });
    const words = { actor: 'operator:ann', reason: 'test' };
    const page = { job: 'rotate-ssh-key', afterServerId: 0, limit: 1, words } as const;
    let ordering: Promise<{ serverId: number }[]> | undefined;
    await db.transaction().execute(async (trx) => {
      await trx
        .updateTable('servers')
        .set({ status: 'deleting' })
        .where('id', '=', servers[0]!)
        .execute();
      ordering = activityEnvironment().run(() => activities.orderHostWork(page));
      await untilWaiting(db);
    });
    expect(await ordering).toMatchObject([{ serverId: servers[1] }]);
    await db
      .updateTable('servers')
      .set({ status: 'active' })
      .where('id', '=', servers[0]!)
      .execute();
  });
});

describe('an upgrade', () => {
  const words = { actor: 'operator:ann', reason: 'test' };
  const order = async (afterServerId = 0): Promise<{ serverId: number; operationId: number }[]> => {
    const activities = createActivities({
      ...world.context,
      startOperation: async () => false,
    });
    const page = { job: 'upgrade', afterServerId, limit: 1, words } as const;
    return activityEnvironment().run(() => activities.orderHostWork(page));
  };

  it('is ordered once, and found again when it is over before its order was heard of', async () => {
    const { db, mailHost } = world.context;
    const ordered = await order();
    expect(ordered).toMatchObject([{ serverId: servers[0] }]);
    expect(await order()).toEqual(ordered);
    const { operationId } = ordered[0]!;
    // It has failed after the host had the program: the repeat must not go on to the next host.
    await db
      .updateTable('servers')
      .set({ program: mailHost.program })
      .where('id', '=', servers[0]!)
      .execute();
    expect(await order()).toEqual(ordered);
    await db
      .updateTable('operations')
      .set({ state: 'failed', finished_at: new Date() })
      .where('id', '=', operationId)
      .execute();
    expect(await order()).toEqual(ordered);
    expect(await order(servers[0])).toMatchObject([{ serverId: servers[1] }]);
  });
});
