/** What several API processes share: rate counters and the answers kept for `Idempotency-Key`. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Unlogged: a crash of Postgres may forget a minute's counts, and no request waits for a disk.
  await sql`
    create unlogged table rate_counters (
      subject text primary key,
      minute_started_at timestamptz not null,
      minute_used integer not null,
      hour_started_at timestamptz not null,
      hour_used integer not null,
      granted integer not null
    ) with (fillfactor = 50)`.execute(db);

  await sql`
    create table idempotency_keys (
      user_id text not null references users,
      route text not null,
      key text not null,
      body_hash bytea not null,
      holder uuid not null,
      lease_until timestamptz not null,
      status integer,
      sealed_answer bytea,
      expires_at timestamptz not null,
      created_at timestamptz not null default now(),
      primary key (user_id, route, key),
      check ((status is null) = (sealed_answer is null))
    )`.execute(db);
  await sql`create index idempotency_keys_expires_at on idempotency_keys (expires_at)`.execute(db);
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
