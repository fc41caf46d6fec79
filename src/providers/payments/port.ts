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
  /** ISO 4217, lower case; null where the processor names none. */
  currency: string | null;
  /** What `createCheckout` asked for; null for a session that does not say. */
  askedCents: number | null;
  /** MUST be null for a session that `createCheckout` did not make: others may use the account. */
  userId: string | null;
  paymentId: string | null;
}

/** `createdAt`: ISO 8601 UTC. */
export type ListedCheckout = Checkout & { createdAt: string };

/** One refund of a payment; `hasFailed`: its money has come back to us. */
export interface Refund {
  refundId: string;
  paymentId: string;
  amountCents: number;
  hasFailed: boolean;
}

/** A dispute moves money only once it is withdrawn; an inquiry never does. */
export interface Dispute {
  disputeId: string;
  paymentId: string;
  amountCents: number;
  isWithdrawn: boolean;
  isReinstated: boolean;
}

/** An event of the processor that concerns our money; anything else is `ignored`. */
export type PaymentEvent = { eventId: string; type: string } & (
  | { kind: 'checkout'; checkout: Checkout }
  /** `totalRefundedCents` is cumulative over the payment, as processors count. */
  | { kind: 'refunded'; paymentId: string; totalRefundedCents: number }
  | ({ kind: 'refund' } & Refund)
  | ({ kind: 'dispute' } & Dispute)
  | { kind: 'ignored' }
);

export interface Payments {
  readonly name: string;
  createCheckout(order: CheckoutOrder): Promise<Checkout>;
  /** What was made since then, every page; of sessions only ours. For the comparison with the ledger. */
  listCheckouts(since: Date): Promise<ListedCheckout[]>;
  listRefunds(since: Date): Promise<Refund[]>;
  listDisputes(since: Date): Promise<Dispute[]>;
  /** Null when the processor does not know the session. */
  findCheckout(sessionId: string): Promise<Checkout | null>;
  /**
   * Parses an event from the raw body. MUST throw `rejected` on a signature that is not exactly
   * that of these bytes, or that is more than 300 s away from now.
   */
  readEvent(rawBody: Buffer, signature: string): PaymentEvent;
}
