/** Stripe Checkout by the official client. docs.stripe.com/api/checkout/sessions */
import Stripe from 'stripe';
import { z } from 'zod';
import { traced, type SpanOptions } from '../../tracing/spans.ts';
import { defineVendor } from '../vendor.ts';
import type { Checkout, CheckoutOrder, Payments } from './port.ts';
import { stripeQuestions } from './stripe-account.ts';
import { toProviderError } from './stripe-errors.ts';
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
      answer(async () => {
        const sessions = await everyPage(client.checkout.sessions.list(madeSince(since)));
        return sessions
          .filter(({ metadata }) => metadata?.['purpose'] === PURPOSE)
          .map((one) => ({ ...toCheckout(one), createdAt: isoOf(one.created) }));
      }),
    listRefunds: (since) =>
      answer(async () => {
        const refunds = await everyPage(client.refunds.list(madeSince(since)));
        return refunds.map(readRefund).filter((one) => one !== null);
      }),
    listDisputes: (since) =>
      answer(async () => {
        const disputes = await everyPage(client.disputes.list(madeSince(since)));
        return disputes.map(readDispute).filter((one) => one !== null);
      }),
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
  const intents = (params: Stripe.PaymentIntentListParams) =>
    answer(() => everyPage(client.paymentIntents.list(params)));
  const list = async (params: Stripe.PaymentIntentListParams) =>
    (await intents(params))
      .map((one) => ({ ...readCharge(one), createdAt: isoOf(one.created) }))
      .filter(({ rechargeId }) => rechargeId !== null);
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
      const charges = await list({ ...madeSince(since), customer: customerId });
      const ours = charges.filter(
        (one) => one.rechargeId === rechargeId && one.chargeKey === chargeKey,
      );
      const found = ['succeeded', 'pending', 'failed'].map((wanted) =>
        ours.find(({ status }) => status === wanted),
      );
      return found.find((one) => one !== undefined) ?? null;
    },
    listCharges: (since) => list(madeSince(since)),
    listSavedMethods: async (since) =>
      (await intents(madeSince(since)))
        .filter(({ status }) => status === 'succeeded')
        .map(readSavedMethod)
        .filter((one) => one !== null)
        .toReversed(),
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

/** The vendor's largest page. */
const PER_PAGE = 100;
const MAX_LISTED = 10_000;

const madeSince = (since: Date) => ({
  created: { gte: Math.floor(since.getTime() / 1_000) },
  limit: PER_PAGE,
});

const everyPage = <T extends { id: string }>(list: Stripe.ApiListPromise<T>): Promise<T[]> =>
  list.autoPagingToArray({ limit: MAX_LISTED });

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

/** Runs a call; what it throws becomes a ProviderError. */
/** One for all requests of a call: a list has several pages. */
const SPAN: SpanOptions = { kind: 'CLIENT', attributes: { 'outreach.provider': 'stripe' } };

async function answer<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await traced('stripe', SPAN, call);
  } catch (error) {
    throw toProviderError(error);
  }
}

function addressOf(url: URL): { protocol: 'http' | 'https'; host: string; port: number } {
  const protocol = url.protocol === 'http:' ? 'http' : 'https';
  const port = Number(url.port) || (protocol === 'http' ? 80 : 443);
  return { protocol, host: url.hostname, port };
}
