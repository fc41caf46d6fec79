/** Stripe's payment intents: cards that were saved, and charges without their payer. docs.stripe.com/api/payment_intents */
import Stripe from 'stripe';
import { z } from 'zod';
import type { Charge, ChargeOrder, SavedMethod } from './port.ts';

/** Marks the payments that are ours, on an account that others may use as well. */
export const PURPOSE = 'outreach_wallet';
const RECHARGE = 'outreach_recharge';

/** Either an id or the expanded object. */
export const reference = z
  .union([z.string(), z.object({ id: z.string() }).transform((object) => object.id)])
  .nullish()
  .transform((id) => id ?? null);

export const chargeParams = (order: ChargeOrder): Stripe.PaymentIntentCreateParams => ({
  amount: order.amountCents,
  currency: 'usd',
  customer: order.customerId,
  payment_method: order.paymentMethodId,
  allowed_payment_method_types: ['card'],
  off_session: true,
  confirm: true,
  description: 'Automatic wallet recharge',
  metadata: {
    purpose: RECHARGE,
    user_id: order.userId,
    recharge_id: String(order.rechargeId),
    ...(order.chargeKey !== null && { charge_key: order.chargeKey }),
  },
});

const refusal = z.object({
  code: z.string().nullish(),
  decline_code: z.string().nullish(),
});

const intent = z.object({
  id: z.string(),
  created: z.int(),
  amount: z.int().nonnegative(),
  amount_received: z.int().nonnegative().nullish(),
  currency: z.string().nullish(),
  status: z.string(),
  customer: reference,
  payment_method: reference,
  setup_future_usage: z.string().nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
  last_payment_error: refusal.nullish(),
});

/** A payment intent; without our mark it belongs to no recharge. */
export function readCharge(object: unknown): Charge {
  const payment = intent.parse(object);
  const { metadata } = payment;
  const isOurs = metadata?.['purpose'] === RECHARGE;
  const rechargeId = Number(metadata?.['recharge_id']);
  const status = statusOf(payment.status);
  return {
    paymentId: payment.id,
    userId: isOurs ? (metadata?.['user_id'] ?? null) : null,
    rechargeId: isOurs && Number.isSafeInteger(rechargeId) && rechargeId > 0 ? rechargeId : null,
    chargeKey: isOurs ? (metadata?.['charge_key'] ?? null) : null,
    amountCents: status === 'succeeded' ? (payment.amount_received ?? 0) : payment.amount,
    currency: payment.currency ?? null,
    status,
    failure: status === 'failed' ? failureOf(payment.last_payment_error ?? {}) : null,
  };
}

/** Nobody is there to confirm or authenticate: whatever asks for that has failed. */
function statusOf(status: string): Charge['status'] {
  if (status === 'succeeded') return 'succeeded';
  const isOver = ['requires_payment_method', 'requires_action', 'canceled'].includes(status);
  return isOver ? 'failed' : 'pending';
}

/** The card of a paid checkout that asked for it; null for any other payment. */
export function readSavedMethod(object: unknown): SavedMethod | null {
  const payment = intent.parse(object);
  const userId = payment.metadata?.['user_id'];
  const { customer, payment_method: method } = payment;
  const isSaved =
    payment.metadata?.['purpose'] === PURPOSE && payment.setup_future_usage === 'off_session';
  if (!isSaved || userId === undefined || customer === null || method === null) return null;
  const savedAt = new Date(payment.created * 1_000).toISOString();
  return { userId, customerId: customer, paymentMethodId: method, savedAt };
}

/**
 * The refusal that only the payer can cure, or null: a card error, or a method that is gone or was never theirs.
 * docs.stripe.com/error-handling
 */
export function readRefusal(error: unknown, order: ChargeOrder): Charge | null {
  if (error instanceof Stripe.errors.StripeCardError) {
    const made = intent.safeParse(error.payment_intent);
    if (made.success)
      return { ...readCharge(made.data), status: 'failed', failure: failureOf(error) };
    return refused(order, failureOf(error));
  }
  const isMethod =
    error instanceof Stripe.errors.StripeInvalidRequestError &&
    ['payment_method', 'customer'].includes(error.param ?? '');
  return isMethod ? refused(order, { reason: 'payment_method_invalid', declineCode: null }) : null;
}

const refused = (order: ChargeOrder, failure: Charge['failure']): Charge => ({
  paymentId: null,
  userId: order.userId,
  rechargeId: order.rechargeId,
  chargeKey: order.chargeKey,
  amountCents: order.amountCents,
  currency: 'usd',
  status: 'failed',
  failure,
});

/** Words that the vendor asks to keep from the payer, who may be a thief. docs.stripe.com/declines/codes */
const CONCEALED_CODES = new Set([
  'fraudulent',
  'lost_card',
  'merchant_blacklist',
  'pickup_card',
  'restricted_card',
  'security_violation',
  'stolen_card',
]);

function failureOf({
  code,
  decline_code: declined,
}: {
  code?: string | null | undefined;
  decline_code?: string | null | undefined;
}): NonNullable<Charge['failure']> {
  const word = declined ?? (code === 'card_declined' ? null : (code ?? null));
  if (word === 'authentication_required' || code === 'authentication_required') {
    return { reason: 'authentication_required', declineCode: null };
  }
  const isConcealed = word !== null && CONCEALED_CODES.has(word);
  return { reason: 'card_declined', declineCode: isConcealed ? 'generic_decline' : word };
}
