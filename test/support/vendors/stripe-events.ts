/** Stripe's events, signed by its own client; no server is needed for them. */
import Stripe from 'stripe';
import { payments } from '../../../src/providers/payments/index.ts';
import type { Payments } from '../../../src/providers/payments/port.ts';

export const WEBHOOK_SECRET = 'whsec_test_secret_of_the_wallet';

const client = new Stripe('sk_test_sandbox');
let last = 0;

/** The production adapter; `url` is needed only for calls to Stripe. */
export function stripePayments(url = 'http://127.0.0.1:1', secret = WEBHOOK_SECRET): Payments {
  const state = payments.stripe.configure({
    STRIPE_SECRET_KEY: 'sk_test_sandbox',
    STRIPE_WEBHOOK_SECRET: secret,
    STRIPE_URL: url,
  });
  if (state.state !== 'on') throw new Error('stripe is not configured');
  return state.create({ timeoutMs: 10_000, outboundProxy: undefined });
}

/** What all pages of a list have. */
export async function everyOf<T>(pages: AsyncIterable<T[]>): Promise<T[]> {
  const all: T[] = [];
  for await (const page of pages) all.push(...page);
  return all;
}

export interface SignedEvent {
  rawBody: Buffer;
  signature: string;
}

/** Signs an event of the given type; `ageSeconds` makes it an old one. */
export function signedEvent(
  type: string,
  object: object,
  options: { eventId?: string; ageSeconds?: number; secret?: string } = {},
): SignedEvent {
  last += 1;
  const id = options.eventId ?? `evt_${process.pid}_${last}`;
  const payload = JSON.stringify({ id, object: 'event', type, data: { object } }, null, 2);
  return signed(payload, options);
}

/** Any text with a valid signature. */
export function signed(
  payload: string,
  options: { ageSeconds?: number; secret?: string } = {},
): SignedEvent {
  const timestamp = Math.floor(Date.now() / 1_000) - (options.ageSeconds ?? 0);
  const secret = options.secret ?? WEBHOOK_SECRET;
  const signature = client.webhooks.generateTestHeaderString({ payload, secret, timestamp });
  return { rawBody: Buffer.from(payload), signature };
}

/** A Checkout Session of ours as Stripe shows it, paid unless changed. */
export const session = (
  sessionId: string,
  userId: string,
  changes: { amount_total?: number; [field: string]: unknown } = {},
) => ({
  id: sessionId,
  object: 'checkout.session',
  url: null,
  status: 'complete',
  payment_status: 'paid',
  amount_total: 4_100,
  currency: 'usd',
  client_reference_id: userId,
  metadata: {
    purpose: 'outreach_wallet',
    user_id: userId,
    amount_cents: String(changes.amount_total ?? 4_100),
  },
  payment_intent: `pi_${sessionId}`,
  ...changes,
});

export const charge = (paymentId: string, refundedCents: number) => ({
  id: `ch_${paymentId}`,
  object: 'charge',
  payment_intent: paymentId,
  amount: 4_100,
  amount_refunded: refundedCents,
});

export const refund = (paymentId: string, refundId: string, cents: number, status: string) => ({
  id: refundId,
  object: 'refund',
  payment_intent: paymentId,
  amount: cents,
  status,
});

export const dispute = (paymentId: string, disputeId: string, cents: number) => ({
  id: disputeId,
  object: 'dispute',
  payment_intent: paymentId,
  amount: cents,
});
