/** For what a validation waits, since when and until when; and when an operator last woke it. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table email_validation_jobs add column waiting_reason text,
    add column waiting_since timestamptz, add column waiting_until timestamptz,
    add column woken_at timestamptz`.execute(db);
  await sql`create index email_validation_jobs_waiting on email_validation_jobs (waiting_since)
    where waiting_reason is not null`.execute(db);
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
