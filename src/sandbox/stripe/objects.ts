/** Stripe's objects on the wire. docs.stripe.com/api */
import { DAY_SECONDS } from '../../domain/day.ts';
import type { Payment, Refund, Session } from './vendor-records.ts';
import { epochSeconds } from './wire.ts';

/** A Checkout Session; `baseUrl` is the sandbox's, whose page takes the payment. */
export function sessionObject(session: Session, baseUrl: string) {
  const isOpen = session.status === 'open';
  return {
    id: session.id,
    object: 'checkout.session',
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: session.savesMethod ? ['card'] : null,
    amount_subtotal: session.amountCents,
    amount_total: session.amountCents,
    automatic_tax: { enabled: false, status: null },
    billing_address_collection: null,
    cancel_url: session.cancelUrl,
    client_reference_id: session.clientReferenceId,
    client_secret: null,
    consent: null,
    consent_collection: null,
    created: session.created,
    currency: session.currency,
    custom_fields: [],
    custom_text: { shipping_address: null, submit: null },
    customer: session.customerId ?? null,
    customer_creation: session.makesCustomer ? 'always' : 'if_required',
    customer_details: session.paymentStatus === 'paid' ? payer(session) : null,
    customer_email: session.customerEmail,
    expires_at: session.expiresAt,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: null,
    metadata: session.metadata,
    mode: 'payment',
    payment_intent: session.paymentId,
    payment_link: null,
    payment_method_collection: 'if_required',
    payment_method_options: {},
    payment_method_types: ['card'],
    payment_status: session.paymentStatus,
    phone_number_collection: { enabled: false },
    recovered_from: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: session.status,
    submit_type: null,
    subscription: null,
    success_url: session.successUrl,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: isOpen ? `${baseUrl}/checkout/${session.id}` : null,
  };
}

export const NO_ADDRESS = {
  city: null,
  country: 'US',
  line1: null,
  line2: null,
  postal_code: null,
  state: null,
};

const payer = (session: Session) => ({
  address: NO_ADDRESS,
  email: session.customerEmail ?? 'payer@sandbox.test',
  name: 'Sandbox Payer',
  phone: null,
  tax_exempt: 'none',
  tax_ids: [],
});

export const refundObject = (refund: Refund) => ({
  id: refund.id,
  object: 'refund',
  amount: refund.amountCents,
  balance_transaction: null,
  charge: refund.chargeId,
  created: refund.created,
  currency: refund.currency,
  metadata: refund.metadata,
  payment_intent: refund.paymentId,
  reason: refund.reason,
  receipt_number: null,
  source_transfer_reversal: null,
  status: refund.status,
  ...(refund.status === 'failed' && { failure_reason: 'expired_or_canceled_card' }),
  transfer_reversal: null,
});

/** The bank gives a week to answer. */
const EVIDENCE_SECONDS = 7 * DAY_SECONDS;

const DISPUTE_STATUS = {
  inquiry: 'warning_needs_response',
  withdrawn: 'needs_response',
  won: 'won',
  lost: 'lost',
} as const;

/** What the dispute took, and what came back. */
function movementsOf({ disputeId, disputeState, disputedAt, ...payment }: Payment) {
  const cents = { inquiry: [], withdrawn: [-1], lost: [-1], won: [-1, 1] }[disputeState!];
  return cents.map((sign, at) => ({
    id: `txn_${disputeId}_${at}`,
    object: 'balance_transaction',
    amount: sign * payment.amountCents,
    available_on: disputedAt,
    created: disputedAt,
    currency: payment.currency,
    description: sign < 0 ? 'Chargeback withdrawal' : 'Chargeback reversal',
    exchange_rate: null,
    fee: 0,
    fee_details: [],
    net: sign * payment.amountCents,
    reporting_category: sign < 0 ? 'dispute' : 'dispute_reversal',
    source: disputeId,
    status: 'available',
    type: 'adjustment',
  }));
}

/** Only of a payment that is disputed. */
export const disputeObject = (payment: Payment) => ({
  id: payment.disputeId!,
  object: 'dispute',
  amount: payment.amountCents,
  balance_transactions: movementsOf(payment),
  charge: payment.chargeId,
  created: payment.disputedAt!,
  currency: payment.currency,
  enhanced_eligibility_types: [],
  evidence: {},
  evidence_details: {
    due_by: epochSeconds() + EVIDENCE_SECONDS,
    enhanced_eligibility: {},
    has_evidence: false,
    past_due: false,
    submission_count: 0,
  },
  is_charge_refundable: false,
  livemode: false,
  metadata: {},
  payment_intent: payment.id,
  reason: 'fraudulent',
  status: DISPUTE_STATUS[payment.disputeState!],
});
