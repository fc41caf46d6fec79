/** The port of payment processors: checkout pages and the events they send. */

export interface CheckoutOrder {
  userId: string;
  amountCents: number;
  /** Idempotency key of the creating request. */
  key: string;
}

/** A checkout session as the processor knows it. */
export interface Checkout {
  sessionId: string;
  url: string | null;
  status: 'open' | 'complete' | 'expired';
  paymentStatus: 'paid' | 'unpaid' | 'no_payment_required';
  amountCents: number;
  userId: string | null;
  paymentId: string | null;
}

/** An event of the processor that concerns money of ours; anything else is `ignored`. */
export type PaymentEvent = { eventId: string; type: string } & (
  | { kind: 'checkout'; checkout: Checkout }
  /** `totalRefundedCents` is cumulative over the payment, as processors count. */
  | { kind: 'refunded'; paymentId: string; totalRefundedCents: number }
  | { kind: 'disputed'; paymentId: string; disputeId: string; amountCents: number }
  | { kind: 'ignored' }
);

export interface Payments {
  readonly name: string;
  createCheckout(order: CheckoutOrder): Promise<Checkout>;
  /** Null when the processor does not know the session. */
  findCheckout(sessionId: string): Promise<Checkout | null>;
  /** Parses an event from the raw body. Throws `rejected` on a bad or stale signature (300 s). */
  readEvent(rawBody: Buffer, signature: string): PaymentEvent;
}
