/** What a comparison of our books with the vendors' has found, and when each book was last compared. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table findings (
      id bigint generated always as identity primary key,
      kind text not null,
      subject text not null,
      book text not null,
      operation_id bigint references operations (id),
      detail jsonb not null default '{}',
      state text not null default 'open' check (state in ('open', 'healed', 'gone')),
      found_at timestamptz not null,
      seen_at timestamptz not null,
      closed_at timestamptz,
      closed_by text,
      reason text,
      check ((state = 'open') = (closed_at is null))
    )`.execute(db);
  await sql`create unique index findings_open on findings (kind, subject) where state = 'open'`.execute(
    db,
  );
  await sql`revoke delete on findings from outreach_app`.execute(db);
  await sql`
    create table book_checks (
      book text primary key,
      checked_at timestamptz not null,
      succeeded_at timestamptz,
      error_kind text,
      error text
    )`.execute(db);
  // Looked at by every scrape of the metrics and by every comparison.
  await sql`create index operations_waiting on operations (blocked_at)
    where blocked_at is not null`.execute(db);
  await sql`create index operations_unfinished on operations (resource_type, resource_id)
    where finished_at is null`.execute(db);
  await sql`create index operations_hold on operations (hold_id) where hold_id is not null`.execute(
    db,
  );
  await sql`create index provider_resources_asked on provider_resources (asked_until)
    where state = 'creating'`.execute(db);
  await sql`create index provider_resources_external on provider_resources (provider, external_id)`.execute(
    db,
  );
}
