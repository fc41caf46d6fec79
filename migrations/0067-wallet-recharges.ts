/** Automatic recharges: saved payment methods, the settings of each user, and each attempt. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await createSettings(db);
  await createRecharges(db);
  // What refunds and disputes are settled against, wherever the payment came from.
  await sql`
    create view credited_payments as
      select payment_id, 'checkout' as reference_type, session_id as reference_id, user_id,
        credited_cents
      from checkouts where payment_id is not null
      union all
      select payment_id, 'recharge', id::text, user_id, credited_cents
      from wallet_recharges where payment_id is not null
      union all
      select mismatch_payment_id, 'recharge', id::text, user_id, 0
      from wallet_recharges where mismatch_payment_id is not null`.execute(db);
}

async function createSettings(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table payment_methods (
      user_id text primary key references users (user_id),
      customer_id text not null,
      payment_method_id text not null,
      saved_at timestamptz not null
    )`.execute(db);
  await sql`
    create table auto_recharges (
      user_id text primary key references users (user_id),
      threshold_cents bigint not null check (threshold_cents > 0),
      amount_cents bigint not null check (amount_cents > 0),
      monthly_limit_cents bigint not null check (monthly_limit_cents >= amount_cents),
      stop_reason text,
      stopped_at timestamptz,
      limited_month text check (limited_month ~ '^[0-9]{4}-[0-9]{2}$'),
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      check ((stop_reason is null) = (stopped_at is null))
    )`.execute(db);
}

async function createRecharges(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table wallet_recharges (
      id bigint generated always as identity primary key,
      user_id text not null references users (user_id),
      amount_cents bigint not null check (amount_cents > 0),
      month text not null check (month ~ '^[0-9]{4}-[0-9]{2}$'),
      state text not null default 'pending' check (state in ('pending', 'succeeded', 'failed')),
      customer_id text not null,
      payment_method_id text not null,
      payment_id text unique,
      credited_cents bigint not null default 0 check (credited_cents >= 0),
      failure_reason text,
      decline_code text,
      mismatch text,
      mismatch_payment_id text unique,
      mismatch_cents bigint,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      check ((state = 'succeeded') = (credited_cents > 0))
    )`.execute(db);
  // One attempt at a time.
  await sql`
    create unique index on wallet_recharges (user_id) where state = 'pending'`.execute(db);
  await sql`create index on wallet_recharges (user_id, month)`.execute(db);
  await sql`revoke delete on wallet_recharges from outreach_app`.execute(db);
}
