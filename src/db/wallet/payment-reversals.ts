/** Money that the processor takes back: refunds and disputes of a payment, in any order. */
import { sql, type Transaction } from 'kysely';
import { takeBack } from './ledger.ts';
import type { Database } from '../tables.ts';

type Trx = Transaction<Database>;

/**
 * A payment was refunded at the processor. `totalRefundedCents` is cumulative, so an older
 * event that comes late changes nothing.
 */
export async function applyRefund(
  trx: Trx,
  refund: { paymentId: string; totalRefundedCents: number },
): Promise<void> {
  await lockReversal(trx, refund.paymentId);
  await trx
    .updateTable('payment_reversals')
    .set({ refunded_cents: refund.totalRefundedCents, updated_at: sql`now()` })
    .where('payment_id', '=', refund.paymentId)
    .where('refunded_cents', '<', refund.totalRefundedCents)
    .execute();
  await settleReversal(trx, refund.paymentId);
}

/** A payment was disputed: the processor takes the disputed amount back at once. */
export async function applyDispute(
  trx: Trx,
  dispute: { paymentId: string; disputeId: string; amountCents: number },
): Promise<void> {
  await lockReversal(trx, dispute.paymentId);
  await trx
    .insertInto('payment_disputes')
    .values({
      dispute_id: dispute.disputeId,
      payment_id: dispute.paymentId,
      amount_cents: dispute.amountCents,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await settleReversal(trx, dispute.paymentId);
}

/** Locks the row of a payment's reversals (inserted at first). */
export async function lockReversal(trx: Trx, paymentId: string): Promise<void> {
  await trx
    .insertInto('payment_reversals')
    .values({ payment_id: paymentId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await readReversal(trx, paymentId);
}

/**
 * Takes back the part of a payment that is due and not yet taken: refunds and disputes together, but never
 * more than was credited. Before the credit nothing is due; the credit calls this again.
 */
export async function settleReversal(trx: Trx, paymentId: string): Promise<void> {
  const reversal = await readReversal(trx, paymentId);
  const checkout = await trx
    .selectFrom('checkouts')
    .select(['session_id', 'user_id', 'credited_cents'])
    .where('payment_id', '=', paymentId)
    .executeTakeFirst();
  if (!checkout) return;
  const { disputed } = await trx
    .selectFrom('payment_disputes')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<string>('amount_cents'), eb.lit(0)).as('disputed'))
    .where('payment_id', '=', paymentId)
    .executeTakeFirstOrThrow();
  const reversedCents = reversal.refunded_cents + Number(disputed);
  const takenCents = Math.min(checkout.credited_cents, reversedCents);
  const dueCents = takenCents - reversal.taken_back_cents;
  if (dueCents <= 0) return;
  await takeBack(trx, {
    userId: checkout.user_id,
    amountCents: dueCents,
    operationKey: `reversal:${paymentId}:${takenCents}`,
    referenceType: 'checkout',
    referenceId: checkout.session_id,
    description: 'Payment taken back by the processor (refund or dispute)',
  });
  await trx
    .updateTable('payment_reversals')
    .set({ taken_back_cents: takenCents, updated_at: sql`now()` })
    .where('payment_id', '=', paymentId)
    .execute();
}

async function readReversal(trx: Trx, paymentId: string) {
  return trx
    .selectFrom('payment_reversals')
    .selectAll()
    .where('payment_id', '=', paymentId)
    .forUpdate()
    .executeTakeFirstOrThrow();
}
