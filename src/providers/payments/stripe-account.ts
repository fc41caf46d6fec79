/** What Stripe tells of our account without a payment. docs.stripe.com/api/webhook_endpoints */
import type Stripe from 'stripe';
import {
  fine,
  wrong,
  type AccountAnswer,
  type AccountQuestion,
} from '../../domain/operations/account-questions.ts';
import { toProviderError } from './stripe-errors.ts';

/** What the webhook endpoint has to send; docs/providers/stripe.md lists the same. */
export const NEEDED_EVENTS = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'charge.refunded',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.refund.updated',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
] as const;

/** More than an account may have (16). */
const MAX_ENDPOINTS = 100;

const WHERE = 'in the Stripe dashboard, under Developers, Webhooks';

/** `urls`: where this API takes events; the first is the one that is told. */
export function stripeQuestions(
  client: Stripe,
  urls: readonly [string, ...string[]],
): AccountQuestion[] {
  const ask =
    (work: () => Promise<AccountAnswer>): (() => Promise<AccountAnswer>) =>
    () =>
      work().catch((error: unknown) => {
        throw toProviderError(error);
      });
  const endpoint = async () => {
    const { data } = await client.webhookEndpoints.list({ limit: MAX_ENDPOINTS });
    const ours = data.filter(({ url }) => urls.includes(url.replace(/\/+$/, '')));
    return ours.find(({ status }) => status === 'enabled') ?? ours[0];
  };
  return [
    {
      name: 'secret key',
      ask: ask(async () => {
        const { livemode } = await client.balance.retrieve();
        return fine(`taken, ${livemode ? 'live' : 'test'} mode`);
      }),
    },
    { name: 'webhook endpoint', ask: ask(async () => endpointAnswer(await endpoint(), urls[0])) },
    { name: 'events of the endpoint', ask: ask(async () => eventsAnswer(await endpoint())) },
    {
      name: 'signing secret',
      ask: async () => ({
        state: 'not_askable',
        found:
          'Stripe shows STRIPE_WEBHOOK_SECRET once, when the endpoint is made; a first payment shows ' +
          'whether it fits',
      }),
    },
  ];
}

function endpointAnswer(found: Stripe.WebhookEndpoint | undefined, url: string): AccountAnswer {
  if (!found) return wrong(`none sends to ${url}`, `Add an endpoint with this address ${WHERE}.`);
  if (found.status === 'enabled') return fine(`${found.id} sends to ${found.url}`);
  return wrong(`${found.id} is ${found.status}`, `Enable it ${WHERE}.`);
}

function eventsAnswer(found: Stripe.WebhookEndpoint | undefined): AccountAnswer {
  if (!found) return wrong('no endpoint sends any', `Add the endpoint ${WHERE}.`);
  const sent = new Set<string>(found.enabled_events);
  const missing = sent.has('*') ? [] : NEEDED_EVENTS.filter((type) => !sent.has(type));
  if (missing.length === 0) return fine(`all ${NEEDED_EVENTS.length} that are needed`);
  return wrong(`it lacks ${missing.join(', ')}`, `Add these events to the endpoint ${WHERE}.`);
}
