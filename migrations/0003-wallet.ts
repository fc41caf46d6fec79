/** The wallet: a double-entry, append-only ledger, cached balances, holds and checkouts. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await createLedger(db);
  await refuseUnbalanced(db);
  await refuseChanges(db);
  await createWallets(db);
  await createPayments(db);
  await keepRows(db);
}

/**
 * Sign convention: what we owe somebody is positive, what somebody owes us is negative,
 * so the entries of each transaction, and of the whole ledger, sum to zero.
 */
async function createLedger(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table ledger_accounts (
      id bigint generated always as identity primary key,
      user_id text references users (user_id),
      kind text not null,
      created_at timestamptz not null default now(),
      unique nulls not distinct (user_id, kind),
      check (case when user_id is null then kind in ('processor', 'revenue')
             else kind in ('available', 'held', 'receivable') end)
    )`.execute(db);
  await sql`insert into ledger_accounts (kind) values ('processor'), ('revenue')`.execute(db);
  await sql`
    create table ledger_transactions (
      id bigint generated always as identity primary key,
      user_id text not null references users (user_id),
      type text not null
        check (type in ('credit', 'hold', 'capture', 'release', 'refund', 'adjustment')),
      amount_cents bigint not null,
      balance_after_cents bigint not null check (balance_after_cents >= 0),
      status text not null default 'completed' check (status = 'completed'),
      reference_type text not null,
      reference_id text not null,
      description text not null,
      operation_key text not null unique,
      created_at timestamptz not null default now(),
      check (case when type in ('credit', 'release', 'refund') then amount_cents > 0
                  when type in ('hold', 'capture') then amount_cents < 0
                  else true end)
    )`.execute(db);
  await sql`create index on ledger_transactions (user_id, id desc)`.execute(db);
  await sql`create index on ledger_transactions (reference_type, reference_id)`.execute(db);
  await sql`
    create table ledger_entries (
      transaction_id bigint not null references ledger_transactions (id),
      account_id bigint not null references ledger_accounts (id),
      amount_cents bigint not null check (amount_cents <> 0),
      primary key (transaction_id, account_id)
    )`.execute(db);
  await sql`create index on ledger_entries (account_id)`.execute(db);
}

/** At commit every new transaction must have entries, and they must sum to zero. */
async function refuseUnbalanced(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function check_ledger_balance() returns trigger language plpgsql as $$
    declare
      checked_id bigint;
      entry_count bigint;
      total numeric;
    begin
      if tg_table_name = 'ledger_entries' then
        checked_id := new.transaction_id;
      else
        checked_id := new.id;
      end if;
      select count(*), coalesce(sum(amount_cents), 0) into entry_count, total
        from ledger_entries where transaction_id = checked_id;
      if entry_count < 2 or total <> 0 then
        raise exception 'ledger transaction % does not balance: % entries, sum %',
          checked_id, entry_count, total using errcode = 'check_violation';
      end if;
      return null;
    end $$`.execute(db);
  for (const table of ['ledger_transactions', 'ledger_entries']) {
    await sql`
      create constraint trigger must_balance after insert on ${sql.table(table)}
      deferrable initially deferred for each row execute function check_ledger_balance()
    `.execute(db);
  }
}

/** Rights stop the application's role; the trigger stops everybody, the owner too. */
async function refuseChanges(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function refuse_ledger_change() returns trigger language plpgsql as $$
    begin
      raise exception 'the ledger is append-only: % on % refused', tg_op, tg_table_name
        using errcode = 'insufficient_privilege';
    end $$`.execute(db);
  for (const table of ['ledger_accounts', 'ledger_transactions', 'ledger_entries']) {
    await sql`
      create trigger append_only before update or delete or truncate on ${sql.table(table)}
      for each statement execute function refuse_ledger_change()`.execute(db);
    await sql`
      revoke update, delete, truncate on ${sql.table(table)} from outreach_app`.execute(db);
  }
}

/** `wallets` caches the ledger's balances: one row to lock, and the database's own floor of 0. */
async function createWallets(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table wallets (
      user_id text primary key references users (user_id),
      available_cents bigint not null default 0 check (available_cents >= 0),
      held_cents bigint not null default 0 check (held_cents >= 0),
      owed_cents bigint not null default 0 check (owed_cents >= 0),
      low_balance_threshold_cents bigint check (low_balance_threshold_cents >= 0),
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      check (owed_cents = 0 or available_cents = 0)
    )`.execute(db);
  await sql`
    create table holds (
      id bigint generated always as identity primary key,
      user_id text not null references wallets (user_id),
      transaction_id bigint not null unique references ledger_transactions (id),
      reference_type text not null,
      reference_id text not null,
      amount_cents bigint not null check (amount_cents > 0),
      captured_cents bigint not null default 0 check (captured_cents >= 0),
      released_cents bigint not null default 0 check (released_cents >= 0),
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      check (captured_cents + released_cents <= amount_cents)
    )`.execute(db);
  await sql`create index on holds (reference_type, reference_id)`.execute(db);
  await sql`
    create index on holds (user_id)
    where captured_cents + released_cents < amount_cents`.execute(db);
}

/** What the payment processor told: sessions, reversals of payments, and its events. */
async function createPayments(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table checkouts (
      session_id text primary key,
      user_id text not null references users (user_id),
      amount_cents bigint not null check (amount_cents > 0),
      status text not null check (status in ('open', 'complete', 'expired')),
      payment_status text not null
        check (payment_status in ('paid', 'unpaid', 'no_payment_required')),
      payment_id text unique,
      credited_cents bigint not null default 0 check (credited_cents >= 0),
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index on checkouts (user_id)`.execute(db);
  await sql`
    create table payment_reversals (
      payment_id text primary key,
      refunded_cents bigint not null default 0 check (refunded_cents >= 0),
      taken_back_cents bigint not null default 0 check (taken_back_cents >= 0),
      updated_at timestamptz not null default now()
    )`.execute(db);
  await sql`
    create table payment_disputes (
      dispute_id text primary key,
      payment_id text not null references payment_reversals (payment_id),
      amount_cents bigint not null check (amount_cents > 0),
      created_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index on payment_disputes (payment_id)`.execute(db);
  await sql`
    create table payment_events (
      event_id text primary key,
      type text not null,
      outcome text not null check (outcome in ('applied', 'ignored', 'unmatched')),
      received_at timestamptz not null default now()
    )`.execute(db);
}

/** Where money is or came from is never forgotten: the application's role deletes none of it. */
async function keepRows(db: Kysely<unknown>): Promise<void> {
  await sql`
    revoke delete on wallets, holds, checkouts, payment_reversals, payment_disputes, payment_events
    from outreach_app`.execute(db);
}
