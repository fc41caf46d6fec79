/** The time zone of a lead, and campaigns that send when the clock of the recipient says so. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table leads add column timezone text`.execute(db);
  await sql`
    alter table campaigns add column use_recipient_timezone boolean not null default false,
      add column times_changed_at timestamptz`.execute(db);
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
