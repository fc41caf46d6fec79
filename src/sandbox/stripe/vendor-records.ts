/** Stripe's records: sessions, payments, refunds, disputes, events, webhook deliveries. */
import type { Store } from '../store.ts';

/** Times are epoch seconds, as Stripe counts; amounts are cents. */
export interface Session {
  id: string;
  created: number;
  expiresAt: number;
  status: 'open' | 'complete' | 'expired';
  paymentStatus: 'unpaid' | 'paid';
  amountCents: number;
  currency: string;
  productName: string;
  quantity: number;
  clientReferenceId: string | null;
  customerEmail: string | null;
  metadata: Record<string, string>;
  /** Copied to the payment intent. */
  paymentMetadata: Record<string, string>;
  successUrl: string;
  cancelUrl: string | null;
  paymentId: string | null;
  /** The card is kept for charges without its payer; absent in older records. */
  savesMethod?: boolean;
  /** Without a customer a card that was kept cannot be charged again. */
  makesCustomer?: boolean;
  customerId?: string | null;
}

/** How a card answers a charge without its payer. docs.stripe.com/testing */
export const CARDS = [
  'good',
  'authentication_required',
  'insufficient_funds',
  'generic_decline',
  'lost_card',
  'expired_card',
] as const;
export type Card = (typeof CARDS)[number];

/** A card of a payer; detached it can never be charged again. */
export interface Method {
  id: string;
  created: number;
  customerId: string | null;
  card: Card;
  isDetached: boolean;
}

/** A payment intent and its one charge. */
export interface Payment {
  id: string;
  chargeId: string;
  /** Null: a charge without a checkout. */
  sessionId: string | null;
  created: number;
  amountCents: number;
  currency: string;
  /** Cumulative. */
  refundedCents: number;
  disputeId: string | null;
  /** An inquiry moves no money; `withdrawn` and `lost` keep it, `won` has given it back. */
  disputeState: DisputeState | null;
  /** Epoch seconds. */
  disputedAt: number | null;
  metadata: Record<string, string>;
  /** Absent in older records: paid by a card that was not kept. */
  customerId?: string | null;
  methodId?: string | null;
  savesMethod?: boolean;
  /** Why it was declined: then nothing was paid. */
  declined?: Exclude<Card, 'good'> | null;
}

export type DisputeState = 'inquiry' | 'withdrawn' | 'won' | 'lost';

export interface Refund {
  id: string;
  created: number;
  paymentId: string;
  chargeId: string;
  amountCents: number;
  currency: string;
  reason: string | null;
  status: 'succeeded' | 'failed';
  metadata: Record<string, string>;
}

export interface StripeEvent {
  id: string;
  object: 'event';
  api_version: string;
  created: number;
  livemode: false;
  pending_webhooks: number;
  request: { id: null; idempotency_key: null };
  type: string;
  data: { object: object };
}

/** The delivery of one event, repeated until the API accepts it. */
export interface Delivery {
  id: string;
  eventId: string;
  type: string;
  /** Id of the object that the event is about. */
  subject: string;
  state: 'pending' | 'delivered' | 'given_up';
  /** Epoch ms before which nothing is sent. */
  notBeforeMs: number;
  attempts: { at: string; status: number | null; error: string | null }[];
}

export type StripeRecords = ReturnType<typeof openStripeRecords>;

export function openStripeRecords(store: Store) {
  const all = <T>(noun: string) => store.list<T>(`stripe:${noun}`);
  const one = <T>(noun: string, id: string) => store.get<T>(`stripe:${noun}`, id);
  const save = (noun: string, document: { id: string }) =>
    store.put(`stripe:${noun}`, document.id, document);
  const payments = () => all<Payment>('payments');
  return {
    sessions: () => all<Session>('sessions'),
    session: (id: string) => one<Session>('sessions', id),
    saveSession: (session: Session) => save('sessions', session),
    payments,
    payment: (id: string) => one<Payment>('payments', id),
    paymentOfCharge: (id: string) => payments().find((payment) => payment.chargeId === id),
    savePayment: (payment: Payment) => save('payments', payment),
    method: (id: string) => one<Method>('methods', id),
    saveMethod: (method: Method) => save('methods', method),
    refunds: () => all<Refund>('refunds'),
    refund: (id: string) => one<Refund>('refunds', id),
    saveRefund: (refund: Refund) => save('refunds', refund),
    events: () => all<StripeEvent>('events'),
    event: (id: string) => one<StripeEvent>('events', id),
    saveEvent: (event: StripeEvent) => save('events', event),
    deliveries: () => all<Delivery>('deliveries'),
    delivery: (id: string) => one<Delivery>('deliveries', id),
    saveDelivery: (delivery: Delivery) => save('deliveries', delivery),
    nextDeliveryId: () => String(store.nextId('stripe:deliveries')),
    /** As `GET /_sandbox/books` shows them. */
    shown: () => ({
      sessions: all<Session>('sessions').map((session) => ({
        id: session.id,
        amountCents: session.amountCents,
        status: session.status,
        paymentStatus: session.paymentStatus,
        clientReferenceId: session.clientReferenceId,
        paymentIntent: session.paymentId,
      })),
      charges: payments()
        .filter(({ sessionId }) => sessionId === null)
        .map(({ id, amountCents, declined, metadata }) => ({
          id,
          amountCents,
          declined: declined ?? null,
          metadata,
        })),
      methods: all<Method>('methods'),
      refunds: all<Refund>('refunds').map(({ id, paymentId, amountCents }) => ({
        id,
        paymentIntent: paymentId,
        amountCents,
      })),
      disputes: payments()
        .filter((payment) => payment.disputeId !== null)
        .map(({ disputeId, disputeState, id, amountCents }) => ({
          id: disputeId,
          paymentIntent: id,
          amountCents,
          state: disputeState,
        })),
      webhooks: all<Delivery>('deliveries'),
    }),
  };
}
