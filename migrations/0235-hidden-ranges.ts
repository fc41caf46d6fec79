/**
 * Ranges of ids in which all leads, or companies, of an account are of lists that are being deleted: a page jumps over
 * them, where it would read a million hidden ones until the rows of the newest list are removed.
 */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table hidden_ranges (
      user_id text not null,
      kind text not null check (kind in ('leads', 'companies')),
      lead_list_id bigint not null references lead_lists (id) on delete cascade,
      from_id bigint not null,
      to_id bigint not null,
      primary key (user_id, kind, from_id)
    )`.execute(db);
  await sql`create index hidden_ranges_list on hidden_ranges (lead_list_id)`.execute(db);
  // Those of the list with smaller ids are still to be looked at: null before the first look, 0 after the last.
  await sql`alter table lead_lists
    add column hidden_leads_from bigint, add column hidden_companies_from bigint`.execute(db);
}
