/** What verifiers said about addresses, for as long as it holds, and jobs that validate many. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Facts about the world, shared by all accounts. No address stands here, only its hash: what is
  // known about a mailbox must not become a list of mailboxes.
  await sql`
    create table email_checks (
      key_hash bytea primary key,
      status text not null check (status in ('valid', 'risky', 'invalid', 'unknown')),
      reason text not null,
      facts jsonb not null,
      verifier text not null,
      checked_at timestamptz not null,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index email_checks_expiry on email_checks (expires_at)`.execute(db);
  await sql`
    create table email_validation_jobs (
      id bigint generated always as identity primary key,
      user_id text not null references users (user_id),
      kind text not null check (kind in ('bulk', 'list')),
      lead_list_id bigint references lead_lists (id) on delete set null,
      status text not null default 'processing'
        check (status in ('processing', 'completed', 'failed', 'cancelled')),
      total integer not null,
      valid integer not null default 0,
      risky integer not null default 0,
      invalid integer not null default 0,
      unknown integer not null default 0,
      error_code text,
      error_message text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      completed_at timestamptz
    )`.execute(db);
  await sql`create index email_validation_jobs_user
    on email_validation_jobs (user_id, id desc)`.execute(db);
  await sql`create index email_validation_jobs_list
    on email_validation_jobs (lead_list_id) where lead_list_id is not null`.execute(db);
  // status null: not checked yet. again_at: greylisted, tried once more at that time.
  await sql`
    create table email_validation_items (
      id bigint generated always as identity primary key,
      job_id bigint not null references email_validation_jobs (id) on delete cascade,
      email text not null,
      email_key text,
      lead_id bigint references leads (id) on delete set null,
      status text check (status in ('valid', 'risky', 'invalid', 'unknown')),
      score smallint,
      is_valid boolean,
      reason text,
      checks jsonb,
      suggestion text,
      checked_at timestamptz,
      tries smallint not null default 0,
      again_at timestamptz
    )`.execute(db);
  await sql`create index email_validation_items_job
    on email_validation_items (job_id, id)`.execute(db);
  await sql`create index email_validation_items_open
    on email_validation_items (job_id, id) where status is null`.execute(db);
  await sql`create index email_validation_items_again
    on email_validation_items (job_id, again_at) where again_at is not null`.execute(db);
  await sql`create index email_validation_items_lead
    on email_validation_items (lead_id) where lead_id is not null`.execute(db);
  // Who is erased is erased here, too.
  await sql`create index email_validation_items_key
    on email_validation_items (email_key) where email_key is not null`.execute(db);
}
