/** Stripe's objects and signed events, parsed. docs.stripe.com/webhooks */
import { isUtf8 } from 'node:buffer';
import type Stripe from 'stripe';
import { z } from 'zod';
import { ProviderError } from '../../domain/errors.ts';
import { PURPOSE, readCharge, readSavedMethod, reference } from './stripe-charges.ts';
import type { Checkout, Dispute, PaymentEvent, Refund } from './port.ts';

/** How far a signature's time may be from now. docs.stripe.com/webhooks#replay-attacks */
const TOLERANCE_SECONDS = 300;

/** The client parses a number up to the first other character; we accept digits only. */
const SIGNATURE = /^t=([1-9]\d{0,11})(,[a-z0-9_]+=[^,\s=]+)+$/;

/** A Checkout Session; without our mark it belongs to no user. */
export const stripeSession = z
  .object({
    id: z.string(),
    url: z.string().nullish(),
    status: z.enum(['open', 'complete', 'expired']),
    payment_status: z.enum(['paid', 'unpaid', 'no_payment_required']),
    amount_total: z.int().nonnegative().nullish(),
    currency: z.string().nullish(),
    client_reference_id: z.string().nullish(),
    metadata: z.record(z.string(), z.string()).nullish(),
    payment_intent: reference,
  })
  .transform((session): Checkout => {
    const isOurs = session.metadata?.['purpose'] === PURPOSE;
    const asked = Number(session.metadata?.['amount_cents']);
    return {
      sessionId: session.id,
      url: session.url ?? null,
      status: session.status,
      paymentStatus: session.payment_status,
      amountCents: session.amount_total ?? 0,
      currency: session.currency ?? null,
      askedCents: Number.isSafeInteger(asked) && asked > 0 ? asked : null,
      userId: isOurs
        ? (session.metadata?.['user_id'] ?? session.client_reference_id ?? null)
        : null,
      paymentId: session.payment_intent,
    };
  });

const charge = z.object({ payment_intent: reference, amount_refunded: z.int().nonnegative() });

const refund = z.object({
  id: z.string(),
  payment_intent: reference,
  amount: z.int().positive(),
  status: z.string().nullish(),
});

const dispute = z.object({
  id: z.string(),
  payment_intent: reference,
  amount: z.int().positive(),
});

const isReversed = (status: string | null | undefined): boolean =>
  status === 'failed' || status === 'canceled';

/** A refund out of a list; null for one without a payment. */
export function readRefund(object: unknown): Refund | null {
  const { id, payment_intent: paymentId, amount, status } = refund.parse(object);
  if (paymentId === null) return null;
  return { paymentId, refundId: id, amountCents: amount, hasFailed: isReversed(status) };
}

const movements = z.object({ balance_transactions: z.array(z.object({ amount: z.int() })) });

/** A dispute out of a list, by the money that it has moved; null for one without a payment. */
export function readDispute(object: unknown): Dispute | null {
  const { id, payment_intent: paymentId, amount } = dispute.parse(object);
  if (paymentId === null) return null;
  const amounts = movements.parse(object).balance_transactions.map((one) => one.amount);
  return {
    paymentId,
    disputeId: id,
    amountCents: amount,
    isWithdrawn: amounts.some((cents) => cents < 0),
    isReinstated: amounts.some((cents) => cents > 0),
  };
}

const event = z.object({
  id: z.string().min(1).max(255),
  type: z.string().min(1).max(255),
  data: z.object({ object: z.unknown() }),
});

/** Checks the signature of exactly these bytes and parses the event. */
export function readStripeEvent(
  client: Pick<Stripe, 'webhooks'>,
  secret: string,
  rawBody: Buffer,
  signature: string,
): PaymentEvent {
  assertExact(rawBody, signature);
  let constructed: unknown;
  try {
    constructed = client.webhooks.constructEvent(rawBody, signature, secret, TOLERANCE_SECONDS);
  } catch {
    throw refused('the signature does not fit');
  }
  try {
    const { id, type, data } = event.parse(constructed);
    return { eventId: id, type, ...contentOf(type, data.object) };
  } catch {
    throw refused('the event was not understood');
  }
}

type Content<E = PaymentEvent> = E extends unknown ? Omit<E, 'eventId' | 'type'> : never;

function contentOf(type: string, object: unknown): Content {
  switch (type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
    case 'checkout.session.async_payment_failed':
    case 'checkout.session.expired':
      return { kind: 'checkout', checkout: stripeSession.parse(object) };
    case 'payment_intent.succeeded': {
      const method = readSavedMethod(object);
      if (method) return { kind: 'method', method };
      return rechargeOf(object);
    }
    case 'payment_intent.payment_failed':
    case 'payment_intent.canceled':
    case 'payment_intent.processing':
      return rechargeOf(object);
    case 'charge.refunded': {
      const { payment_intent: paymentId, amount_refunded } = charge.parse(object);
      if (paymentId === null || amount_refunded === 0) return { kind: 'ignored' };
      return { kind: 'refunded', paymentId, totalRefundedCents: amount_refunded };
    }
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
    case 'charge.refund.updated': {
      const { id, payment_intent: paymentId, amount, status } = refund.parse(object);
      if (paymentId === null) return { kind: 'ignored' };
      const hasFailed = type === 'refund.failed' || isReversed(status);
      return { kind: 'refund', paymentId, refundId: id, amountCents: amount, hasFailed };
    }
    // `created` and `closed` move no money: an inquiry begins and ends with them.
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated': {
      const { id, payment_intent: paymentId, amount } = dispute.parse(object);
      if (paymentId === null) return { kind: 'ignored' };
      const isReinstated = type === 'charge.dispute.funds_reinstated';
      const facts = { isWithdrawn: !isReinstated, isReinstated };
      return { kind: 'dispute', paymentId, disputeId: id, amountCents: amount, ...facts };
    }
    default:
      return { kind: 'ignored' };
  }
}

function rechargeOf(object: unknown): Content {
  const charge = readCharge(object);
  return charge.rechargeId === null ? { kind: 'ignored' } : { kind: 'recharge', charge };
}

/**
 * The client decodes body and header leniently (it drops a byte order mark, replaces broken
 * UTF-8, ignores letters after the time): other bytes than the signed ones would pass.
 */
function assertExact(rawBody: Buffer, signature: string): void {
  const seconds = Number(SIGNATURE.exec(signature)?.[1]);
  // Also catches NaN; the client refuses old signatures only, and one from the future is no better.
  if (!(Math.abs(Date.now() / 1_000 - seconds) <= TOLERANCE_SECONDS)) {
    throw refused('the signature is malformed or stale');
  }
  const hasMark = rawBody.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf]));
  if (hasMark || !isUtf8(rawBody)) throw refused('the body is not the signed text');
}

const refused = (reason: string) =>
  new ProviderError('rejected', `stripe webhook: ${reason}`, {
    provider: 'stripe',
    clientCode: 'INVALID_SIGNATURE',
  });
