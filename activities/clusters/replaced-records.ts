/** Records that an operation published for a server that it has replaced since. docs/workflow-rules.md#after-a-restore. */
import type { Context } from '../../src/context.ts';
import {
  deletePublishedRecord,
  listPublishedRecords,
  notePublishedRecordSeen,
  type Domain,
} from '../../src/db/domains/domains.ts';
import {
  mergeRecords,
  sameRecord,
  type DnsRecordType,
  type PlannedRecord,
} from '../../src/domain/domains/dns-plan.ts';
import type { DnsRecord, Registrar } from '../../src/providers/registrars/port.ts';

export type PublishedRow = Awaited<ReturnType<typeof listPublishedRecords>>[number];

export interface Change {
  operationId: number;
  domain: Domain;
  registrar: Registrar;
  planned: readonly PlannedRecord[];
  /** Throws where another one has the domain's lock by now. */
  assertMine: () => Promise<void>;
}

/**
 * Removes the operation's own records that stand in the way of its plan, and no others. Answers those that are left.
 * Safe to repeat.
 */
export async function withdrawReplaced(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { operationId, domain, registrar, planned, assertMine }: Change,
): Promise<DnsRecord[]> {
  const existing = await registrar.listRecords(domain.name);
  const { conflicts } = mergeRecords(planned, existing);
  if (conflicts.length === 0) return existing;
  const rows = await listPublishedRecords(db, operationId);
  const left: DnsRecord[] = [];
  for (const record of existing) {
    const row = rows.find((one) => sameRecord(recordOf(one), record));
    if (!row || !conflicts.includes(record)) {
      left.push(record);
      continue;
    }
    await assertMine();
    await notePublishedRecordSeen(db, row.id, clock.now());
    await registrar.deleteRecord(domain.name, record.id);
    await deletePublishedRecord(db, row.id);
  }
  return left;
}

/** As the registrar shows it. */
export const recordOf = (row: PublishedRow): PlannedRecord => ({
  type: row.type as DnsRecordType,
  name: row.name,
  value: row.value,
  ...(row.priority !== null && { priority: row.priority }),
});
