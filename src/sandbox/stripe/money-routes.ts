/** Stripe's charges, refunds, disputes and events. */
import { Router } from 'express';
import { z } from 'zod';
import { send } from '../vendor-router.ts';
import type { Payment } from './vendor-records.ts';
import { parseForm } from './form.ts';
import { listOf, listQuery } from './lists.ts';
import { disputeObject, refundObject } from './objects.ts';
import { chargeObject } from './payment-objects.ts';
import { PaymentRefusal, refund, type RefundOrder, type Till } from './payments.ts';
import type { Repeat } from './sessions.ts';
import type { WebhookSender } from './webhooks.ts';
import { noSuch, refuse } from './wire.ts';

const refundForm = z
  .strictObject({
    charge: z.string().optional(),
    payment_intent: z.string().optional(),
    amount: z.coerce.number().int().min(1).optional(),
    reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
    metadata: z.record(z.string(), z.string()).optional(),
    expand: z.array(z.string()).optional(),
  })
  .refine((form) => form.charge !== undefined || form.payment_intent !== undefined, {
    path: ['payment_intent'],
    message: 'one of payment_intent and charge is needed',
  });

export function moneyRoutes(till: Till, sender: WebhookSender, repeatable: Repeat): Router {
  const { vendorRecords } = till;
  const router = Router();
  router.post('/refunds', (request, response) => {
    const answer = repeatable(request, () => {
      const form = parseForm(refundForm, request);
      const payment = paymentOf(till, form);
      const made = refundOrRefuse(till, payment, { ...form, amountCents: form.amount });
      for (const event of made.events) void sender.send(event, 'once');
      return { status: 200, body: refundObject(made.refund) };
    });
    send(response, answer);
  });
  router.get('/refunds', (request, response) => {
    const query = parseForm(listQuery.extend({ payment_intent: z.string().optional() }), request);
    const refunds = vendorRecords
      .refunds()
      .filter((r) => query.payment_intent === undefined || r.paymentId === query.payment_intent);
    response.json(listOf('/v1/refunds', refunds.map(refundObject), query));
  });
  router.get('/refunds/:id', (request, response) => {
    const found = vendorRecords.refund(request.params.id);
    if (found === undefined) throw noSuch('refund', request.params.id, 'refund');
    response.json(refundObject(found));
  });
  router.get('/disputes', (request, response) => {
    const query = parseForm(listQuery.extend({ payment_intent: z.string().optional() }), request);
    const disputed = vendorRecords
      .payments()
      .filter(({ id }) => query.payment_intent === undefined || id === query.payment_intent)
      .filter(({ disputeId }) => disputeId !== null);
    response.json(listOf('/v1/disputes', disputed.map(disputeObject), query));
  });
  router.get('/charges/:id', (request, response) => {
    response.json(chargeObject(paymentOf(till, { charge: request.params.id })));
  });
  router.get('/events', (request, response) => {
    const query = parseForm(listQuery.extend({ type: z.string().optional() }), request);
    const events = vendorRecords
      .events()
      .filter((e) => query.type === undefined || e.type === query.type);
    response.json(listOf('/v1/events', events, query));
  });
  router.get('/events/:id', (request, response) => {
    const found = vendorRecords.event(request.params.id);
    if (found === undefined) throw noSuch('event', request.params.id, 'id');
    response.json(found);
  });
  return router;
}

export function paymentOf(
  { vendorRecords }: Till,
  {
    charge,
    payment_intent: intent,
  }: { charge?: string | undefined; payment_intent?: string | undefined },
): Payment {
  const found =
    intent === undefined
      ? vendorRecords.paymentOfCharge(charge ?? '')
      : vendorRecords.payment(intent);
  if (found !== undefined) return found;
  throw intent === undefined
    ? noSuch('charge', charge ?? '', 'charge')
    : noSuch('payment_intent', intent, 'intent');
}

function refundOrRefuse(till: Till, payment: Payment, order: RefundOrder) {
  try {
    return refund(till, payment, order);
  } catch (error) {
    if (!(error instanceof PaymentRefusal)) throw error;
    const isSpent = payment.refundedCents === payment.amountCents;
    throw refuse(400, error.message, isSpent ? { code: 'charge_already_refunded' } : {});
  }
}
