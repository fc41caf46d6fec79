/** Stripe's payment intents and the cards that they charge. docs.stripe.com/api/payment_intents */
import { Router } from 'express';
import { z } from 'zod';
import { send, type Answer } from '../vendor-router.ts';
import type { Method, Payment, StripeEvent } from './vendor-records.ts';
import { parseForm } from './form.ts';
import { listOf, listQuery } from './lists.ts';
import { paymentOf } from './money-routes.ts';
import { chargeObject, declineOf, detachedObject, paymentIntentObject } from './payment-objects.ts';
import { recordEvent, type Till } from './payments.ts';
import type { Repeat } from './sessions.ts';
import type { WebhookSender } from './webhooks.ts';
import { epochSeconds, newId, noSuch, refuse, refuseTypes } from './wire.ts';

/** Only what is confirmed at once, without its payer: nothing else is needed here. */
const intentForm = z.strictObject({
  amount: z.coerce.number().int().min(50).max(99_999_999),
  currency: z.literal('usd'),
  customer: z.string().optional(),
  payment_method: z.string(),
  allowed_payment_method_types: z.array(z.literal('card')).optional(),
  off_session: z.literal('true', 'the sandbox takes charges without their payer only'),
  confirm: z.literal('true', 'the sandbox confirms at once'),
  description: z.string().optional(),
  metadata: z.record(z.string().max(40), z.string().max(500)).optional(),
  expand: z.array(z.string()).optional(),
});

type IntentForm = z.infer<typeof intentForm>;

export function intentRoutes(till: Till, sender: WebhookSender, repeatable: Repeat): Router {
  const { vendorRecords } = till;
  const router = Router();
  router.post('/payment_intents', (request, response) => {
    // A refusal of the card is kept under the key as a success is; one of the form is not.
    const answer = repeatable(request, () => {
      refuseTypes(request);
      const made = charge(till, parseForm(intentForm, request));
      for (const event of made.events) void sender.send(event, 'once');
      return made.answer;
    });
    send(response, answer);
  });
  router.get('/payment_intents', (request, response) => {
    const query = parseForm(listQuery.extend({ customer: z.string().optional() }), request);
    const found = vendorRecords
      .payments()
      .filter(({ customerId }) => query.customer === undefined || customerId === query.customer);
    response.json(listOf('/v1/payment_intents', found.map(paymentIntentObject), query));
  });
  router.get('/payment_intents/:id', (request, response) => {
    response.json(paymentIntentObject(paymentOf(till, { payment_intent: request.params.id })));
  });
  router.post('/payment_methods/:id/detach', (request, response) => {
    const method = vendorRecords.method(request.params.id);
    if (method === undefined) {
      throw noSuch('PaymentMethod', request.params.id, 'payment_method');
    }
    if (method.customerId === null || method.isDetached) {
      throw refuse(
        400,
        'The payment method you provided is not attached to a customer so detachment is impossible.',
      );
    }
    vendorRecords.saveMethod({ ...method, isDetached: true });
    response.json(detachedObject(method));
  });
  return router;
}

function charge(
  { vendorRecords }: Till,
  form: IntentForm,
): { answer: Answer; events: StripeEvent[] } {
  const method = chargeable(vendorRecords.method(form.payment_method), form);
  const declined = method.card === 'good' ? null : method.card;
  const payment: Payment = {
    id: newId('pi'),
    chargeId: newId('ch'),
    sessionId: null,
    created: epochSeconds(),
    amountCents: form.amount,
    currency: form.currency,
    refundedCents: 0,
    disputeId: null,
    disputeState: null,
    disputedAt: null,
    metadata: form.metadata ?? {},
    customerId: method.customerId,
    methodId: method.id,
    declined,
  };
  vendorRecords.savePayment(payment);
  const intent = paymentIntentObject(payment);
  if (declined === null) {
    recordEvent(vendorRecords, 'charge.succeeded', chargeObject(payment));
    const event = recordEvent(vendorRecords, 'payment_intent.succeeded', intent);
    return { answer: { status: 200, body: intent }, events: [event] };
  }
  recordEvent(vendorRecords, 'charge.failed', chargeObject(payment));
  const event = recordEvent(vendorRecords, 'payment_intent.payment_failed', intent);
  const error = { ...declineOf(declined, payment), payment_intent: intent };
  return { answer: { status: 402, body: { error } }, events: [event] };
}

/** The method, if it is this customer's: one that was used without a customer, or detached, is spent. */
function chargeable(method: Method | undefined, { payment_method, customer }: IntentForm): Method {
  if (method === undefined) throw noSuch('PaymentMethod', payment_method, 'payment_method');
  if (method.customerId === null || method.isDetached) {
    throw refuse(
      400,
      'The provided PaymentMethod was previously used with a PaymentIntent without Customer ' +
        'attachment, shared with a connected account without Customer attachment, or was ' +
        'detached from a Customer. It may not be used again.',
      { param: 'payment_method' },
    );
  }
  if (method.customerId === customer) return method;
  throw refuse(400, 'The customer does not have a payment method with this ID.', {
    param: 'payment_method',
  });
}
