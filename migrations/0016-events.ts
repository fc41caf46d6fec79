/** Events for clients, the endpoints that want them, and each delivery. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Written with what they tell. The order of commits is not that of ids: txid says which
  // transactions were still open, so a reader that goes on after a place misses nothing.
  await sql`
    create table events (
      id bigint generated always as identity primary key,
      txid xid8 not null default pg_current_xact_id(),
      user_id text not null references users (user_id),
      type text not null,
      resource text not null,
      payload jsonb not null,
      created_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index events_user on events (user_id, txid, id)`.execute(db);
  await sql`
    create table webhooks (
      id bigint generated always as identity primary key,
      user_id text not null references users (user_id),
      url text not null,
      event_types text[] not null,
      description text,
      is_active boolean not null default true,
      secret bytea,
      previous_secret bytea,
      previous_secret_expires_at timestamptz,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index webhooks_user on webhooks (user_id, id desc)`.execute(db);
  await sql`
    create table webhook_deliveries (
      id bigint generated always as identity primary key,
      webhook_id bigint not null references webhooks (id) on delete cascade,
      event_id bigint not null references events (id),
      resource text not null,
      state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
      attempts integer not null default 0,
      next_attempt_at timestamptz,
      leased_until timestamptz,
      last_status integer,
      last_error text,
      delivered_at timestamptz,
      requeued_at timestamptz,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index webhook_deliveries_webhook on webhook_deliveries (webhook_id, id desc)`.execute(
    db,
  );
  // What waits for an earlier one of its resource has no time: it is out of the way of what is due.
  await sql`create index webhook_deliveries_due on webhook_deliveries (webhook_id, next_attempt_at)
    where state = 'pending' and next_attempt_at is not null`.execute(db);
  // In order per resource: the oldest that is pending is the only one that may go.
  await sql`create index webhook_deliveries_order on webhook_deliveries (webhook_id, resource, id)
    where state = 'pending'`.execute(db);
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
