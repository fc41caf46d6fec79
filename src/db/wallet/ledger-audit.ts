/** Compares all cached amounts with the ledger, in one snapshot. */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { reversedCents } from './reversed-cents.ts';
import type { Database } from '../tables.ts';

/** One mismatch; sums in cents. */
export interface WalletMismatch {
  check: string;
  /** The user, transaction or session concerned. */
  subject: string;
  expected: number;
  actual: number;
}

/** Every mismatch; empty when all is right. One statement, so one consistent snapshot under any load. */
export async function auditWallets(db: Kysely<Database>): Promise<WalletMismatch[]> {
  const { rows } = await sql<{ check: string; subject: string; expected: string; actual: string }>`
    with balances as (${accountBalances}), moved as (${transactionSums})
    ${sql.join([unbalanced, wallets, holds, transactions, reversals, checkouts, mismatches, recharges, twiceCharged], sql` union all `)}
  `.execute(db);
  return rows.map((row) => ({
    check: row.check,
    subject: row.subject,
    expected: Number(row.expected),
    actual: Number(row.actual),
  }));
}

const accountBalances = sql`
  select a.user_id,
    coalesce(sum(e.amount_cents) filter (where a.kind = 'available'), 0) as available,
    coalesce(sum(e.amount_cents) filter (where a.kind = 'held'), 0) as held,
    coalesce(-sum(e.amount_cents) filter (where a.kind = 'receivable'), 0) as owed
  from ledger_accounts a left join ledger_entries e on e.account_id = a.id
  where a.user_id is not null group by a.user_id`;

const transactionSums = sql`
  select user_id,
    sum(amount_cents) filter (where type not in ('hold', 'release')) as balance,
    sum(amount_cents) filter (where type <> 'capture') as available,
    (array_agg(balance_after_cents order by id desc))[1] as last_balance
  from ledger_transactions group by user_id`;

const unbalanced = sql`
  select 'entries sum to zero' as check, t.id::text as subject,
    0::numeric as expected, coalesce(sum(e.amount_cents), 0) as actual
  from ledger_transactions t left join ledger_entries e on e.transaction_id = t.id
  group by t.id having count(e.*) < 2 or sum(e.amount_cents) <> 0`;

const wallets = sql`
  select concat('wallet ', v.name), coalesce(w.user_id, b.user_id), v.ledger, v.cached
  from wallets w full join balances b on b.user_id = w.user_id
  cross join lateral (values
    ('available', b.available, w.available_cents),
    ('held', b.held, w.held_cents),
    ('owed', b.owed, w.owed_cents)) as v (name, ledger, cached)
  where v.ledger is distinct from v.cached or v.ledger < 0`;

const holds = sql`
  select 'open holds equal the held account', b.user_id, b.held, coalesce(h.open, 0)
  from balances b left join (
    select user_id, sum(amount_cents - captured_cents - released_cents) as open
    from holds group by user_id) h on h.user_id = b.user_id
  where b.held <> coalesce(h.open, 0)`;

/** The sum that clients can compute: the signs of `GET /wallet/transactions`. */
const transactions = sql`
  select concat('transactions sum to ', v.name), m.user_id, v.ledger, v.told
  from moved m join balances b on b.user_id = m.user_id
  cross join lateral (values
    ('balance', b.available + b.held, coalesce(m.balance, 0)),
    ('available', b.available, coalesce(m.available, 0)),
    ('balance after the last', b.available + b.held, m.last_balance::numeric)
  ) as v (name, ledger, told)
  where v.ledger is distinct from v.told`;

const reversals = sql`
  select 'taken back of a payment', r.payment_id,
    least(coalesce(c.credited_cents, 0), kept.cents), r.taken_back_cents
  from payment_reversals r
  left join credited_payments c on c.payment_id = r.payment_id
  cross join lateral (
    select ${reversedCents(sql`r.payment_id`, sql`r.refunded_cents`)} as cents) as kept
  where r.taken_back_cents <> least(coalesce(c.credited_cents, 0), kept.cents)`;

/** Each paid session has exactly one credit of its amount, and each credit of one has a session. */
const checkouts: RawBuilder<unknown> = sql`
  select 'credited of a session', coalesce(c.session_id, t.reference_id),
    coalesce(c.paid, 0), coalesce(t.credited, 0)
  from (
    select session_id, credited_cents,
      case when payment_status = 'paid' and mismatch is null then amount_cents else 0 end as paid
    from checkouts
  ) c full join (
    select reference_id, sum(amount_cents) as credited from ledger_transactions
    where type = 'credit' and reference_type = 'checkout' group by reference_id
  ) t on t.reference_id = c.session_id
  where coalesce(t.credited, 0) <> coalesce(c.credited_cents, 0)
    or coalesce(t.credited, 0) <> coalesce(c.paid, 0)`;

/** Payments that were not asked for, until the processor has given them back. */
const mismatches = sql`
  select concat('payment that was not asked for (', c.mismatch, ')'), c.session_id,
    0::numeric, (c.amount_cents - coalesce(kept.cents, 0))::numeric
  from checkouts c
  left join payment_reversals r on r.payment_id = c.payment_id
  left join lateral (
    select ${reversedCents(sql`r.payment_id`, sql`r.refunded_cents`)} as cents) as kept on true
  where c.mismatch is not null and c.amount_cents > coalesce(kept.cents, 0)`;

/** Each recharge that succeeded has exactly one credit, of its amount. */
const recharges = sql`
  select 'credited of a recharge', coalesce(r.id::text, t.reference_id),
    coalesce(r.paid, 0), coalesce(t.credited, 0)
  from (
    select id, credited_cents, case when state = 'succeeded' then amount_cents else 0 end as paid
    from wallet_recharges
  ) r full join (
    select reference_id, sum(amount_cents) as credited from ledger_transactions
    where type = 'credit' and reference_type = 'recharge' group by reference_id
  ) t on t.reference_id = r.id::text
  where coalesce(t.credited, 0) <> coalesce(r.credited_cents, 0)
    or coalesce(t.credited, 0) <> coalesce(r.paid, 0)`;

/** As `mismatches`, of recharges. */
const twiceCharged = sql`
  select concat('payment that was not asked for (', c.mismatch, ')'), c.mismatch_payment_id,
    0::numeric, (c.mismatch_cents - coalesce(kept.cents, 0))::numeric
  from wallet_recharges c
  left join payment_reversals r on r.payment_id = c.mismatch_payment_id
  left join lateral (
    select ${reversedCents(sql`r.payment_id`, sql`r.refunded_cents`)} as cents) as kept on true
  where c.mismatch is not null and c.mismatch_cents > coalesce(kept.cents, 0)`;
