/** How many companies and leads there are, as triggers keep it: migrations/0045-lead-counters.ts. */
import { sql, type Kysely } from 'kysely';
import type { Database } from './tables.ts';

export interface LeadCounts {
  companies: number;
  leads: number;
}

/** Of the whole account; exact, also while others write. */
export async function countAccount(db: Kysely<Database>, userId: string): Promise<LeadCounts> {
  const { rows } = await sql<LeadCounts>`
    select ${sumOf('companies')} as companies, ${sumOf('leads')} as leads
    from lead_counters where user_id = ${userId} and lead_list_id is null`.execute(db);
  return rows[0]!;
}

/** Of a list, which must be the user's to have any. */
export async function countList(
  db: Kysely<Database>,
  userId: string,
  listId: number,
): Promise<LeadCounts> {
  const { rows } = await sql<LeadCounts>`
    select ${sumOf('companies')} as companies, ${sumOf('leads')} as leads
    from lead_counters where user_id = ${userId} and lead_list_id = ${listId}`.execute(db);
  return rows[0]!;
}

/** A counter has a row for each writer that there was at once; a part alone may be negative. */
export const sumOf = (column: keyof LeadCounts) =>
  sql<number>`coalesce(sum(lead_counters.${sql.ref(column)}), 0)::bigint`;
