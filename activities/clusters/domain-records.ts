/** Single records that are published for a domain while its cluster is at work. */
import { withLease } from '../../src/db/leases.ts';
import type { Domain } from '../../src/db/domains/domains.ts';
import { mergeRecords, type PlannedRecord } from '../../src/domain/domains/dns-plan.ts';
import { registrarOf } from '../engine/access.ts';
import { publishRecord, leaseRequestFor, type DnsContext } from './dns.ts';

/** Where a record stands. `added`: it was published just now. */
export type Placed = 'added' | 'there' | 'gone' | 'conflict';

export const isPlaced = (placed: Placed): boolean => placed === 'added' || placed === 'there';

/**
 * Publishes it unless it is there. `gone`: no cluster uses the domain any more, whose records are being
 * withdrawn; `conflict`: the owner has another one in its place.
 */
export async function publishOne(
  context: DnsContext,
  domain: Domain,
  record: PlannedRecord,
): Promise<Placed> {
  const registrar = registrarOf(context, domain.provider);
  let result: Placed = 'gone';
  await withLease(context.db, leaseRequestFor(domain), async (assertMine) => {
    const cluster = await findActiveCluster(context, domain.id);
    if (!cluster) return;
    const existing = await registrar.listRecords(domain.name);
    const { missing, conflicts } = mergeRecords([record], existing);
    const isForeign =
      missing.length === 0 && !existing.some((other) => other.value === record.value);
    result = conflicts.length > 0 || isForeign ? 'conflict' : 'there';
    if (result === 'conflict' || missing.length === 0) return;
    await assertMine();
    const operationId = cluster.operation_id;
    await publishRecord(context, { operationId, domain, registrar, record });
    result = 'added';
  });
  return result;
}

/** The cluster that the domain serves now; undefined where there is none, or it is being deleted. */
export async function findActiveCluster(
  { db }: Pick<DnsContext, 'db'>,
  domainId: number,
): Promise<{ operation_id: number; server_id: number } | undefined> {
  const cluster = await db
    .selectFrom('clusters')
    .select(['operation_id', 'server_id'])
    .where('domain_id', '=', domainId)
    .where('status', '=', 'active')
    .executeTakeFirst();
  if (!cluster || cluster.operation_id === null || cluster.server_id === null) return undefined;
  return { operation_id: cluster.operation_id, server_id: cluster.server_id };
}
