/** Payments in the control API: pay, refund, dispute or expire a checkout session. */
import { Router, type Request, type Response } from 'express';
import { z } from 'zod';
import { checked, ControlRefusal } from '../control-api.ts';
import type { Payment, Session, StripeEvent } from './vendor-records.ts';
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
const refundBody = webhookBody.extend({ amountCents: z.int().min(1).optional() });

interface Order {
  webhook: WebhookMode;
  /** Of a refund; default: all that is left. */
  amountCents?: number | undefined;
}

export function paymentsControl(till: Till, sender: WebhookSender): Router {
  const { core, vendorRecords } = till;
  const router = Router();
  const on = (
    verb: string,
    schema: z.ZodType<Order>,
    act: (session: Session, order: Order) => StripeEvent[],
  ): void => {
    router.post(`/payments/:id/${verb}`, async (request: Request, response: Response) => {
      const order = checked(schema, request.body ?? {});
      const session = existing(till, String(request.params['id']));
      // Payment and webhook go into the journal together: a kill loses neither or both.
      const sent = core.store.batch(() => {
        const events = orConflict(() => act(session, order));
        const deliveries = events.map((one) => sender.send(one, order.webhook));
        return { event: events.at(-1)!, deliveries: Promise.all(deliveries) };
      });
      const { event } = sent;
      const webhooks = (await sent.deliveries).flat();
      const after = vendorRecords.session(session.id)!;
      if (wantsPage(request)) return response.redirect(303, successUrl(after));
      response.json({
        session: sessionObject(after, core.baseUrl()),
        event: { id: event.id, type: event.type },
        webhooks,
      });
    });
  };
  const payment = (session: Session) => paymentOf(till, session);
  on('pay', webhookBody, (session) => [pay(till, session)]);
  on('expire', webhookBody, (session) => [expire(till, session)]);
  on('inquiry', webhookBody, (session) => dispute(till, payment(session), 'inquiry'));
  on('dispute', webhookBody, (session) => dispute(till, payment(session), 'withdrawn'));
  on('dispute-won', webhookBody, (session) => closeDispute(till, payment(session), 'won'));
  on('dispute-lost', webhookBody, (session) => closeDispute(till, payment(session), 'lost'));
  on('refund-failed', webhookBody, (session) => failRefund(till, payment(session)));
  on('refund', refundBody, (session, { amountCents }) => {
    return refund(till, payment(session), { amountCents }).events;
  });
  return router;
}

function existing({ vendorRecords }: Till, id: string): Session {
  const session = vendorRecords.session(id);
  if (session === undefined) throw new ControlRefusal(404, `there is no session ${id}`);
  return session;
}

function paymentOf({ vendorRecords }: Till, session: Session): Payment {
  const payment = session.paymentId === null ? undefined : vendorRecords.payment(session.paymentId);
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
