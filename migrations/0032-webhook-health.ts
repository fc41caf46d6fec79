/** How an endpoint answers, whether it is left alone, and since when and why it is disabled. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // All of it can be learned anew: nothing has to be filled in.
  await sql`
    alter table webhooks
      add column answer_ms integer,
      add column failures integer not null default 0,
      add column failing_since timestamptz,
      add column open_until timestamptz,
      add column disabled_at timestamptz,
      add column disabled_reason text check (disabled_reason in ('gone', 'failing')),
      add column notice_due_at timestamptz,
      add column noticed_at timestamptz`.execute(db);
  await sql`create index webhooks_notice_due on webhooks (notice_due_at)
    where notice_due_at is not null`.execute(db);
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
