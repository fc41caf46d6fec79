/** Checkout sessions: each is credited exactly once, whether webhook or verification reports it first. */
import { sql, type Kysely, type Selectable, type Transaction } from 'kysely';
import { credit } from './ledger.ts';
import { lockReversal, settleReversal } from './payment-reversals.ts';
import type { Database } from '../tables.ts';
import type { CheckoutsTable } from './wallet-tables.ts';

/** A session as the processor reports it. `userId` is null when the report does not name the user. */
export interface CheckoutFacts {
  sessionId: string;
  userId: string | null;
  amountCents: number;
  /** ISO 4217, lower case; null where the report names none. */
  currency: string | null;
  /** What the payer was asked for; null where the report does not say. */
  askedCents: number | null;
  status: 'open' | 'complete' | 'expired';
  paymentStatus: 'paid' | 'unpaid' | 'no_payment_required';
  paymentId: string | null;
}

export type CheckoutRow = Selectable<CheckoutsTable>;

/** The session as we know it, or undefined. */
export async function findCheckout(
  db: Kysely<Database>,
  sessionId: string,
): Promise<CheckoutRow | undefined> {
  return db
    .selectFrom('checkouts')
    .selectAll()
    .where('session_id', '=', sessionId)
    .executeTakeFirst();
}

/** Stores a new session; its webhook may have come before. */
export async function insertCheckout(
  db: Kysely<Database>,
  checkout: CheckoutFacts & { userId: string },
): Promise<void> {
  await db
    .insertInto('checkouts')
    .values({
      session_id: checkout.sessionId,
      user_id: checkout.userId,
      amount_cents: checkout.amountCents,
      status: checkout.status,
      payment_status: checkout.paymentStatus,
      payment_id: checkout.paymentId,
      asked_cents: checkout.askedCents,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Applies the processor's report of a session, and credits the wallet once it is paid. Reports may come
 * twice, in any order and at the same time from webhook and verify. Undefined when the session cannot be
 * matched with a user of ours: nothing is credited then. Nor is a payment of another amount or in another
 * currency than was asked for: the row's `mismatch` says why, and the audit of the wallets shows it.
 *
 * Locks in the order session, payment, wallet.
 */
export async function applyCheckout(
  trx: Transaction<Database>,
  facts: CheckoutFacts,
): Promise<CheckoutRow | undefined> {
  const known = await lockCheckout(trx, facts);
  if (!known || (facts.userId !== null && facts.userId !== known.user_id)) return undefined;
  const row = await updateCheckout(trx, known, facts);
  const mismatch = mismatchOf(row, facts);
  if (mismatch !== undefined) return noteMismatch(trx, row, mismatch);
  if (row.payment_id) await lockReversal(trx, row.payment_id);
  const credited = row.credited_cents > 0 ? row : await creditOnce(trx, row);
  if (row.payment_id) await settleReversal(trx, row.payment_id);
  return credited;
}

/** Why a paid session is not what was asked for; undefined where it is. */
function mismatchOf(row: CheckoutRow, { paymentStatus, currency }: CheckoutFacts) {
  if (paymentStatus !== 'paid' || row.credited_cents > 0) return undefined;
  if (currency !== CURRENCY) return `paid in ${currency ?? 'no currency'}`;
  if (row.amount_cents === row.asked_cents) return undefined;
  return `paid ${row.amount_cents}, asked for ${row.asked_cents ?? 'nothing'}`;
}

const noteMismatch = (trx: Transaction<Database>, row: CheckoutRow, mismatch: string) =>
  trx
    .updateTable('checkouts')
    .set({ mismatch })
    .where('session_id', '=', row.session_id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** The one currency of wallets. */
const CURRENCY = 'usd';

async function creditOnce(trx: Transaction<Database>, row: CheckoutRow): Promise<CheckoutRow> {
  if (row.payment_status !== 'paid' || row.mismatch !== null) return row;
  await credit(trx, {
    userId: row.user_id,
    amountCents: row.amount_cents,
    operationKey: `checkout:${row.session_id}`,
    referenceType: 'checkout',
    referenceId: row.session_id,
    description: 'Wallet funding',
  });
  return trx
    .updateTable('checkouts')
    .set({ credited_cents: row.amount_cents })
    .where('session_id', '=', row.session_id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The session's row, locked. An unknown one (the process died after making it) is inserted. */
async function lockCheckout(trx: Transaction<Database>, facts: CheckoutFacts) {
  const read = () =>
    trx
      .selectFrom('checkouts')
      .selectAll()
      .where('session_id', '=', facts.sessionId)
      .forUpdate()
      .executeTakeFirst();
  const found = await read();
  if (found || facts.userId === null || facts.amountCents <= 0) return found;
  const user = await trx
    .selectFrom('users')
    .select('user_id')
    .where('user_id', '=', facts.userId)
    .executeTakeFirst();
  if (!user) return undefined;
  await insertCheckout(trx, { ...facts, userId: facts.userId });
  return read();
}

/** An old report never overwrites a newer one: `complete` and `expired` stay, and so does `paid`. */
async function updateCheckout(
  trx: Transaction<Database>,
  known: CheckoutRow,
  facts: CheckoutFacts,
): Promise<CheckoutRow> {
  const isPaid = known.payment_status === 'paid' || facts.paymentStatus === 'paid';
  return trx
    .updateTable('checkouts')
    .set({
      // The paid amount counts, not the requested one; after the credit it is fixed.
      amount_cents: known.credited_cents || facts.amountCents || known.amount_cents,
      status: known.status === 'open' ? facts.status : known.status,
      payment_status: isPaid ? 'paid' : facts.paymentStatus,
      payment_id: known.payment_id ?? facts.paymentId,
      asked_cents: known.asked_cents ?? facts.askedCents,
      updated_at: sql`now()`,
    })
    .where('session_id', '=', known.session_id)
    .returningAll()
    .executeTakeFirstOrThrow();
}
