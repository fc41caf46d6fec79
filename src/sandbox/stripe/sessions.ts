/** Stripe's Checkout Sessions: create, list, retrieve, expire. */
import { Router, type Request } from 'express';
import { z } from 'zod';
import { send, type Answer } from '../vendor-router.ts';
import type { Session } from './vendor-records.ts';
import { parseForm } from './form.ts';
import { listOf, listQuery } from './lists.ts';
import { sessionObject } from './objects.ts';
import { expire, expireDue, PaymentRefusal, type Till } from './payments.ts';
import type { WebhookSender } from './webhooks.ts';
import { epochSeconds, newId, noSuch, refuse, refuseTypes } from './wire.ts';

/** Stripe's bounds of `expires_at`, and what it is when left out. */
const SHORTEST_SECONDS = 30 * 60;
const LONGEST_SECONDS = 24 * 3_600;
/** Allows for a client's clock and the duration of the call. */
const CLOCK_SLACK_SECONDS = 60;
/** The smallest charge in US dollars. */
const MIN_CENTS = 50;
const MAX_CENTS = 99_999_999;

const whole = z.coerce.number().int();
const metadata = z.record(z.string().max(40), z.string().max(500)).optional();

const createForm = z.strictObject({
  mode: z.literal('payment', 'the sandbox takes single payments only'),
  line_items: z
    .array(
      z.strictObject({
        quantity: whole.min(1).default(1),
        price_data: z.strictObject({
          currency: z.literal('usd'),
          unit_amount: whole.min(0),
          product_data: z.strictObject({
            name: z.string().min(1),
            description: z.string().optional(),
            metadata,
          }),
        }),
      }),
    )
    .min(1),
  success_url: z.url(),
  cancel_url: z.url().optional(),
  client_reference_id: z.string().max(200).optional(),
  customer_email: z.email().optional(),
  expires_at: whole.optional(),
  metadata,
  payment_intent_data: z
    .strictObject({
      metadata,
      description: z.string().optional(),
      setup_future_usage: z.enum(['off_session', 'on_session']).optional(),
    })
    .optional(),
  customer_creation: z.enum(['always', 'if_required']).optional(),
  allowed_payment_method_types: z.array(z.literal('card')).optional(),
  submit_type: z.enum(['auto', 'pay']).optional(),
  ui_mode: z.literal('hosted_page').optional(),
  locale: z.string().optional(),
  expand: z.array(z.string()).optional(),
});
type CreateForm = z.infer<typeof createForm>;

export type Repeat = (request: Request, work: () => Answer) => Answer;

export function sessionRoutes(till: Till, sender: WebhookSender, repeatable: Repeat): Router {
  const { core, vendorRecords } = till;
  const shown = (session: Session) => sessionObject(session, core.baseUrl());
  const router = Router();
  router.post('/checkout/sessions', (request, response) => {
    const answer = repeatable(request, () => {
      refuseTypes(request);
      const session = newSession(parseForm(createForm, request));
      vendorRecords.saveSession(session);
      return { status: 200, body: shown(session) };
    });
    send(response, answer);
  });
  router.get('/checkout/sessions', (request, response) => {
    const query = parseForm(listQuery.extend({ payment_intent: z.string().optional() }), request);
    settle(till, sender);
    const sessions = vendorRecords
      .sessions()
      .filter((s) => query.payment_intent === undefined || s.paymentId === query.payment_intent);
    response.json(listOf('/v1/checkout/sessions', sessions.map(shown), query));
  });
  router.get('/checkout/sessions/:id', (request, response) => {
    settle(till, sender);
    response.json(shown(existing(till, request.params.id)));
  });
  router.post('/checkout/sessions/:id/expire', (request, response) => {
    const answer = repeatable(request, () => {
      const session = existing(till, request.params.id);
      void sender.send(expireOpen(till, session), 'once');
      return { status: 200, body: shown(existing(till, session.id)) };
    });
    send(response, answer);
  });
  return router;
}

/** Due sessions expire before they are read. */
export function settle(till: Till, sender: WebhookSender): void {
  for (const event of expireDue(till)) void sender.send(event, 'once');
}

function existing({ vendorRecords }: Till, id: string): Session {
  const session = vendorRecords.session(id);
  if (session === undefined) throw noSuch('checkout.session', id, 'session');
  return session;
}

function expireOpen(till: Till, session: Session) {
  try {
    return expire(till, session);
  } catch (error) {
    if (!(error instanceof PaymentRefusal)) throw error;
    throw refuse(400, `Only Checkout Sessions with a status in ["open"] can be expired.`);
  }
}

function newSession(form: CreateForm): Session {
  const created = epochSeconds();
  const [first] = form.line_items;
  return {
    id: newId('cs_test'),
    created,
    expiresAt: expiryOf(form.expires_at, created),
    status: 'open',
    paymentStatus: 'unpaid',
    amountCents: totalCents(form),
    currency: 'usd',
    productName: first!.price_data.product_data.name,
    quantity: first!.quantity,
    clientReferenceId: form.client_reference_id ?? null,
    customerEmail: form.customer_email ?? null,
    metadata: form.metadata ?? {},
    paymentMetadata: form.payment_intent_data?.metadata ?? {},
    successUrl: form.success_url,
    cancelUrl: form.cancel_url ?? null,
    paymentId: null,
    savesMethod: form.payment_intent_data?.setup_future_usage === 'off_session',
    makesCustomer: form.customer_creation === 'always',
    customerId: null,
  };
}

function totalCents(form: CreateForm): number {
  const cents = form.line_items.reduce(
    (sum, item) => sum + item.quantity * item.price_data.unit_amount,
    0,
  );
  if (cents < MIN_CENTS) {
    throw refuse(400, "The Checkout Session's total amount due must add up to at least $0.50 usd", {
      code: 'amount_too_small',
    });
  }
  if (cents > MAX_CENTS) {
    throw refuse(400, "The Checkout Session's total amount must be no more than $999,999.99", {
      code: 'amount_too_large',
    });
  }
  return cents;
}

function expiryOf(asked: number | undefined, created: number): number {
  if (asked === undefined) return created + LONGEST_SECONDS;
  const seconds = asked - created;
  const isShort = seconds < SHORTEST_SECONDS - CLOCK_SLACK_SECONDS;
  const isLong = seconds > LONGEST_SECONDS + CLOCK_SLACK_SECONDS;
  if (!isShort && !isLong) return asked;
  throw refuse(
    400,
    'The `expires_at` timestamp must be between 30 minutes and 24 hours from Checkout Session ' +
      'creation.',
    { param: 'expires_at' },
  );
}
