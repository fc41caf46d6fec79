/** How many companies and leads there are, as triggers count them: migrations/0045-lead-counters.ts. */
import { sql, type Kysely } from 'kysely';
import { isKeptList } from './deleted-lists.ts';
import type { Database } from '../tables.ts';

export interface LeadCounts {
  companies: number;
  leads: number;
}

/** Of the whole account without lists that are being deleted; exact, also under concurrent writes. */
export async function countAccount(db: Kysely<Database>, userId: string): Promise<LeadCounts> {
  const { rows } = await sql<LeadCounts>`
    select coalesce(sum(sign * companies), 0)::bigint as companies,
      coalesce(sum(sign * leads), 0)::bigint as leads
    from (
      select 1 as sign, companies, leads from lead_counters
      where user_id = ${userId} and lead_list_id is null
      union all
      select -1, counter.companies, counter.leads from lead_lists as list
        join lead_counters as counter on counter.lead_list_id = list.id
      where list.user_id = ${userId} and list.deleted_at is not null) as counted`.execute(db);
  return rows[0]!;
}

/** Of a list; zero where it is not the user's. */
export async function countList(
  db: Kysely<Database>,
  userId: string,
  listId: number,
): Promise<LeadCounts> {
  const { rows } = await sql<LeadCounts>`
    select ${sumOf('companies')} as companies, ${sumOf('leads')} as leads
    from lead_counters where user_id = ${userId} and lead_list_id = ${listId}
      and ${isKeptList(listId)}`.execute(db);
  return rows[0]!;
}

/** A counter has a row for each concurrent writer; a single row may be negative. */
export const sumOf = (column: keyof LeadCounts) =>
  sql<number>`coalesce(sum(lead_counters.${sql.ref(column)}), 0)::bigint`;
