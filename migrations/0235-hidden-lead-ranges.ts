/**
 * Ranges of ids in which all leads of an account are of lists that are being deleted: a page jumps over them, where it
 * would read a million hidden leads one by one until the rows of the newest list are removed.
 */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table hidden_lead_ranges (
      user_id text not null,
      lead_list_id bigint not null references lead_lists (id) on delete cascade,
      from_id bigint not null,
      to_id bigint not null,
      primary key (user_id, from_id)
    )`.execute(db);
  await sql`create index hidden_lead_ranges_list on hidden_lead_ranges (lead_list_id)`.execute(db);
  // Members with smaller ids are still to be looked at: null before the first look, 0 after the last.
  await sql`alter table lead_lists add column hidden_from bigint`.execute(db);
}
