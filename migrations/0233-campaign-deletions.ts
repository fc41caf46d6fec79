/** How far the removal of a deleted campaign's recipients is, beside what else is done in portions. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table campaigns add column recipients_removed_to bigint`.execute(db);
  await sql`drop index campaigns_in_portions`.execute(db);
  await sql`create index campaigns_in_portions on campaigns (id) where lists_enrolled_to is not null
    or holds_taken_up_to is not null or followups_planned_to is not null
    or recipients_removed_to is not null`.execute(db);
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
