/** A cluster that goes leaves alone what another one on a domain of its name has: on the host and in DNS. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serverAccess } from '../../activities/engine/access.ts';
import { getCluster, updateCluster, type Cluster } from '../../src/db/clusters/clusters.ts';
import { getServer } from '../../src/db/clusters/servers.ts';
import { createCluster, createClusterOnDomain } from '../../src/services/clusters/clusters.ts';
import { activeCluster } from '../support/provisioning/active-cluster.ts';
import { startOrderWorld, type OrderWorld } from '../support/provisioning/order-world.ts';

let world: OrderWorld;
let serverId: number;
beforeAll(async () => {
  world = await startOrderWorld(() => ({}));
  const { clusterId } = await activeCluster(world, 'keeper.com');
  serverId = (await getCluster(world.context.db, clusterId)).server_id!;
}, 60_000);
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
});
