/** A cluster that was provisioned by its activities alone, up to its MX. */
import type { OrderWorld } from './order-world.ts';

const STEPS = [
  ['registerDomain', {}],
  ['orderServer', {}],
  ['awaitServer', {}],
  ['publishRecords', { phase: 'host' }],
  ['awaitRecords', { phase: 'host' }],
  ['awaitFirstBoot', {}],
  ['installMailHost', {}],
  ['addMailDomain', {}],
  ['publishRecords', { phase: 'mx' }],
] as const;

export async function activeCluster(
  world: OrderWorld,
  domain: string,
): Promise<{ clusterId: number; domainId: number }> {
  const { id: clusterId, domain_id: domainId, operation_id } = await world.order(domain);
  const step = { operationId: operation_id!, clusterId, domainId };
  for (const [name, more] of STEPS) {
    await world.callUntilDone(name, { ...step, ...more }, ['NotReadyYet', 'ProviderUnavailable']);
  }
  await world.context.db
    .updateTable('clusters')
    .set({ status: 'active' })
    .where('id', '=', clusterId)
    .execute();
  return { clusterId, domainId };
}
