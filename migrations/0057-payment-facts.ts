/** What the processor told of each refund and dispute, so that their events may come in any order. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table payment_refunds (
      refund_id text primary key,
      payment_id text not null references payment_reversals (payment_id),
      amount_cents bigint not null check (amount_cents > 0),
      has_failed boolean not null default false,
      created_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index on payment_refunds (payment_id)`.execute(db);
  await sql`revoke delete on payment_refunds from outreach_app`.execute(db);
  // What was taken at a dispute's beginning stays taken until the processor gives it back.
  await sql`alter table payment_disputes
    add column is_withdrawn boolean not null default true,
    add column is_reinstated boolean not null default false`.execute(db);
  await sql`alter table payment_disputes alter column is_withdrawn drop default`.execute(db);
  // Money goes both ways now: a sum that was taken before may be taken again.
  await sql`alter table payment_reversals
    add column movements integer not null default 0 check (movements >= 0)`.execute(db);
  await sql`alter table checkouts add column asked_cents bigint check (asked_cents > 0)`.execute(
    db,
  );
  await sql`update checkouts set asked_cents = amount_cents`.execute(db);
  // Why a paid session was not credited; a person decides, and gives the money back at the processor.
  await sql`alter table checkouts add column mismatch text`.execute(db);
  await sql`alter table payment_events drop constraint payment_events_outcome_check`.execute(db);
  await sql`alter table payment_events add constraint payment_events_outcome_check
    check (outcome in ('applied', 'ignored', 'unmatched', 'mismatched'))`.execute(db);
}
