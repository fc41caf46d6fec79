/** Attempts to charge saved methods: each is credited at most once, whoever tells of its payment first. */
import { sql, type Kysely, type Selectable, type Transaction } from 'kysely';
import type { ChargeFailure } from '../../domain/wallet/auto-recharge.ts';
import { lockAutoRecharge, stopAutoRecharge } from './auto-recharges.ts';
import { credit } from './ledger.ts';
import { lockWallet } from './ledger-posting.ts';
import { findPaymentMethod } from './payment-methods.ts';
import { lockReversal, settleReversal } from './payment-reversals.ts';
import type { Database } from '../tables.ts';
import type { WalletRechargesTable } from './wallet-tables.ts';

type Trx = Transaction<Database>;

export type Recharge = Selectable<WalletRechargesTable>;

/** A payment of a recharge as the processor reports it. */
export interface RechargeFacts {
  rechargeId: number;
  /** As the payment names it: another one's belongs to a row of the same id that was lost. */
  chargeKey: string | null;
  userId: string | null;
  /** Null where the processor refused before it made a payment. */
  paymentId: string | null;
  amountCents: number;
  /** ISO 4217, lower case. */
  currency: string | null;
  status: 'succeeded' | 'pending' | 'failed';
  failure: { reason: ChargeFailure; declineCode: string | null } | null;
}

export const getRecharge = (db: Kysely<Database>, id: number): Promise<Recharge> =>
  db.selectFrom('wallet_recharges').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** What was charged or may still be, of a user in a month (`2026-11`, UTC); integer cents. */
export async function rechargedCents(
  db: Kysely<Database>,
  userId: string,
  month: string,
): Promise<number> {
  const { cents } = await db
    .selectFrom('wallet_recharges')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<string>('amount_cents'), eb.lit(0)).as('cents'))
    .where('user_id', '=', userId)
    .where('month', '=', month)
    .where('state', '<>', 'failed')
    .executeTakeFirstOrThrow();
  return Number(cents);
}

/**
 * Applies a report of the processor; reports may come twice, in any order and at the same time. A success is
 * credited once and is final; a failure stops the user's recharges, unless another card is saved. Undefined where there is no such attempt
 * of this user, or only one of the same id that the payment is not of. A payment of another amount or currency, and a second payment, are not credited: `mismatch`
 * says why. Locks in the order recharge, payment, wallet, settings.
 */
export async function applyRecharge(trx: Trx, facts: RechargeFacts): Promise<Recharge | undefined> {
  const row = await lockRecharge(trx, facts.rechargeId);
  if (!row || row.user_id !== facts.userId || row.charge_key !== facts.chargeKey) return undefined;
  if (facts.status === 'succeeded' && facts.paymentId !== null) {
    return applyPaid(trx, row, { ...facts, paymentId: facts.paymentId });
  }
  const isSame = row.payment_id === null || row.payment_id === facts.paymentId;
  if (row.state !== 'pending' || !isSame) return row;
  if (facts.status === 'failed') {
    return fail(trx, { ...row, payment_id: facts.paymentId }, facts.failure);
  }
  return change(trx, row.id, { payment_id: facts.paymentId });
}

/** Ends an attempt of which no payment is known. */
export async function giveUpRecharge(trx: Trx, rechargeId: number): Promise<void> {
  const row = await lockRecharge(trx, rechargeId);
  if (row?.state === 'pending' && row.payment_id === null) await fail(trx, row, null);
}

/**
 * The last look before the processor is asked, and the note that it is: whoever changes the settings comes before or
 * after. False where the client wants none any more, or not this one: then nothing is asked, and noted only that it may
 * have been until now, where the row says nothing. Locks as `applyRecharge`; `now` is read behind all locks.
 */
export async function beginCharge(
  trx: Trx,
  rechargeId: number,
  now: () => Date,
): Promise<{ row: Recharge; isWanted: boolean }> {
  const row = await getLocked(trx, rechargeId);
  if (row.state !== 'pending') return { row, isWanted: false };
  const wanted = await isWanted(trx, row);
  if (!wanted && row.asked_at !== null) return { row, isWanted: false };
  return { row: await change(trx, row.id, { asked_at: now() }), isWanted: wanted };
}

async function isWanted(trx: Trx, row: Recharge): Promise<boolean> {
  const wallet = await lockWallet(trx, row.user_id);
  const settings = await lockAutoRecharge(trx, row.user_id);
  return (
    settings !== undefined &&
    settings.stop_reason === null &&
    row.amount_cents <= settings.amount_cents &&
    wallet.availableCents < settings.threshold_cents &&
    (await findPaymentMethod(trx, row.user_id))?.payment_method_id === row.payment_method_id &&
    // The row itself is among them.
    (await rechargedCents(trx, row.user_id, row.month)) <= settings.monthly_limit_cents
  );
}

/** Ends an attempt that was not charged as it is not wanted any more: nothing has failed, so nothing stops. */
export async function withdrawRecharge(trx: Trx, rechargeId: number): Promise<Recharge> {
  const row = await getLocked(trx, rechargeId);
  if (row.state !== 'pending' || row.payment_id !== null) return row;
  return change(trx, row.id, { state: 'failed', failure_reason: 'no_longer_wanted' });
}

async function getLocked(trx: Trx, rechargeId: number): Promise<Recharge> {
  const row = await lockRecharge(trx, rechargeId);
  if (!row) throw new Error(`there is no recharge ${rechargeId}`);
  return row;
}

/** The one currency of wallets. */
const CURRENCY = 'usd';

async function applyPaid(
  trx: Trx,
  row: Recharge,
  facts: RechargeFacts & { paymentId: string },
): Promise<Recharge> {
  const { paymentId, amountCents } = facts;
  if (row.credited_cents > 0 && row.payment_id === paymentId) return row;
  const mismatch = mismatchOf(row, facts);
  if (mismatch !== undefined) {
    return change(trx, row.id, {
      mismatch,
      mismatch_payment_id: paymentId,
      mismatch_cents: amountCents,
    });
  }
  await lockReversal(trx, paymentId);
  await credit(trx, {
    userId: row.user_id,
    amountCents,
    operationKey: `recharge:${row.id}`,
    referenceType: 'recharge',
    referenceId: String(row.id),
    description: 'Automatic recharge',
  });
  const credited = await change(trx, row.id, {
    state: 'succeeded',
    payment_id: paymentId,
    credited_cents: amountCents,
  });
  await settleReversal(trx, paymentId);
  return credited;
}

function mismatchOf(row: Recharge, { amountCents, currency }: RechargeFacts): string | undefined {
  if (row.credited_cents > 0) return 'paid a second time';
  if (currency !== CURRENCY) return `paid in ${currency ?? 'no currency'}`;
  if (amountCents === row.amount_cents) return undefined;
  return `paid ${amountCents}, asked for ${row.amount_cents}`;
}

async function fail(trx: Trx, row: Recharge, failure: RechargeFacts['failure']): Promise<Recharge> {
  const reason = failure?.reason ?? 'processor_error';
  const declineCode = failure?.declineCode ?? null;
  const failed = await change(trx, row.id, {
    state: 'failed',
    payment_id: row.payment_id,
    failure_reason: reason,
    decline_code: declineCode,
  });
  const saved = failure && (await findPaymentMethod(trx, row.user_id));
  // A card that was saved since is not to blame: it is charged next.
  if (saved && saved.payment_method_id !== row.payment_method_id) return failed;
  await stopAutoRecharge(trx, { userId: row.user_id, reason, rechargeId: row.id, declineCode });
  return failed;
}

const lockRecharge = (trx: Trx, id: number): Promise<Recharge | undefined> =>
  trx
    .selectFrom('wallet_recharges')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

type Change = Partial<
  Pick<
    Recharge,
    | 'state'
    | 'payment_id'
    | 'asked_at'
    | 'credited_cents'
    | 'failure_reason'
    | 'decline_code'
    | 'mismatch'
    | 'mismatch_payment_id'
    | 'mismatch_cents'
  >
>;

const change = (trx: Trx, id: number, values: Change): Promise<Recharge> =>
  trx
    .updateTable('wallet_recharges')
    .set({ ...values, updated_at: sql`now()` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
