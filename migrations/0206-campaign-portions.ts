/** What a change of a campaign still does, portion by portion: leads of its lists, held addresses, dates of follow-ups. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table campaigns add column lists_enrolled_to bigint,
      add column holds_taken_up_to bigint,
      add column followups_planned_to bigint,
      add column followups_to_plan integer[]`.execute(db);
  await sql`create index campaigns_in_portions on campaigns (id) where lists_enrolled_to is not null
    or holds_taken_up_to is not null or followups_planned_to is not null`.execute(db);
}
