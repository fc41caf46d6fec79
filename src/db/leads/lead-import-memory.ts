/**
 * Rows that an import of several transactions wrote itself. Those that nobody has changed since (by `xmin`)
 * are not read again.
 */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { ImportPlan } from '../../domain/leads/lead-plan.ts';
import type { PlannedCompany, PlannedLead } from '../../domain/leads/lead-rows.ts';
import type { Database } from '../tables.ts';

export interface ImportMemory {
  companies: Map<number, PlannedCompany>;
  leads: Map<number, PlannedLead>;
  /** The transactions that wrote the rows, as `xmin` shows them. */
  writers: string[];
}

/** Lives as long as one call: after a failed transaction its memory MUST be discarded. */
export const newImportMemory = (): ImportMemory => ({
  companies: new Map(),
  leads: new Map(),
  writers: [],
});

/** The rows of `where` that are still as they were written, and a condition for those to be read. */
export async function remembered<Row>(
  trx: Kysely<Database>,
  from: { table: 'companies' | 'leads'; rows: Map<number, Row>; writers: readonly string[] },
  where: RawBuilder<unknown>,
): Promise<{ own: Row[]; others: RawBuilder<unknown> }> {
  if (from.writers.length === 0) return { own: [], others: where };
  // As texts: a driver takes longer to parse thousands of rows or items than Postgres to find them.
  const { rows } = await sql<{ kept: string | null; others: string | null }>`
    select string_agg(id::text, ',') filter (where is_own) as kept,
      string_agg(id::text, ',') filter (where not is_own) as others
    from (select id, xmin = any (${from.writers}::xid[]) as is_own
      from ${sql.table(from.table)} where ${where}) as found`.execute(trx);
  const own: Row[] = [];
  const others = idsOf(rows[0]!.others);
  for (const id of idsOf(rows[0]!.kept)) {
    const row = from.rows.get(id);
    if (row) own.push(row);
    else others.push(id);
  }
  return { own, others: sql`id = any (${others}::bigint[])` };
}

const idsOf = (list: string | null): number[] => (list === null ? [] : list.split(',').map(Number));

/** Remembers the new rows of a plan that was written, and forgets those that were filled in. */
export async function remember(
  trx: Kysely<Database>,
  memory: ImportMemory,
  plan: ImportPlan,
): Promise<void> {
  const { rows } = await sql<{ writer: string }>`
    select pg_current_xact_id()::xid::text as writer`.execute(trx);
  memory.writers.push(rows[0]!.writer);
  for (const { id } of plan.filledCompanies) memory.companies.delete(id!);
  for (const { id } of plan.filledLeads) memory.leads.delete(id!);
  for (const company of plan.newCompanies) memory.companies.set(company.id!, company);
  for (const lead of plan.newLeads) memory.leads.set(lead.id!, lead);
}
