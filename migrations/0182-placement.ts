/** Seed mailboxes of accounts, tests of where a campaign's message lands in them, and what a bad one holds. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table placement_seeds (
      id bigint generated always as identity primary key,
      user_id text not null references users (user_id),
      address text not null,
      provider text not null,
      username text not null,
      imap jsonb not null,
      password bytea not null,
      checked_at timestamptz,
      error_code text,
      error_message text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      unique (user_id, address)
    )`.execute(db);
  await sql`
    create table placement_tests (
      id bigint generated always as identity primary key,
      user_id text not null references users (user_id),
      campaign_id bigint references campaigns (id) on delete set null,
      mailbox_id bigint not null references mailboxes (id),
      step integer not null,
      variant integer,
      lead_id bigint references leads (id) on delete set null,
      min_inbox_percent integer not null,
      holds_campaign boolean not null,
      status text not null default 'processing' check (status in
        ('processing', 'completed', 'failed', 'cancelled')),
      look_until timestamptz,
      verdict text check (verdict in ('good', 'bad', 'unknown')),
      inbox_percent integer,
      campaign_held boolean not null default false,
      error_code text,
      error_message text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      finished_at timestamptz
    )`.execute(db);
  await sql`create index placement_tests_user on placement_tests (user_id, id desc)`.execute(db);
  await sql`create index placement_tests_campaign on placement_tests (campaign_id, id desc)`.execute(
    db,
  );
  // For the deletion of a lead.
  await sql`create index placement_tests_lead on placement_tests (lead_id)
    where lead_id is not null`.execute(db);
  // A seed that is deleted leaves what it has shown.
  await sql`
    create table placement_messages (
      id bigint generated always as identity primary key,
      test_id bigint not null references placement_tests (id),
      seed_id bigint references placement_seeds (id) on delete set null,
      mailbox_id bigint not null references mailboxes (id),
      address text not null,
      provider text not null,
      message_id text not null,
      state text not null default 'waiting' check (state in
        ('waiting', 'claimed', 'sending', 'sent', 'refused', 'uncertain', 'cancelled')),
      claimed_by text,
      claimed_at timestamptz,
      sent_at timestamptz,
      outcome text check (outcome in ('inbox', 'spam', 'other', 'missing', 'failed')),
      folder text,
      decided_at timestamptz,
      error_code text,
      error_message text
    )`.execute(db);
  await sql`create index placement_messages_test on placement_messages (test_id, id)`.execute(db);
  await sql`create index placement_messages_seed on placement_messages (seed_id)
    where seed_id is not null`.execute(db);
  // They count toward what their mailbox may send.
  await sql`create index placement_messages_mailbox on placement_messages (mailbox_id, claimed_at)
    where claimed_at is not null`.execute(db);
  await sql`
    alter table campaigns drop constraint campaigns_pause_reason_check,
      add constraint campaigns_pause_reason_check check (pause_reason in ('user', 'bounce_rate',
        'complaint_rate', 'no_mailbox', 'dns_failing', 'insufficient_data', 'bad_placement'))`.execute(
    db,
  );
  await sql`
    alter table schedules drop constraint schedules_kind_check,
      add constraint schedules_kind_check check (kind in ('maps_run', 'lead_process', 'placement_test'))`.execute(
    db,
  );
  await sql`alter table schedule_runs
    add placement_test_id bigint references placement_tests (id)`.execute(db);
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
