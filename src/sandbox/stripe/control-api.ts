/** Payments in the control API: pay, refund, dispute or expire a checkout session, or a charge without one. */
import { Router, type Request, type Response } from 'express';
import { z } from 'zod';
import { checked, ControlRefusal } from '../control-api.ts';
import {
  CARDS,
  type Card,
  type Payment,
  type Session,
  type StripeEvent,
} from './vendor-records.ts';
import { sessionObject } from './objects.ts';
import { successUrl } from './page.ts';
import {
  closeDispute,
  dispute,
  expire,
  failRefund,
  pay,
  PaymentRefusal,
  refund,
  type Till,
} from './payments.ts';
import { WEBHOOK_MODES, type WebhookMode, type WebhookSender } from './webhooks.ts';

const webhookBody = z.strictObject({ webhook: z.enum(WEBHOOK_MODES).default('once') });
const payBody = webhookBody.extend({ card: z.enum(CARDS).default('good') });
const cardBody = z.strictObject({ card: z.enum([...CARDS, 'detached']) });
const refundBody = webhookBody.extend({ amountCents: z.int().min(1).optional() });

interface Order {
  webhook: WebhookMode;
  /** Of a refund; default: all that is left. */
  amountCents?: number | undefined;
  /** Of a payment: how the card answers from then on. */
  card?: Card | undefined;
}

export function paymentsControl(till: Till, sender: WebhookSender): Router {
  const { core, vendorRecords } = till;
  const router = Router();
  const on = (
    verb: string,
    schema: z.ZodType<Order>,
    act: (subject: Subject, order: Order) => StripeEvent[],
  ): void => {
    router.post(`/payments/:id/${verb}`, async (request: Request, response: Response) => {
      const order = checked(schema, request.body ?? {});
      const subject = existing(till, String(request.params['id']));
      // Payment and webhook go into the journal together: a kill loses neither or both.
      const sent = core.store.batch(() => {
        const events = orConflict(() => act(subject, order));
        const deliveries = events.map((one) => sender.send(one, order.webhook));
        return { event: events.at(-1)!, deliveries: Promise.all(deliveries) };
      });
      const { event } = sent;
      const webhooks = (await sent.deliveries).flat();
      const after = subject.session && vendorRecords.session(subject.session.id)!;
      if (after && wantsPage(request)) return response.redirect(303, successUrl(after));
      response.json({
        ...(after && { session: sessionObject(after, core.baseUrl()) }),
        event: { id: event.id, type: event.type },
        webhooks,
      });
    });
  };
  const payment = (subject: Subject) => paymentOf(till, subject);
  on('pay', payBody, (subject, { card }) => pay(till, sessionOf(subject), card));
  on('expire', webhookBody, (subject) => [expire(till, sessionOf(subject))]);
  on('inquiry', webhookBody, (subject) => dispute(till, payment(subject), 'inquiry'));
  on('dispute', webhookBody, (subject) => dispute(till, payment(subject), 'withdrawn'));
  on('dispute-won', webhookBody, (subject) => closeDispute(till, payment(subject), 'won'));
  on('dispute-lost', webhookBody, (subject) => closeDispute(till, payment(subject), 'lost'));
  on('refund-failed', webhookBody, (subject) => failRefund(till, payment(subject)));
  on('refund', refundBody, (subject, { amountCents }) => {
    return refund(till, payment(subject), { amountCents }).events;
  });
  router.post('/payment-methods/:id', (request, response) => {
    const { card } = checked(cardBody, request.body ?? {});
    const method = vendorRecords.method(request.params.id);
    if (method === undefined) throw new ControlRefusal(404, 'there is no such payment method');
    vendorRecords.saveMethod(
      card === 'detached' ? { ...method, isDetached: true } : { ...method, card },
    );
    response.json(vendorRecords.method(method.id));
  });
  return router;
}

/** What a path names: a session, or a payment that has none. */
type Subject = { session: Session } | { session?: undefined; payment: Payment };

function existing({ vendorRecords }: Till, id: string): Subject {
  const session = vendorRecords.session(id);
  if (session !== undefined) return { session };
  const payment = vendorRecords.payment(id);
  if (payment === undefined) throw new ControlRefusal(404, `there is no session ${id}`);
  return { payment };
}

function sessionOf({ session }: Subject): Session {
  if (session === undefined) throw new ControlRefusal(409, 'the payment has no session');
  return session;
}

function paymentOf({ vendorRecords }: Till, subject: Subject): Payment {
  if (subject.session === undefined) return subject.payment;
  const { paymentId } = subject.session;
  const payment = paymentId === null ? undefined : vendorRecords.payment(paymentId);
  if (payment === undefined) throw new ControlRefusal(409, 'the session is not paid');
  return payment;
}

function orConflict<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof PaymentRefusal) throw new ControlRefusal(409, error.message);
    throw error;
  }
}

/** The request comes from the checkout page's button, not from a program. */
const wantsPage = (request: Request): boolean => request.accepts(['json', 'html']) === 'html';
