/**
 * The writer of the ledger: every movement of money is one of these functions, or of ledger-adjustments.ts.
 *
 * Each takes the caller's transaction first and is safe to repeat: the same `operationKey` returns the first
 * result and changes nothing. Amounts are positive integer cents.
 */
import { sql, type Transaction } from 'kysely';
import { insertEvents } from '../webhooks/events.ts';
import { holdOf, lockHold } from './ledger-holds.ts';
import {
  findOperation,
  lockWallet,
  post,
  saveWallet,
  settleOwed,
  type Movement,
} from './ledger-posting.ts';
import {
  assertLeft,
  assertPositive,
  exceeded,
  insufficientBalance,
  leftOf,
  referenceOf,
} from './ledger-rules.ts';
import type { Database } from '../tables.ts';

type Trx = Transaction<Database>;

export interface WalletMovement extends Movement {
  userId: string;
  amountCents: number;
}

/** A movement on a hold; its reference is the hold's. */
export interface HoldMovement {
  holdId: number;
  operationKey: string;
  description: string;
}

/** Money from the processor becomes available; debt is settled from it first. */
export async function credit(trx: Trx, movement: WalletMovement): Promise<void> {
  const { userId, amountCents } = movement;
  assertPositive(amountCents);
  const wallet = await lockWallet(trx, userId);
  if (await findOperation(trx, { ...movement, type: 'credit' })) return;
  const entries = { processor: -amountCents, available: amountCents };
  await post(trx, wallet, { ...movement, type: 'credit', amountCents, entries });
  await settleOwed(trx, wallet, movement);
  await saveWallet(trx, wallet);
  const { referenceType, referenceId } = movement;
  const payload = {
    amountCents,
    availableCents: wallet.availableCents,
    referenceType,
    referenceId,
  };
  await insertEvents(trx, [{ userId, type: 'wallet.credited', resource: 'wallet', payload }]);
}

/**
 * Sets money aside for work that is about to start.
 * Throws `payment_required` INSUFFICIENT_BALANCE (402) when less is available; a wallet that
 * owes has nothing available, so it is refused as well. Choices 35, 40.
 */
export async function hold(trx: Trx, movement: WalletMovement): Promise<{ holdId: number }> {
  const { userId, amountCents, referenceType, referenceId } = movement;
  assertPositive(amountCents);
  const wallet = await lockWallet(trx, userId);
  const done = await findOperation(trx, { ...movement, type: 'hold' });
  if (done) return { holdId: await holdOf(trx, done.id) };
  if (wallet.availableCents < amountCents || wallet.owedCents > 0) {
    throw insufficientBalance(amountCents, wallet.availableCents);
  }
  const { transactionId } = await post(trx, wallet, {
    ...movement,
    type: 'hold',
    amountCents: -amountCents,
    entries: { available: -amountCents, held: amountCents },
  });
  const { id } = await trx
    .insertInto('holds')
    .values({
      user_id: userId,
      transaction_id: transactionId,
      reference_type: referenceType,
      reference_id: referenceId,
      amount_cents: amountCents,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await saveWallet(trx, wallet);
  return { holdId: id };
}

/** A part of a hold is earned: it leaves the wallet. Throws when the hold has less left. */
export async function captureHold(
  trx: Trx,
  capture: HoldMovement & { amountCents: number },
): Promise<void> {
  const { amountCents } = capture;
  assertPositive(amountCents);
  const { wallet, held } = await lockHold(trx, capture.holdId);
  const key = {
    userId: wallet.userId,
    type: 'capture',
    operationKey: capture.operationKey,
  } as const;
  if (await findOperation(trx, key)) return;
  assertLeft(held, amountCents);
  await post(trx, wallet, {
    ...referenceOf(held),
    ...capture,
    type: 'capture',
    amountCents: -amountCents,
    entries: { held: -amountCents, revenue: amountCents },
  });
  await trx
    .updateTable('holds')
    .set({ captured_cents: held.captured_cents + amountCents, updated_at: sql`now()` })
    .where('id', '=', held.id)
    .execute();
  await saveWallet(trx, wallet);
}

/**
 * A hold, or `amountCents` of it, becomes available again; debt is settled from it first. With nothing left
 * it does nothing and says 0.
 */
export async function releaseHold(
  trx: Trx,
  release: HoldMovement & { amountCents?: number },
): Promise<{ releasedCents: number }> {
  const { wallet, held } = await lockHold(trx, release.holdId);
  const key = {
    userId: wallet.userId,
    type: 'release',
    operationKey: release.operationKey,
  } as const;
  const done = await findOperation(trx, key);
  if (done) return { releasedCents: done.amount_cents };
  const amountCents = release.amountCents ?? leftOf(held);
  if (amountCents === 0 && release.amountCents === undefined) return { releasedCents: 0 };
  assertPositive(amountCents);
  assertLeft(held, amountCents);
  const movement = { ...referenceOf(held), ...release };
  const entries = { held: -amountCents, available: amountCents };
  await post(trx, wallet, { ...movement, type: 'release', amountCents, entries });
  await settleOwed(trx, wallet, movement);
  await trx
    .updateTable('holds')
    .set({ released_cents: held.released_cents + amountCents, updated_at: sql`now()` })
    .where('id', '=', held.id)
    .execute();
  await saveWallet(trx, wallet);
  return { releasedCents: amountCents };
}

/**
 * Captured money comes back to the user; what is owed is settled from it first.
 * Throws when more would come back than was captured under the same reference.
 */
export async function refund(trx: Trx, movement: WalletMovement): Promise<void> {
  const { userId, amountCents } = movement;
  assertPositive(amountCents);
  const wallet = await lockWallet(trx, userId);
  if (await findOperation(trx, { ...movement, type: 'refund' })) return;
  const refundable = await capturedCents(trx, movement);
  if (refundable < amountCents) throw exceeded('refund', amountCents, refundable);
  const entries = { revenue: -amountCents, available: amountCents };
  await post(trx, wallet, { ...movement, type: 'refund', amountCents, entries });
  await settleOwed(trx, wallet, movement);
  await saveWallet(trx, wallet);
}

/** Captured under this reference and not yet refunded. Captures are negative, refunds positive. */
async function capturedCents(trx: Trx, movement: WalletMovement): Promise<number> {
  const { net } = await trx
    .selectFrom('ledger_transactions')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<string>('amount_cents'), eb.lit(0)).as('net'))
    .where('reference_type', '=', movement.referenceType)
    .where('reference_id', '=', movement.referenceId)
    .where('user_id', '=', movement.userId)
    .where('type', 'in', ['capture', 'refund'])
    .executeTakeFirstOrThrow();
  return -Number(net);
}
