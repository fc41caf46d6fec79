/** Our records of payments, for the comparison with those of the processor. */
import { sql, type Kysely } from 'kysely';
import type { Database } from '../tables.ts';

export interface KnownCheckout {
  sessionId: string;
  userId: string;
  creditedCents: number;
  mismatch: string | null;
}

/** By session; unknown ones are absent. */
export async function findCheckouts(
  db: Kysely<Database>,
  sessionIds: readonly string[],
): Promise<Map<string, KnownCheckout>> {
  if (sessionIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('checkouts')
    .select(['session_id as sessionId', 'user_id as userId', 'credited_cents as creditedCents'])
    .select('mismatch')
    .where(sql<boolean>`session_id = any (${[...sessionIds]}::text[])`)
    .execute();
  return new Map(rows.map((row) => [row.sessionId, row]));
}

/** Sessions that were begun and credited between two moments. */
export const listCredited = (db: Kysely<Database>, from: Date, to: Date) =>
  db
    .selectFrom('checkouts')
    .select(['session_id as sessionId', 'user_id as userId', 'credited_cents as creditedCents'])
    .where('credited_cents', '>', 0)
    .where('created_at', '>=', from)
    .where('created_at', '<', to)
    .orderBy('created_at')
    .execute();

export interface KnownRecharge {
  rechargeId: number;
  userId: string;
  chargeKey: string | null;
  state: 'pending' | 'succeeded' | 'failed';
  paymentId: string | null;
  /** Of a payment that was not asked for. */
  mismatchPaymentId: string | null;
}

/** By id; unknown ones are absent. */
export async function findRecharges(
  db: Kysely<Database>,
  ids: readonly number[],
): Promise<Map<number, KnownRecharge>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('wallet_recharges')
    .select(['id as rechargeId', 'user_id as userId', 'payment_id as paymentId'])
    .select(['state', 'mismatch_payment_id as mismatchPaymentId', 'charge_key as chargeKey'])
    .where('id', 'in', [...ids])
    .execute();
  return new Map(rows.map((row) => [row.rechargeId, row]));
}

/** Recharges that were begun between two moments and credited. */
export const listCreditedRecharges = (db: Kysely<Database>, from: Date, to: Date) =>
  db
    .selectFrom('wallet_recharges')
    .select(['payment_id as paymentId', 'user_id as userId', 'credited_cents as creditedCents'])
    .where('credited_cents', '>', 0)
    .where('created_at', '>=', from)
    .where('created_at', '<', to)
    .orderBy('created_at')
    .execute();

/** Facts of refunds and disputes of payments of ours, by their ids at the processor. */
export async function findReversals(
  db: Kysely<Database>,
  paymentIds: readonly string[],
): Promise<{ payments: Set<string>; facts: Set<string> }> {
  const ids = sql`${[...paymentIds]}::text[]`;
  const { rows } = await sql<{ payment: string; fact: string | null }>`
    select paid.payment_id as payment, known.fact from credited_payments as paid left join (
      select payment_id, concat(refund_id, ' ', has_failed) as fact from payment_refunds
      union all
      select payment_id, concat(dispute_id, ' ', is_withdrawn, ' ', is_reinstated)
      from payment_disputes) as known on known.payment_id = paid.payment_id
    where paid.payment_id = any (${ids})`.execute(db);
  return {
    payments: new Set(rows.map(({ payment }) => payment)),
    facts: new Set(rows.flatMap(({ fact }) => fact ?? [])),
  };
}

/** As `findReversals` names it; Postgres writes `t` and `f`. */
export const factOf = (id: string, ...flags: readonly boolean[]): string =>
  [id, ...flags.map((flag) => (flag ? 't' : 'f'))].join(' ');
