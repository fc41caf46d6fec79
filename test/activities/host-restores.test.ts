/** Which clusters a host that is made anew has to serve. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getCluster } from '../../src/db/clusters/clusters.ts';
import { activeCluster } from '../support/provisioning/active-cluster.ts';
import { startOrderWorld, type OrderWorld } from '../support/provisioning/order-world.ts';

let world: OrderWorld;
let clusterId: number;
let serverId: number;
beforeAll(async () => {
  world = await startOrderWorld(() => ({}));
  ({ clusterId } = await activeCluster(world, 'served.com'));
  serverId = (await getCluster(world.context.db, clusterId)).server_id!;
}, 180_000);
afterAll(() => world?.close());

type Status = 'active' | 'suspended' | 'provisioning' | 'deleting' | 'failed';

async function listed(status: Status, state: string, step?: string): Promise<boolean> {
  const { db } = world.context;
  await db.updateTable('clusters').set({ status }).where('id', '=', clusterId).execute();
  const { operation_id } = await getCluster(db, clusterId);
  const steps = [
    { name: 'dns_setup', state: 'completed' },
    { name: 'mail_server_install', state: step ?? 'completed' },
  ];
  await db
    .updateTable('operations')
    .set({ state: state as 'running', steps: JSON.stringify(steps) })
    .where('id', '=', operation_id!)
    .execute();
  const { clusterIds } = await world.call<{ clusterIds: number[] }>('listRebuiltClusters', {
    serverId,
    operationId: 0,
  });
  return clusterIds.includes(clusterId);
}

describe('a host that is made anew', () => {
  it.each(['active', 'suspended'] as const)('serves a cluster that is %s', async (status) => {
    expect(await listed(status, 'succeeded')).toBe(true);
  });

  it.each(['deleting', 'failed'] as const)('serves none that is %s', async (status) => {
    expect(await listed(status, 'failed')).toBe(false);
  });

  it.each([
    ['running', 'running', true],
    ['blocked', 'completed', true],
    // Its order puts it there by itself.
    ['running', 'pending', false],
    // Its order takes it off the host.
    ['compensating', 'completed', false],
  ])('serves one whose order is %s, its host %s: %s', async (state, step, isServed) => {
    expect(await listed('provisioning', state, step)).toBe(isServed);
  });
});
