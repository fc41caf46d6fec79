/** Stripe Checkout by the official client. docs.stripe.com/api/checkout/sessions */
import Stripe from 'stripe';
import { z } from 'zod';
import { defineVendor } from '../vendor.ts';
import type {
  Charge,
  Checkout,
  CheckoutOrder,
  ListedCharge,
  ListedCheckout,
  Payments,
} from './port.ts';
import { stripeQuestions } from './stripe-account.ts';
import { answer, everyPage } from './stripe-calls.ts';
import {
  chargeParams,
  PURPOSE,
  readCharge,
  readRefusal,
  readSavedMethod,
} from './stripe-charges.ts';
import { readDispute, readRefund, readStripeEvent, stripeSession } from './stripe-events.ts';

const settings = z.object({
  STRIPE_SECRET_KEY: z.string().min(1),
  STRIPE_WEBHOOK_SECRET: z.string().min(1),
  /** The web application's pages after payment; default: PUBLIC_URL's /docs. */
  STRIPE_SUCCESS_URL: z.url().optional(),
  STRIPE_CANCEL_URL: z.url().optional(),
  /** A stand-in's address. */
  STRIPE_URL: z.url().optional(),
});

type Settings = z.infer<typeof settings>;

export const stripe = defineVendor({
  name: 'stripe',
  settings,
  developmentVariables: ['STRIPE_URL'],
  ownHosts: ['api.stripe.com'],
  create: (values, tools): Payments => createStripe(values, tools.timeoutMs),
});

/** Where this API takes events: under both of its forms. */
const webhookUrls = (publicUrl: string): [string, string] => {
  const base = publicUrl.replace(/\/+$/, '');
  return [`${base}/v1/wallet/webhook`, `${base}/wallet/webhook`];
};

/** Stripe's limit of `client_reference_id`; the metadata hold a longer user id. */
const MAX_REFERENCE = 200;

/** Session ids go into a path; a text that cannot be one is not sent. */
const SESSION_ID = /^cs_[A-Za-z0-9_]{1,250}$/;

function createStripe(values: Settings, timeoutMs: number): Payments {
  const client = new Stripe(values.STRIPE_SECRET_KEY, {
    // The caller retries: there is one retry layer.
    maxNetworkRetries: 0,
    timeout: timeoutMs,
    telemetry: false,
    ...(values.STRIPE_URL && addressOf(new URL(values.STRIPE_URL))),
  });
  return {
    name: 'stripe',
    async createCheckout(order) {
      return answer(async () => {
        const options = { idempotencyKey: order.key };
        return toCheckout(await client.checkout.sessions.create(sessionOf(order, values), options));
      });
    },
    async findCheckout(sessionId) {
      if (!SESSION_ID.test(sessionId)) return null;
      return answer(async () => {
        try {
          return toCheckout(await client.checkout.sessions.retrieve(sessionId));
        } catch (error) {
          if (error instanceof Stripe.errors.StripeError && error.statusCode === 404) return null;
          throw error;
        }
      });
    },
    ...savedMethods(client),
    listCheckouts: (since) =>
      everyPage(
        (page) => client.checkout.sessions.list({ ...madeSince(since), ...page }),
        readListed,
      ),
    listRefunds: (since) =>
      everyPage((page) => client.refunds.list({ ...madeSince(since), ...page }), readRefund),
    listDisputes: (since) =>
      everyPage((page) => client.disputes.list({ ...madeSince(since), ...page }), readDispute),
    accountQuestions: ({ publicUrl }) => stripeQuestions(client, webhookUrls(publicUrl)),
    readEvent: (rawBody, signature) =>
      readStripeEvent(client, values.STRIPE_WEBHOOK_SECRET, rawBody, signature),
  };
}

/** Charges without their payer. docs.stripe.com/payments/save-during-payment */
function savedMethods(
  client: Stripe,
): Pick<
  Payments,
  'chargeSaved' | 'findCharge' | 'listCharges' | 'listSavedMethods' | 'forgetMethod'
> {
  const intents = <T>(
    of: Stripe.PaymentIntentListParams,
    read: (one: Stripe.PaymentIntent) => T | null,
  ) => everyPage((page) => client.paymentIntents.list({ ...of, ...page }), read);
  return {
    chargeSaved: (order) =>
      answer(async () => {
        const options = { idempotencyKey: order.key };
        try {
          return readCharge(await client.paymentIntents.create(chargeParams(order), options));
        } catch (error) {
          const refused = readRefusal(error, order);
          if (refused) return refused;
          throw error;
        }
      }),
    async findCharge({ rechargeId, chargeKey, customerId, since }) {
      let found: Charge | null = null;
      const of = { ...madeSince(since), customer: customerId };
      for await (const page of intents(of, readListedCharge)) {
        for (const one of page) {
          if (one.rechargeId !== rechargeId || one.chargeKey !== chargeKey) continue;
          if (one.status === 'succeeded') return one;
          if (!found || (found.status === 'failed' && one.status === 'pending')) found = one;
        }
      }
      return found;
    },
    listCharges: (since) => intents(madeSince(since), readListedCharge),
    listSavedMethods: (since) =>
      intents(madeSince(since), (one) =>
        one.status === 'succeeded' ? readSavedMethod(one) : null,
      ),
    forgetMethod: (paymentMethodId) => answer(() => detach(client, paymentMethodId)),
  };
}

/** docs.stripe.com/api/payment_methods/detach: one that belongs to nobody, or is not there, cannot be charged. */
async function detach(client: Stripe, paymentMethodId: string): Promise<void> {
  try {
    await client.paymentMethods.detach(paymentMethodId);
  } catch (error) {
    const isGone =
      error instanceof Stripe.errors.StripeInvalidRequestError &&
      (error.statusCode === 404 || /not attached to a customer/i.test(error.message));
    if (!isGone) throw error;
  }
}

const madeSince = (since: Date) => ({
  created: { gte: Math.floor(since.getTime() / 1_000) },
});

const readListed = (session: Stripe.Checkout.Session): ListedCheckout | null =>
  session.metadata?.['purpose'] === PURPOSE
    ? { ...toCheckout(session), createdAt: isoOf(session.created) }
    : null;

const readListedCharge = (one: Stripe.PaymentIntent): ListedCharge | null => {
  const charge = { ...readCharge(one), createdAt: isoOf(one.created) };
  return charge.rechargeId === null ? null : charge;
};

const isoOf = (epochSeconds: number) => new Date(epochSeconds * 1_000).toISOString();

function sessionOf(order: CheckoutOrder, values: Settings): Stripe.Checkout.SessionCreateParams {
  const page = `${order.returnUrl.replace(/\/+$/, '')}/docs`;
  return {
    mode: 'payment',
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: 'usd',
          unit_amount: order.amountCents,
          product_data: { name: 'Wallet funding' },
        },
      },
    ],
    ...(order.userId.length <= MAX_REFERENCE && { client_reference_id: order.userId }),
    metadata: {
      purpose: PURPOSE,
      user_id: order.userId,
      amount_cents: String(order.amountCents),
    },
    ...(order.savesMethod && savingOf(order)),
    success_url: values.STRIPE_SUCCESS_URL ?? `${page}?checkout={CHECKOUT_SESSION_ID}`,
    cancel_url: values.STRIPE_CANCEL_URL ?? page,
  };
}

/** A customer is made who owns the card; cards only, since they answer at once. */
const savingOf = ({ userId }: CheckoutOrder) =>
  ({
    customer_creation: 'always',
    allowed_payment_method_types: ['card'],
    payment_intent_data: {
      setup_future_usage: 'off_session',
      metadata: { purpose: PURPOSE, user_id: userId },
    },
  }) satisfies Partial<Stripe.Checkout.SessionCreateParams>;

const toCheckout = (session: unknown): Checkout => stripeSession.parse(session);

function addressOf(url: URL): { protocol: 'http' | 'https'; host: string; port: number } {
  const protocol = url.protocol === 'http:' ? 'http' : 'https';
  const port = Number(url.port) || (protocol === 'http' ? 80 : 443);
  return { protocol, host: url.hostname, port };
}
