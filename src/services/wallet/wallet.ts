/** The wallet: funding through the payment processor, its events, transactions. */
import { createHash } from 'node:crypto';
import type { Context } from '../../context.ts';
import { noteChange } from '../../db/accounts/audit-log.ts';
import { commitOnce } from '../../db/accounts/request-effects.ts';
import {
  applyCheckout,
  findCheckout,
  insertCheckout,
  type CheckoutRow,
} from '../../db/wallet/checkouts.ts';
import { insertPaymentEvent, updatePaymentEvent } from '../../db/wallet/payment-events.ts';
import { applyDispute, applyRefund, applyRefundTotal } from '../../db/wallet/payment-reversals.ts';
import type { PaymentEventsTable } from '../../db/wallet/wallet-tables.ts';
import { savePaymentMethod } from '../../db/wallet/payment-methods.ts';
import { applyRecharge } from '../../db/wallet/recharges.ts';
import { listTransactions, type TransactionFilter } from '../../db/wallet/wallets.ts';
import { invalid, notFound, ProviderError } from '../../domain/errors.ts';
import type { PaymentEvent, Payments } from '../../providers/payments/port.ts';
import { configuredPayments, refusePayments } from './payment-processor.ts';

type Money = Pick<Context, 'db' | 'payments'>;

export interface FundRequest {
  userId: string;
  amountCents: number;
  /** The payer is asked to keep their card for automatic recharges. */
  savesMethod?: boolean | undefined;
  /** The client's Idempotency-Key, or whatever is unique to this request. */
  requestKey: string;
}

/** Opens a checkout session. 502 when the processor is down: then nothing was stored. */
export async function fundWallet(
  context: Money & { config: Pick<Context['config'], 'PUBLIC_URL'> },
  request: FundRequest,
): Promise<{ checkoutUrl: string; sessionId: string }> {
  const { userId, amountCents } = request;
  const checkout = await configuredPayments(context.payments)
    .createCheckout({
      userId,
      amountCents,
      savesMethod: request.savesMethod,
      key: checkoutKey(request),
      returnUrl: context.config.PUBLIC_URL,
    })
    .catch(refusePayments);
  // If the process dies here, the session's own events and verify still find its user.
  await commitOnce(context.db, async (trx) => {
    await insertCheckout(trx, { ...checkout, userId, amountCents, askedCents: amountCents });
    noteChange({ after: { sessionId: checkout.sessionId, amountCents } });
  });
  return { checkoutUrl: checkout.url ?? '', sessionId: checkout.sessionId };
}

/**
 * The state of a session, after asking the processor; credits it if the webhook has not yet. Throws
 * not_found for an unknown session and, in the same words, for another user's.
 */
export async function verifyCheckout(
  context: Money,
  request: { userId: string; sessionId: string },
): Promise<CheckoutRow> {
  const { userId, sessionId } = request;
  const none = notFound('checkout session', { field: 'sessionId', ids: [sessionId] });
  const known = await findCheckout(context.db, sessionId);
  if (known && known.user_id !== userId) throw none;
  if (known && isSettled(known)) return known;
  const checkout = await configuredPayments(context.payments)
    .findCheckout(sessionId)
    .catch(refusePayments);
  if (!checkout || (!known && checkout.userId !== userId)) throw none;
  const row = await commitOnce(context.db, async (trx) => {
    const applied = await applyCheckout(trx, { ...checkout, userId });
    const { status, credited_cents: creditedCents } = applied ?? {};
    noteChange({ after: { sessionId, status, creditedCents } });
    return applied;
  });
  if (!row) throw none;
  return row;
}

/**
 * Receives an event of the processor: verifies it, and applies it once in one transaction. Throws 400
 * INVALID_SIGNATURE unless the processor recently signed exactly these bytes.
 */
export async function receivePaymentEvent(
  context: Money & Pick<Context, 'logger'>,
  request: { rawBody: Buffer; signature: string },
): Promise<void> {
  const event = readEvent(configuredPayments(context.payments), request);
  const outcome = await commitOnce(context.db, async (trx) => {
    if (!(await insertPaymentEvent(trx, event))) return 'repeated';
    const applied = await apply(trx, event);
    if (applied !== 'applied') await updatePaymentEvent(trx, event.eventId, applied);
    return applied;
  });
  const facts = { eventId: event.eventId, eventType: event.type, outcome };
  if (outcome === 'mismatched') {
    context.logger.error(facts, 'a payment is not what was asked for, and was not credited');
  } else if (outcome === 'unmatched')
    context.logger.warn(facts, 'payment event of no user of ours');
  else context.logger.info(facts, 'payment event');
}

/** One page of the user's transactions, newest first. */
export const listWalletTransactions = (
  context: Pick<Context, 'db'>,
  userId: string,
  options: { filter: TransactionFilter; limit: number; offset: number },
) => listTransactions(context.db, userId, options);

type Trx = Parameters<typeof applyCheckout>[0];

type Outcome = PaymentEventsTable['outcome'];

async function apply(trx: Trx, event: PaymentEvent): Promise<Outcome> {
  switch (event.kind) {
    case 'checkout': {
      const row = await applyCheckout(trx, event.checkout);
      if (!row) return 'unmatched';
      noteChange({
        userId: row.user_id,
        after: { sessionId: row.session_id, status: row.status, creditedCents: row.credited_cents },
      });
      return row.mismatch === null ? 'applied' : 'mismatched';
    }
    case 'refunded':
      await applyRefundTotal(trx, event);
      return 'applied';
    case 'refund':
      await applyRefund(trx, event);
      return 'applied';
    case 'dispute':
      await applyDispute(trx, event);
      return 'applied';
    case 'recharge': {
      const { rechargeId, ...facts } = event.charge;
      const row =
        rechargeId === null ? undefined : await applyRecharge(trx, { ...facts, rechargeId });
      if (!row) return 'unmatched';
      noteChange({
        userId: row.user_id,
        after: { rechargeId: row.id, creditedCents: row.credited_cents },
      });
      const isOther = row.mismatch !== null && row.mismatch_payment_id === facts.paymentId;
      return isOther ? 'mismatched' : 'applied';
    }
    case 'method': {
      const savedAt = new Date(event.method.savedAt);
      const isKnown = await savePaymentMethod(trx, { ...event.method, savedAt });
      if (isKnown) noteChange({ userId: event.method.userId, after: { hasPaymentMethod: true } });
      return isKnown ? 'applied' : 'unmatched';
    }
    case 'ignored':
      return 'ignored';
  }
}

function readEvent(
  payments: Payments,
  request: { rawBody: Buffer; signature: string },
): PaymentEvent {
  try {
    return payments.readEvent(request.rawBody, request.signature);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    throw invalid('INVALID_SIGNATURE', 'The webhook signature is missing, wrong or too old');
  }
}

/** The session is final: no need to ask the processor. */
const isSettled = (row: CheckoutRow) => row.credited_cents > 0 || row.status === 'expired';

/** Includes the amount: after our own keys expired, a client may reuse one with another amount. */
const checkoutKey = ({ userId, amountCents, savesMethod, requestKey }: FundRequest): string =>
  createHash('sha256')
    .update(JSON.stringify([userId, amountCents, requestKey, ...(savesMethod ? ['saves'] : [])]))
    .digest('hex');
