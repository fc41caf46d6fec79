/** What happens to money at Stripe: paying, refunding, disputing, expiring; each with its event. */
import type { SandboxCore } from '../core.ts';
import type { Payment, Refund, Session, StripeBooks, StripeEvent } from './books.ts';
import {
  chargeObject,
  disputeObject,
  paymentIntentObject,
  refundObject,
  sessionObject,
} from './objects.ts';
import { epochSeconds, newId, STRIPE_VERSION } from './wire.ts';

/** Why something cannot be done; the door answers 409, the vendor's API its own way. */
export class PaymentRefusal extends Error {}

export interface Till {
  core: SandboxCore;
  books: StripeBooks;
}

export function pay({ core, books }: Till, session: Session): StripeEvent {
  if (session.status !== 'open') throw new PaymentRefusal(`the session is ${session.status}`);
  const payment: Payment = {
    id: newId('pi'),
    chargeId: newId('ch'),
    sessionId: session.id,
    created: epochSeconds(),
    amountCents: session.amountCents,
    currency: session.currency,
    refundedCents: 0,
    disputeId: null,
    metadata: session.paymentMetadata,
  };
  const paid: Session = {
    ...session,
    status: 'complete',
    paymentStatus: 'paid',
    paymentId: payment.id,
  };
  books.savePayment(payment);
  books.saveSession(paid);
  recordEvent(books, 'payment_intent.succeeded', paymentIntentObject(payment));
  recordEvent(books, 'charge.succeeded', chargeObject(payment));
  return recordEvent(books, 'checkout.session.completed', sessionObject(paid, core.baseUrl()));
}

export function expire({ core, books }: Till, session: Session): StripeEvent {
  if (session.status !== 'open') throw new PaymentRefusal(`the session is ${session.status}`);
  const expired: Session = { ...session, status: 'expired' };
  books.saveSession(expired);
  return recordEvent(books, 'checkout.session.expired', sessionObject(expired, core.baseUrl()));
}

export interface RefundOrder {
  /** Default: all that is left. */
  amountCents?: number | undefined;
  reason?: string | undefined;
  metadata?: Record<string, string> | undefined;
}

/** The event is `charge.refunded`, whose charge counts all refunds so far. */
export function refund(
  { books }: Till,
  payment: Payment,
  order: RefundOrder,
): { refund: Refund; event: StripeEvent } {
  const leftCents = payment.amountCents - payment.refundedCents;
  const amountCents = order.amountCents ?? leftCents;
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
    metadata: order.metadata ?? {},
  };
  const after = { ...payment, refundedCents: payment.refundedCents + amountCents };
  books.saveRefund(made);
  books.savePayment(after);
  recordEvent(books, 'refund.created', refundObject(made));
  return { refund: made, event: recordEvent(books, 'charge.refunded', chargeObject(after)) };
}

export function dispute({ books }: Till, payment: Payment): StripeEvent {
  if (payment.disputeId !== null) throw new PaymentRefusal('the charge is disputed already');
  const disputeId = newId('dp');
  books.savePayment({ ...payment, disputeId });
  return recordEvent(books, 'charge.dispute.created', disputeObject(payment, disputeId));
}

/** Open sessions whose time is over become expired, each with its event. */
export function expireDue(till: Till): StripeEvent[] {
  const now = epochSeconds();
  return till.books
    .sessions()
    .filter((session) => session.status === 'open' && session.expiresAt <= now)
    .map((session) => expire(till, session));
}

function recordEvent(books: StripeBooks, type: string, object: object): StripeEvent {
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
  books.saveEvent(event);
  return event;
}
