/**
 * Money that the processor takes back from a payment, and may give back: refunds and disputes. Of each one
 * facts are kept that never change back, so their events may come in any order and more than once.
 */
import { sql, type Transaction } from 'kysely';
import { stopAutoRecharge } from './auto-recharges.ts';
import { giveBack, takeBack } from './ledger-adjustments.ts';
import { reversedCents } from './reversed-cents.ts';
import type { Database } from '../tables.ts';

type Trx = Transaction<Database>;

/** All refunds of a payment so far, as the processor counts them; a later failure may be counted or not. */
export interface RefundTotal {
  paymentId: string;
  totalRefundedCents: number;
}

/** One refund; `hasFailed`: the money has come back to us. */
export interface RefundFacts {
  paymentId: string;
  refundId: string;
  amountCents: number;
  hasFailed: boolean;
}

/** One dispute. An inquiry is neither, and takes nothing. */
export interface DisputeFacts {
  paymentId: string;
  disputeId: string;
  amountCents: number;
  isWithdrawn: boolean;
  isReinstated: boolean;
}

export async function applyRefundTotal(trx: Trx, refund: RefundTotal): Promise<void> {
  await lockReversal(trx, refund.paymentId);
  await trx
    .updateTable('payment_reversals')
    .set({ refunded_cents: refund.totalRefundedCents, updated_at: sql`now()` })
    .where('payment_id', '=', refund.paymentId)
    .where('refunded_cents', '<', refund.totalRefundedCents)
    .execute();
  await settleReversal(trx, refund.paymentId);
}

export async function applyRefund(trx: Trx, refund: RefundFacts): Promise<void> {
  await lockReversal(trx, refund.paymentId);
  await trx
    .insertInto('payment_refunds')
    .values({
      refund_id: refund.refundId,
      payment_id: refund.paymentId,
      amount_cents: refund.amountCents,
      has_failed: refund.hasFailed,
    })
    .onConflict((conflict) =>
      conflict
        .column('refund_id')
        .doUpdateSet({ has_failed: sql`payment_refunds.has_failed or excluded.has_failed` }),
    )
    .execute();
  await settleReversal(trx, refund.paymentId);
}

export async function applyDispute(trx: Trx, dispute: DisputeFacts): Promise<void> {
  await lockReversal(trx, dispute.paymentId);
  await trx
    .insertInto('payment_disputes')
    .values({
      dispute_id: dispute.disputeId,
      payment_id: dispute.paymentId,
      amount_cents: dispute.amountCents,
      is_withdrawn: dispute.isWithdrawn,
      is_reinstated: dispute.isReinstated,
    })
    .onConflict((conflict) =>
      conflict.column('dispute_id').doUpdateSet({
        is_withdrawn: sql`payment_disputes.is_withdrawn or excluded.is_withdrawn`,
        is_reinstated: sql`payment_disputes.is_reinstated or excluded.is_reinstated`,
      }),
    )
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
 * Brings the ledger to what the processor keeps of a payment: refunds and disputes together, but never more
 * than was credited. Before the credit nothing is due; the credit calls this again.
 */
export async function settleReversal(trx: Trx, paymentId: string): Promise<void> {
  const reversal = await readReversal(trx, paymentId);
  const payment = await trx
    .selectFrom('credited_payments')
    .select(['reference_type', 'reference_id', 'user_id', 'credited_cents'])
    .where('payment_id', '=', paymentId)
    .executeTakeFirst();
  if (!payment) return;
  const { rows } = await sql<{ reversed: string }>`
    select ${reversedCents(sql`${paymentId}::text`, sql`${reversal.refunded_cents}::bigint`)}
      as reversed`.execute(trx);
  const takenCents = Math.min(payment.credited_cents, Number(rows[0]!.reversed));
  const dueCents = takenCents - reversal.taken_back_cents;
  if (dueCents === 0) return;
  const movements = reversal.movements + 1;
  const movement = {
    userId: payment.user_id,
    amountCents: Math.abs(dueCents),
    operationKey: `reversal:${paymentId}:${movements}:${takenCents}`,
    referenceType: payment.reference_type,
    referenceId: payment.reference_id,
  };
  if (dueCents > 0) {
    const description = 'Payment taken back by the processor (refund or dispute)';
    await takeBack(trx, { ...movement, description });
    // Else the balance that fell would charge at once the card whose money has just gone back.
    await stopAutoRecharge(trx, { userId: payment.user_id, reason: 'payment_reversed' });
  } else {
    const description = 'Payment given back by the processor (failed refund or won dispute)';
    await giveBack(trx, { ...movement, description });
  }
  await trx
    .updateTable('payment_reversals')
    .set({ taken_back_cents: takenCents, movements, updated_at: sql`now()` })
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
