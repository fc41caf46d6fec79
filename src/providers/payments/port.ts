/** The port of payment processors: checkout pages and the events they send. */
import type { AskableAccount } from '../../domain/operations/account-questions.ts';

export interface CheckoutOrder {
  userId: string;
  amountCents: number;
  /** Repeating an order with the same key MUST return the first session. */
  key: string;
  /** Asks the payer to keep their card for charges without them; MUST be told as `method` then. */
  savesMethod?: boolean | undefined;
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

/** A card that its payer let us keep; `savedAt`: ISO 8601 UTC. */
export interface SavedMethod {
  userId: string;
  customerId: string;
  paymentMethodId: string;
  savedAt: string;
}

export interface ChargeOrder {
  rechargeId: number;
  /** Tells the recharge from one of the same id whose row was lost; null where it has none. */
  chargeKey: string | null;
  userId: string;
  amountCents: number;
  customerId: string;
  paymentMethodId: string;
  /** Repeating an order with the same key MUST NOT charge again, for a day at least. */
  key: string;
}

/** A payment without its payer present. */
export interface Charge {
  /** Null where it was refused before a payment was made. */
  paymentId: string | null;
  /** MUST be null for a payment that `chargeSaved` did not make, as MUST `rechargeId`. */
  userId: string | null;
  rechargeId: number | null;
  /** That of its order; null where that had none. */
  chargeKey: string | null;
  /** What was paid, or is to be. */
  amountCents: number;
  currency: string | null;
  /** `pending`: being made; `failed`: nothing is charged. */
  status: 'succeeded' | 'pending' | 'failed';
  /** Why it failed; `declineCode` MUST be one that the payer may read. */
  failure: {
    reason: 'card_declined' | 'authentication_required' | 'payment_method_invalid';
    declineCode: string | null;
  } | null;
}

export type ListedCharge = Charge & { createdAt: string };

/**
 * A list as the processor gives it, the newest first, so that its length needs no memory. MUST NOT end before the
 * last page: throws where that cannot be read.
 */
export type Pages<T> = AsyncIterable<T[]>;

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
  | { kind: 'recharge'; charge: Charge }
  | { kind: 'method'; method: SavedMethod }
  | { kind: 'ignored' }
);

export interface Payments extends AskableAccount {
  readonly name: string;
  createCheckout(order: CheckoutOrder): Promise<Checkout>;
  /**
   * Charges a saved method while its payer is away. A refusal that only the payer can cure is an answer,
   * `failed`; MUST throw where it is not known whether the payment was made.
   */
  chargeSaved(order: ChargeOrder): Promise<Charge>;
  /** The payment of a recharge, made since then: one that succeeded before any other. Null: there is none. */
  findCharge(of: {
    rechargeId: number;
    chargeKey: string | null;
    customerId: string;
    since: Date;
  }): Promise<Charge | null>;
  /** Every payment of `chargeSaved` since then. */
  listCharges(since: Date): Pages<ListedCharge>;
  /** Every card that a checkout of ours has saved since then. */
  listSavedMethods(since: Date): Pages<SavedMethod>;
  /** Nobody can charge it any more. MUST succeed where that is so already. */
  forgetMethod(paymentMethodId: string): Promise<void>;
  /** What was made since then; of sessions only ours. For the comparison with the ledger. */
  listCheckouts(since: Date): Pages<ListedCheckout>;
  listRefunds(since: Date): Pages<Refund>;
  listDisputes(since: Date): Pages<Dispute>;
  /** Null when the processor does not know the session. */
  findCheckout(sessionId: string): Promise<Checkout | null>;
  /**
   * Parses an event from the raw body. MUST throw `rejected` on a signature that is not exactly
   * that of these bytes, or that is more than 300 s away from now.
   */
  readEvent(rawBody: Buffer, signature: string): PaymentEvent;
}
