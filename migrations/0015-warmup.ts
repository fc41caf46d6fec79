/** Warm-up: one row per enrolled mailbox, one per letter between partners. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table warmups (
      mailbox_id bigint primary key references mailboxes (id),
      user_id text not null references users (user_id),
      status text not null default 'inactive' check (status in
        ('inactive', 'warming', 'active', 'paused', 'throttled', 'quarantined')),
      status_reason text,
      start_volume integer not null,
      daily_increase integer not null,
      max_volume integer not null,
      reply_rate integer not null,
      weekdays_only boolean not null,
      day integer not null default 0,
      day_started_at timestamptz,
      day_volume integer not null default 0,
      cold_day integer not null default 0,
      quarantined_at timestamptz,
      health_score integer,
      run integer not null default 0,
      started_at timestamptz,
      paused_at timestamptz,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index warmups_user on warmups (user_id, mailbox_id)`.execute(db);
  await sql`create index warmups_partners on warmups (mailbox_id)
    where status in ('warming', 'active', 'throttled')`.execute(db);
  // to_mailbox_id is null for a seed address outside. Same send-once states as sends.
  await sql`
    create table warmup_letters (
      id bigint generated always as identity primary key,
      from_mailbox_id bigint not null references mailboxes (id),
      to_mailbox_id bigint references mailboxes (id),
      to_address text not null,
      in_reply_to_id bigint references warmup_letters (id),
      message_id text not null unique,
      state text not null default 'planned' check (state in
        ('planned', 'claimed', 'sending', 'sent', 'refused', 'uncertain', 'cancelled')),
      planned_at timestamptz not null,
      claimed_by uuid,
      claimed_at timestamptz,
      sent_at timestamptz,
      smtp_reply text,
      seen_at timestamptz,
      seen_in text check (seen_in in ('inbox', 'spam')),
      saved_at timestamptz,
      bounced_at timestamptz,
      created_at timestamptz not null default now()
    )`.execute(db);
  // One answer to a letter, however often it is looked at.
  await sql`create unique index warmup_letters_answer on warmup_letters (in_reply_to_id)
    where in_reply_to_id is not null`.execute(db);
  await sql`create index warmup_letters_planned on warmup_letters (from_mailbox_id, planned_at)
    where state in ('planned', 'claimed', 'sending')`.execute(db);
  await sql`create index warmup_letters_from on warmup_letters (from_mailbox_id, claimed_at desc)`.execute(
    db,
  );
  await sql`create index warmup_letters_to on warmup_letters (to_mailbox_id, claimed_at desc)`.execute(
    db,
  );
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
