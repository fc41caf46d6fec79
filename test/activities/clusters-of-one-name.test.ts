/** A cluster that goes leaves alone what another one on a domain of its name has: on the host and in DNS. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publishOne } from '../../activities/clusters/domain-records.ts';
import { serverAccess } from '../../activities/engine/access.ts';
import { createActivities } from '../../activities/index.ts';
import type { Context } from '../../src/context.ts';
import { getCluster, updateCluster, type Cluster } from '../../src/db/clusters/clusters.ts';
import { getServer } from '../../src/db/clusters/servers.ts';
import { getDomain, lockDomain } from '../../src/db/domains/domains.ts';
import { destroyClusterFlow } from '../../src/domain/clusters/flows.ts';
import { policyHost } from '../../src/domain/domains/mta-sts.ts';
import { createCluster, createClusterOnDomain } from '../../src/services/clusters/clusters.ts';
import { activeCluster } from '../support/provisioning/active-cluster.ts';
import { startOrderWorld, type OrderWorld } from '../support/provisioning/order-world.ts';
import { activityEnvironment } from '../support/workflows/activity-environment.ts';
import { addOperation } from '../support/workflows/operations.ts';

let world: OrderWorld;
let serverId: number;
beforeAll(async () => {
  world = await startOrderWorld(() => ({}));
  const { clusterId } = await activeCluster(world, 'keeper.com');
  serverId = (await getCluster(world.context.db, clusterId)).server_id!;
}, 180_000);
afterAll(() => world?.close());

const stepOf = ({ id: clusterId, domain_id: domainId, operation_id }: Cluster) => ({
  operationId: operation_id!,
  clusterId,
  domainId,
});

/** A cluster on the shared server, up to its MX, with a mailbox on the host. */
async function put({ id }: { id: number }, status: Cluster['status'], login: string) {
  const { db, mailHost } = world.context;
  const cluster = await getCluster(db, id);
  const step = stepOf(cluster);
  await world.call('publishRecords', { ...step, phase: 'host' });
  await world.call('addMailDomain', step);
  await world.call('publishRecords', { ...step, phase: 'mx' });
  await updateCluster(db, id, { status });
  const server = await getServer(db, serverId);
  await mailHost.setMailbox(serverAccess(world.context, server), { email: login, password: 'x' });
  return cluster;
}

/** Buys the name. */
async function bought(domain: string): Promise<{ id: number }> {
  const order = { domain, useExistingVps: true, serverId };
  const { id } = await createCluster(world.context, 'ann', order);
  const step = stepOf(await getCluster(world.context.db, id));
  await world.callUntilDone('registerDomain', step, ['NotReadyYet', 'ProviderUnavailable']);
  return { id };
}

const orderedAgain = (domain: string) =>
  createClusterOnDomain(world.context, 'ann', { domain, useExistingVps: true, serverId });

/** The domain of a cluster whose registrar refused the order after all (choice 82), or whose purchase failed. */
const loseDomain = ({ domain_id }: Cluster) =>
  world.context.db
    .updateTable('domains')
    .set({ status: 'failed' })
    .where('id', '=', domain_id)
    .execute();

/** Another row of the name, as a new purchase of it makes one. */
async function buyAnew(name: string): Promise<void> {
  const domain = { user_id: 'ann', name, provider: 'namecom', status: 'active' } as const;
  await world.context.db.insertInto('domains').values(domain).execute();
}

async function onHost(domain: string) {
  const server = await getServer(world.context.db, serverId);
  const status = await world.context.mailHost.status(serverAccess(world.context, server));
  return {
    isServed: status.domains.includes(domain),
    mailboxes: status.mailboxes.filter((name) => name.endsWith(`@${domain}`)).sort(),
  };
}

async function inDns(domain: string): Promise<string[]> {
  const records = await world.context.registrars['namecom']!.listRecords(domain);
  return records.map(({ type, name }) => `${type} ${name}`).sort();
}

/** The activities with another mail host, of which only this is changed. */
function withHost(change: Partial<Context['mailHost']>) {
  const { context } = world;
  const activities = createActivities({ ...context, mailHost: { ...context.mailHost, ...change } });
  return <T>(work: (given: typeof activities) => Promise<T>): Promise<T> =>
    activityEnvironment().run(() => work(activities));
}

/** A former cluster of a name and the newer one on another row of it, as far as the tests below need. */
async function namesakes(name: string, newer: Cluster['status']) {
  const former = await put(await bought(name), 'active', `ann@${name}`);
  await loseDomain(former);
  await buyAnew(name);
  return { former, newer: await put(await orderedAgain(name), newer, `bob@${name}`) };
}

const setState = (id: number | null, state: 'compensating' | 'running') =>
  sql`update operations set state = ${state} where id = ${id}`.execute(world.context.db);

/** The part of a deletion that takes a cluster off the host and out of DNS. */
async function takeDown({ id }: { id: number }): Promise<void> {
  await updateCluster(world.context.db, id, { status: 'deleting' });
  await world.call('removeClusterFromHost', { clusterId: id });
  await world.call('withdrawClusterRecords', { clusterId: id, deletesServer: false });
  await updateCluster(world.context.db, id, { status: 'deleted' });
}

describe('a cluster that goes while another one has its name on the same host', () => {
  it('leaves it its mail, and its records until that one goes', async () => {
    const former = await put(await bought('anew.com'), 'active', 'old@anew.com');
    await loseDomain(former);
    await buyAnew('anew.com');
    const live = await put(await orderedAgain('anew.com'), 'active', 'ann@anew.com');
    expect(live.domain_id).not.toBe(former.domain_id);
    const records = await inDns('anew.com');
    await takeDown(former);
    expect(await onHost('anew.com')).toMatchObject({ isServed: true });
    expect((await onHost('anew.com')).mailboxes).toContain('ann@anew.com');
    expect(await inDns('anew.com')).toEqual(records);
    await takeDown(live);
    expect(await onHost('anew.com')).toEqual({ isServed: false, mailboxes: [] });
    expect(await inDns('anew.com')).toEqual([]);
  });

  it('leaves the former one its mail where the new one is given up', async () => {
    const former = await put(await bought('kept.com'), 'active', 'ann@kept.com');
    await loseDomain(former);
    await buyAnew('kept.com');
    const failing = await put(await orderedAgain('kept.com'), 'provisioning', 'probe@kept.com');
    await world.call('removeMailDomain', stepOf(failing));
    expect(await onHost('kept.com')).toMatchObject({ isServed: true });
    expect((await onHost('kept.com')).mailboxes).toContain('ann@kept.com');
  });

  it('removes the mailboxes that only the leaving one has', async () => {
    const former = await put(await bought('part.com'), 'active', 'old@part.com');
    await loseDomain(former);
    const old = { user_id: 'ann', cluster_id: former.id, email: 'old@part.com' };
    const { db } = world.context;
    await db
      .insertInto('mailboxes')
      .values({ ...old, status: 'deleting' })
      .execute();
    await buyAnew('part.com');
    await put(await orderedAgain('part.com'), 'active', 'ann@part.com');
    await takeDown(former);
    const { mailboxes } = await onHost('part.com');
    expect(mailboxes).toContain('ann@part.com');
    expect(mailboxes).not.toContain('old@part.com');
  });

  it('gives the one that stays its key again, which is the one in DNS, and its own passwords', async () => {
    const { former, newer } = await namesakes('signed.com', 'provisioning');
    const { db, mailHost } = world.context;
    const keys: unknown[] = [];
    const passwords: string[] = [];
    const run = withHost({
      addDomain: async (access, given) => {
        keys.push([given.domain, given.dkimSelector]);
        await mailHost.addDomain(access, given);
      },
      setMailbox: async (access, given) => {
        passwords.push(given.email);
        await mailHost.setMailbox(access, given);
      },
    });
    const { dkim_selector: selector } = await getDomain(db, former.domain_id);
    expect((await getDomain(db, newer.domain_id)).dkim_selector).not.toBe(selector);
    await setState(newer.operation_id, 'compensating');
    await run((activities) => activities.removeMailDomain(stepOf(newer)));
    expect(keys).toEqual([['signed.com', selector]]);
    expect(passwords.sort()).toEqual(['abuse@signed.com', 'postmaster@signed.com']);
  });

  it('goes on with its mailboxes where the attempt before was broken off', async () => {
    const { former } = await namesakes('many.com', 'active');
    const { db, mailHost } = world.context;
    const server = await getServer(db, serverId);
    const emails = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}@many.com`);
    for (const email of emails) {
      await mailHost.setMailbox(serverAccess(world.context, server), { email, password: 'x' });
      const row = { user_id: 'ann', cluster_id: former.id, email, status: 'deleting' } as const;
      await db.insertInto('mailboxes').values(row).execute();
    }
    await updateCluster(db, former.id, { status: 'deleting' });
    let asked: string[] = [];
    const attempt = (limit: number) => {
      asked = [];
      return withHost({
        removeMailbox: async (access, email) => {
          if (asked.length >= limit) throw new Error('out of time');
          asked.push(email);
          await mailHost.removeMailbox(access, email);
        },
      })((activities) =>
        activities.removeClusterFromHost({ operationId: 0, clusterId: former.id }),
      );
    };
    await expect(attempt(3)).rejects.toThrow('out of time');
    await attempt(10);
    // The last one may have been broken off before its messages were removed.
    expect(asked).toEqual(['c@many.com', 'd@many.com', 'e@many.com']);
    expect((await onHost('many.com')).mailboxes).toContain('bob@many.com');
  });

  it('leaves the address of an MTA-STS policy to it, which goes with the last one', async () => {
    const former = await put(await bought('strict.com'), 'active', 'ann@strict.com');
    const { db } = world.context;
    const { ipv4 } = await getServer(db, serverId);
    const domain = await getDomain(db, former.domain_id);
    expect(await publishOne(world.context, domain, policyHost(ipv4!))).toBe('added');
    await loseDomain(former);
    await buyAnew('strict.com');
    const live = await put(await orderedAgain('strict.com'), 'active', 'bob@strict.com');
    await takeDown(former);
    expect(await inDns('strict.com')).toContain('A mta-sts');
    await takeDown(live);
    expect(await inDns('strict.com')).toEqual([]);
  });

  it('takes everything along where the other one is being given up', async () => {
    const { former, newer } = await namesakes('both.com', 'provisioning');
    await setState(newer.operation_id, 'compensating');
    await world.call('removeMailDomain', stepOf(newer));
    await world.call('withdrawRecords', stepOf(newer));
    await takeDown(former);
    expect(await onHost('both.com')).toEqual({ isServed: false, mailboxes: [] });
    expect(await inDns('both.com')).toEqual([]);
  });
});

describe('the end of a deletion', () => {
  it('does not meet an order on the same domain in a deadlock', async () => {
    const { db } = world.context;
    const { id, domain_id } = await put(await bought('locked.com'), 'deleting', 'ann@locked.com');
    const deletion = { userId: 'ann', workflowId: 'cluster-destroy/locked', resourceId: id };
    const { id: operationId } = await addOperation(db, destroyClusterFlow, deletion);
    let ending: Promise<unknown> | undefined;
    // As an order does: it locks the domain, and its row waits for the one whose place it takes.
    await db.transaction().execute(async (trx) => {
      await lockDomain(trx, domain_id);
      ending = world.call('finishOperation', { operationId, outcome: 'succeeded', steps: [] });
      ending.catch(() => {});
      await untilOneWaits();
      await trx.selectFrom('clusters').select('id').where('id', '=', id).forUpdate().execute();
    });
    await ending;
    expect(await getCluster(db, id)).toMatchObject({ status: 'deleted' });
  });
});

/** Until a transaction of this database waits for a row. */
async function untilOneWaits(): Promise<void> {
  for (;;) {
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(world.context.db);
    if (rows.length > 0) return;
    await sleep(20);
  }
}
