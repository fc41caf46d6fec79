/** What happens to money at Stripe: paying, refunding, disputing, expiring; each with its event. */
import type { SandboxCore } from '../core.ts';
import type {
  Card,
  Method,
  Payment,
  Refund,
  Session,
  StripeRecords,
  StripeEvent,
} from './vendor-records.ts';
import { disputeObject, refundObject, sessionObject } from './objects.ts';
import { chargeObject, paymentIntentObject } from './payment-objects.ts';
import { epochSeconds, newId, STRIPE_VERSION } from './wire.ts';

/** Why an action is impossible; the control API answers 409, the vendor's API its own error. */
export class PaymentRefusal extends Error {}

export interface Till {
  core: SandboxCore;
  vendorRecords: StripeRecords;
}

/** The payment intent's event is sent where a card was kept, and before the session's. */
export function pay(
  { core, vendorRecords }: Till,
  session: Session,
  card: Card = 'good',
): StripeEvent[] {
  if (session.status !== 'open') throw new PaymentRefusal(`the session is ${session.status}`);
  const customerId = session.makesCustomer ? newId('cus') : null;
  const method: Method = {
    id: newId('pm'),
    created: epochSeconds(),
    customerId: session.savesMethod ? customerId : null,
    card,
    isDetached: false,
  };
  const payment: Payment = {
    id: newId('pi'),
    chargeId: newId('ch'),
    sessionId: session.id,
    created: epochSeconds(),
    amountCents: session.amountCents,
    currency: session.currency,
    refundedCents: 0,
    disputeId: null,
    disputeState: null,
    disputedAt: null,
    metadata: session.paymentMetadata,
    customerId,
    methodId: method.id,
    savesMethod: session.savesMethod === true,
  };
  const paid: Session = {
    ...session,
    status: 'complete',
    paymentStatus: 'paid',
    paymentId: payment.id,
    customerId,
  };
  vendorRecords.saveMethod(method);
  vendorRecords.savePayment(payment);
  vendorRecords.saveSession(paid);
  const succeeded = recordEvent(
    vendorRecords,
    'payment_intent.succeeded',
    paymentIntentObject(payment),
  );
  recordEvent(vendorRecords, 'charge.succeeded', chargeObject(payment));
  const completed = recordEvent(
    vendorRecords,
    'checkout.session.completed',
    sessionObject(paid, core.baseUrl()),
  );
  return session.savesMethod ? [succeeded, completed] : [completed];
}

export function expire({ core, vendorRecords }: Till, session: Session): StripeEvent {
  if (session.status !== 'open') throw new PaymentRefusal(`the session is ${session.status}`);
  const expired: Session = { ...session, status: 'expired' };
  vendorRecords.saveSession(expired);
  return recordEvent(
    vendorRecords,
    'checkout.session.expired',
    sessionObject(expired, core.baseUrl()),
  );
}

export interface RefundOrder {
  /** Default: all that is left. */
  amountCents?: number | undefined;
  reason?: string | undefined;
  metadata?: Record<string, string> | undefined;
}

/** The event is `charge.refunded`, whose charge counts all refunds so far. */
export function refund(
  { vendorRecords }: Till,
  payment: Payment,
  order: RefundOrder,
): { refund: Refund; events: StripeEvent[] } {
  const leftCents = payment.amountCents - payment.refundedCents;
  const amountCents = order.amountCents ?? leftCents;
  if (payment.declined) throw new PaymentRefusal('the payment was declined');
  if (leftCents === 0) throw new PaymentRefusal('the charge has already been refunded');
  if (amountCents > leftCents) {
    throw new PaymentRefusal(`${amountCents} is more than the ${leftCents} that are left`);
  }
  const made: Refund = {
    id: newId('re'),
    created: epochSeconds(),
    paymentId: payment.id,
    chargeId: payment.chargeId,
    amountCents,
    currency: payment.currency,
    reason: order.reason ?? null,
    status: 'succeeded',
    metadata: order.metadata ?? {},
  };
  const after = { ...payment, refundedCents: payment.refundedCents + amountCents };
  vendorRecords.saveRefund(made);
  vendorRecords.savePayment(after);
  return {
    refund: made,
    events: [
      recordEvent(vendorRecords, 'refund.created', refundObject(made)),
      recordEvent(vendorRecords, 'charge.refunded', chargeObject(after)),
    ],
  };
}

/** The last refund fails at the payer's bank: its money comes back. docs.stripe.com/refunds#failed-refunds */
export function failRefund({ vendorRecords }: Till, payment: Payment): StripeEvent[] {
  const last = vendorRecords
    .refunds()
    .findLast(({ paymentId, status }) => paymentId === payment.id && status !== 'failed');
  if (last === undefined) throw new PaymentRefusal('no refund of the charge can fail');
  const failed = { ...last, status: 'failed' } as const;
  const refundedCents = payment.refundedCents - last.amountCents;
  vendorRecords.saveRefund(failed);
  vendorRecords.savePayment({ ...payment, refundedCents });
  return ['refund.updated', 'charge.refund.updated', 'refund.failed'].map((type) =>
    recordEvent(vendorRecords, type, refundObject(failed)),
  );
}

/** Money is withdrawn at once, except by an inquiry. docs.stripe.com/disputes/how-disputes-work */
export function dispute(
  { vendorRecords }: Till,
  payment: Payment,
  disputeState: 'inquiry' | 'withdrawn',
): StripeEvent[] {
  if (payment.disputeId !== null) throw new PaymentRefusal('the charge is disputed already');
  const disputedAt = epochSeconds();
  const disputed: Payment = { ...payment, disputeId: newId('dp'), disputeState, disputedAt };
  vendorRecords.savePayment(disputed);
  const types = ['charge.dispute.created'];
  if (disputeState === 'withdrawn') types.push('charge.dispute.funds_withdrawn');
  return types.map((type) => recordEvent(vendorRecords, type, disputeObject(disputed)));
}

/** The bank has decided; of a won dispute the money comes back. */
export function closeDispute(
  { vendorRecords }: Till,
  payment: Payment,
  disputeState: 'won' | 'lost',
): StripeEvent[] {
  if (payment.disputeState !== 'withdrawn') throw new PaymentRefusal('no dispute is open');
  const closed: Payment = { ...payment, disputeState };
  vendorRecords.savePayment(closed);
  const types = ['charge.dispute.closed'];
  if (disputeState === 'won') types.push('charge.dispute.funds_reinstated');
  return types.map((type) => recordEvent(vendorRecords, type, disputeObject(closed)));
}

/** Open sessions whose time is over become expired, each with its event. */
export function expireDue(till: Till): StripeEvent[] {
  const now = epochSeconds();
  return till.vendorRecords
    .sessions()
    .filter((session) => session.status === 'open' && session.expiresAt <= now)
    .map((session) => expire(till, session));
}

export function recordEvent(
  vendorRecords: StripeRecords,
  type: string,
  object: object,
): StripeEvent {
  const event: StripeEvent = {
    id: newId('evt'),
    object: 'event',
    api_version: STRIPE_VERSION,
    created: epochSeconds(),
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
    data: { object },
  };
  vendorRecords.saveEvent(event);
  return event;
}
