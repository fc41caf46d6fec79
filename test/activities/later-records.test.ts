/** Records that came into the plan later are given to the domains that exist: once, and beside nothing of the owner's. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createActivities } from '../../activities/index.ts';
import { updateCluster } from '../../src/db/clusters/clusters.ts';
import { activeCluster } from '../support/provisioning/active-cluster.ts';
import { startOrderWorld, type OrderWorld } from '../support/provisioning/order-world.ts';
import { activityEnvironment } from '../support/workflows/activity-environment.ts';

const OURS = 'v=TLSRPTv1; rua=mailto:postmaster@older.com';
const THEIRS = 'v=TLSRPTv1; rua=https://reports.test/';

let world: OrderWorld;
let domainId: number;
let clusterId: number;
beforeAll(async () => {
  world = await startOrderWorld(() => ({}));
  ({ domainId, clusterId } = await activeCluster(world, 'older.com'));
}, 180_000);
afterAll(() => world?.close());

const registrar = () => world.context.registrars['namecom']!;
const records = async () => {
  const listed = await registrar().listRecords('older.com');
  return listed.filter(({ name }) => name === '_smtp._tls');
};
const values = async () => (await records()).map(({ value }) => value);
const take = async () => {
  for (const { id } of await records()) await registrar().deleteRecord('older.com', id);
};
const complete = () => world.call<{ stage: string }>('completeDomainRecords', { domainId });
const due = async () => {
  const page = await world.call<{ due: { domainId: number; registrar: string }[] }>(
    'listIncompleteDomains',
    { afterId: 0 },
  );
  return page.due;
};
/** As before this version: without the record, and with no plan noted. */
const forget = async () => {
  await take();
  const { db } = world.context;
  await db.deleteFrom('published_records').where('name', '=', '_smtp._tls').execute();
  await db.updateTable('domains').set({ record_plan: null }).execute();
};

describe('a domain from before the TLS-RPT record', () => {
  it('gets it, once', async () => {
    await forget();
    expect(await due()).toEqual([{ domainId, registrar: 'namecom' }]);
    expect(await complete()).toEqual({ stage: 'complete' });
    expect(await values()).toEqual([OURS]);
    expect([await due(), await complete(), await values()]).toEqual([
      [],
      { stage: 'complete' },
      [OURS],
    ]);
  });

  it('is given it by the attempt after one that died at the registrar, once', async () => {
    await forget();
    const context = {
      ...world.context,
      registrars: {
        ...world.context.registrars,
        namecom: Object.assign(Object.create(registrar()) as ReturnType<typeof registrar>, {
          createRecord: async (
            ...given: Parameters<ReturnType<typeof registrar>['createRecord']>
          ) => {
            await registrar().createRecord(...given);
            throw new Error('the process died here');
          },
        }),
      },
    };
    const activities = createActivities(context);
    const dies = activityEnvironment().run(() => activities.completeDomainRecords({ domainId }));
    await expect(dies).rejects.toThrow('died here');
    expect(await due()).toHaveLength(1);
    expect(await complete()).toEqual({ stage: 'complete' });
    expect([await values(), await due()]).toEqual([[OURS], []]);
  });

  it('keeps what the owner has in its place, and one that they take away stays away', async () => {
    await forget();
    const theirs = { type: 'TXT', name: '_smtp._tls', value: THEIRS } as const;
    await registrar().createRecord('older.com', theirs);
    expect(await complete()).toEqual({ stage: 'complete' });
    expect(await values()).toEqual([THEIRS]);
    await take();
    expect(await due()).toEqual([]);
  });

  it('leaves none behind that was being given while its cluster was taken down', async () => {
    await forget();
    const { db } = world.context;
    let look = () => undefined as void;
    const opened = new Promise<void>((resolve) => (look = resolve));
    const slow = Object.assign(Object.create(registrar()) as ReturnType<typeof registrar>, {
      async listRecords(domain: string) {
        await opened;
        return registrar().listRecords(domain);
      },
    });
    const context = {
      ...world.context,
      registrars: { ...world.context.registrars, namecom: slow },
    };
    const activities = createActivities(context);
    const giving = activityEnvironment().run(() => activities.completeDomainRecords({ domainId }));
    const lease = sql`select from leases where name = ${`domain ${domainId}`}`;
    await expect.poll(async () => (await lease.execute(db)).rows.length).toBe(1);
    await sleep(500);
    await updateCluster(db, clusterId, { status: 'deleting' });
    const leaving = world.call('withdrawClusterRecords', { clusterId, deletesServer: true });
    await sleep(500);
    look();
    await Promise.all([giving, leaving]);
    expect(await values()).toEqual([]);
    await updateCluster(db, clusterId, { status: 'active' });
  });

  it('is left alone where its owner manages the records, and where its cluster is going', async () => {
    await forget();
    const { db } = world.context;
    await db.updateTable('domains').set({ provider: 'manual' }).execute();
    expect(await due()).toEqual([]);
    await db.updateTable('domains').set({ provider: 'namecom' }).execute();
    expect(await due()).toHaveLength(1);
    await db.updateTable('clusters').set({ status: 'deleting' }).execute();
    expect([await due(), await complete(), await values()]).toEqual([[], { stage: 'idle' }, []]);
  });
});
