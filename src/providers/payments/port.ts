/** The port of payment processors: checkout pages and the events they send. */

export interface CheckoutOrder {
  userId: string;
  amountCents: number;
  /** Repeating an order with the same key MUST return the first session. */
  key: string;
  /** Where the page sends the payer afterwards, unless the vendor's settings say otherwise. */
  returnUrl: string;
}

/** A checkout session as the processor knows it. */
export interface Checkout {
  sessionId: string;
  url: string | null;
  status: 'open' | 'complete' | 'expired';
  paymentStatus: 'paid' | 'unpaid' | 'no_payment_required';
  amountCents: number;
  /** MUST be null for a session that `createCheckout` did not make: others may use the account. */
  userId: string | null;
  paymentId: string | null;
}

/** An event of the processor that concerns our money; anything else is `ignored`. */
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
  /**
   * Parses an event from the raw body. MUST throw `rejected` on a signature that is not exactly
   * that of these bytes, or that is more than 300 s away from now.
   */
  readEvent(rawBody: Buffer, signature: string): PaymentEvent;
}
