/** Payment intents, their charges and their errors on the wire. docs.stripe.com/api/payment_intents */
import { NO_ADDRESS } from './objects.ts';
import type { Card, Method, Payment } from './vendor-records.ts';

export const paymentIntentObject = (payment: Payment) => ({
  id: payment.id,
  object: 'payment_intent',
  amount: payment.amountCents,
  amount_capturable: 0,
  amount_details: { tip: {} },
  amount_received: payment.declined ? 0 : payment.amountCents,
  allowed_payment_method_types: payment.sessionId === null ? ['card'] : null,
  application: null,
  application_fee_amount: null,
  automatic_payment_methods: null,
  canceled_at: null,
  cancellation_reason: null,
  capture_method: 'automatic',
  client_secret: null,
  confirmation_method: 'automatic',
  created: payment.created,
  currency: payment.currency,
  customer: payment.customerId ?? null,
  description: null,
  last_payment_error: payment.declined ? declineOf(payment.declined, payment) : null,
  latest_charge: payment.chargeId,
  livemode: false,
  metadata: payment.metadata,
  next_action: null,
  on_behalf_of: null,
  // A card that was declined leaves the intent, which waits for another one.
  payment_method: payment.declined ? null : (payment.methodId ?? null),
  payment_method_options: {},
  payment_method_types: ['card'],
  processing: null,
  receipt_email: null,
  review: null,
  setup_future_usage: payment.savesMethod ? 'off_session' : null,
  shipping: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
  status: payment.declined ? 'requires_payment_method' : 'succeeded',
  transfer_data: null,
  transfer_group: null,
});

/** `amount_refunded` is cumulative; `refunded` says that nothing is left. */
export const chargeObject = (payment: Payment) => ({
  id: payment.chargeId,
  object: 'charge',
  amount: payment.amountCents,
  amount_captured: payment.declined ? 0 : payment.amountCents,
  amount_refunded: payment.refundedCents,
  application: null,
  application_fee: null,
  application_fee_amount: null,
  balance_transaction: null,
  billing_details: { address: NO_ADDRESS, email: null, name: 'Sandbox Payer', phone: null },
  calculated_statement_descriptor: 'SANDBOX',
  captured: !payment.declined,
  created: payment.created,
  currency: payment.currency,
  customer: payment.customerId ?? null,
  description: null,
  disputed: payment.disputeId !== null,
  failure_balance_transaction: null,
  failure_code: payment.declined ? codeOf(payment.declined) : null,
  failure_message: payment.declined ? WORDS[payment.declined] : null,
  fraud_details: {},
  livemode: false,
  metadata: payment.metadata,
  on_behalf_of: null,
  outcome: null,
  paid: !payment.declined,
  payment_intent: payment.id,
  payment_method: payment.methodId ?? null,
  payment_method_details: null,
  receipt_email: null,
  receipt_number: null,
  receipt_url: null,
  refunded: !payment.declined && payment.refundedCents === payment.amountCents,
  review: null,
  shipping: null,
  source_transfer: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
  status: payment.declined ? 'failed' : 'succeeded',
  transfer_data: null,
  transfer_group: null,
});

type Decline = Exclude<Card, 'good'>;

const WORDS: Record<Decline, string> = {
  authentication_required: 'Your card was declined. This transaction requires authentication.',
  insufficient_funds: 'Your card has insufficient funds.',
  generic_decline: 'Your card was declined.',
  lost_card: 'Your card was declined.',
  expired_card: 'Your card has expired.',
};

/** Two refusals have codes of their own, the others are all `card_declined`. */
const codeOf = (declined: Decline): string =>
  ['authentication_required', 'expired_card'].includes(declined) ? declined : 'card_declined';

/** As `last_payment_error`, and as `error` of the answer. docs.stripe.com/declines/codes */
export const declineOf = (declined: Decline, payment: Payment) => ({
  charge: payment.chargeId,
  code: codeOf(declined),
  decline_code: declined,
  doc_url: `https://stripe.com/docs/error-codes/${codeOf(declined).replaceAll('_', '-')}`,
  message: WORDS[declined],
  payment_method: { id: payment.methodId ?? null, object: 'payment_method', type: 'card' },
  type: 'card_error',
});

/** A card after it was taken from its customer. docs.stripe.com/api/payment_methods/object */
export const detachedObject = (method: Method) => ({
  id: method.id,
  object: 'payment_method',
  allow_redisplay: 'limited',
  billing_details: { address: NO_ADDRESS, email: null, name: null, phone: null, tax_id: null },
  card: {
    brand: 'visa',
    checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
    country: 'US',
    display_brand: 'visa',
    exp_month: 12,
    exp_year: 2034,
    fingerprint: method.id.slice(-16),
    funding: 'credit',
    generated_from: null,
    last4: '4242',
    networks: { available: ['visa'], preferred: null },
    regulated_status: 'unregulated',
    three_d_secure_usage: { supported: true },
    wallet: null,
  },
  created: method.created,
  customer: null,
  customer_account: null,
  livemode: false,
  metadata: {},
  type: 'card',
});
