/** Where a vendor is newer than its saved file, or wrong about itself; each with its source. */
import type { Deviation } from './provider-spec.ts';

const cardTypes = { type: 'array', items: { type: 'string' } };

/** The saved file is of 2023. */
export const STRIPE_DEVIATIONS: Deviation[] = ['/v1/checkout/sessions', '/v1/payment_intents'].map(
  (path) => ({
    at:
      `/paths/${path.replaceAll('/', '~1')}/post/requestBody/content/` +
      'application~1x-www-form-urlencoded/schema',
    properties: { allowed_payment_method_types: cardTypes },
    reason:
      'Instead of payment_method_types since 2026-09-30: ' +
      'docs.stripe.com/changelog/endive/2026-09-30/remove-payment-method-types-checkout-sessions',
  }),
);

export const NAMECOM_DEVIATIONS: Deviation[] = [];

const SOURCE_PORKBUN =
  "Porkbun's published document 3.0, of which the saved file is a cut copy " +
  '(jvm/porkbun-cli, src/generated/openapi.json, commit acde56c97582)';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const porkbunPost = (request: object, answer: object) => ({
  post: {
    parameters: [{ $ref: '#/components/parameters/Domain' }],
    requestBody: { required: true, ...json(request) },
    responses: {
      200: { description: 'Done', ...json(answer) },
      400: { $ref: '#/components/responses/Error' },
      409: { description: 'Idempotency', ...json({ $ref: '#/components/schemas/ErrorResponse' }) },
      429: { $ref: '#/components/responses/RateLimited' },
      default: { $ref: '#/components/responses/Error' },
    },
  },
});

/** The operations whose errors the cut copy lists for status 400 alone. */
const PORKBUN_ERRORS = [
  '/domain/checkDomain/{domain}',
  '/domain/create/{domain}',
  '/domain/listAll',
  '/dns/retrieve/{domain}',
  '/dns/create/{domain}',
];

export const PORKBUN_DEVIATIONS: Deviation[] = [
  ...PORKBUN_ERRORS.map((path) => ({
    at: `/paths/${path.replaceAll('/', '~1')}/post/responses/default`,
    adds: { $ref: '#/components/responses/Error' },
    reason: `"Every error response includes a code", whatever its status: ${SOURCE_PORKBUN}`,
  })),
  {
    at: '/paths/~1domain~1renew~1{domain}',
    adds: porkbunPost(
      { type: 'object', required: ['cost'], properties: { cost: { type: 'integer' } } },
      {
        type: 'object',
        required: ['status', 'domain', 'orderId'],
        properties: {
          status: { type: 'string', enum: ['SUCCESS'] },
          domain: { type: 'string' },
          expirationDate: { type: 'string', pattern: String.raw`^\d{4}-\d\d-\d\d$` },
          cost: { type: 'integer' },
          orderId: { type: 'integer' },
          balance: { type: 'integer' },
        },
      },
    ),
    reason: `POST /domain/renew/{domain}: ${SOURCE_PORKBUN}`,
  },
  {
    at: '/paths/~1domain~1updateAutoRenew~1{domain}',
    adds: porkbunPost(
      {
        type: 'object',
        required: ['status'],
        properties: { status: { type: 'string', enum: ['on', 'off'] } },
      },
      {
        type: 'object',
        required: ['status', 'results'],
        properties: {
          status: { type: 'string', enum: ['SUCCESS'] },
          results: {
            type: 'object',
            additionalProperties: {
              type: 'object',
              required: ['status'],
              properties: { status: { type: 'string' }, message: { type: 'string' } },
            },
          },
        },
      },
    ),
    reason: `POST /domain/updateAutoRenew/{domain}: ${SOURCE_PORKBUN}`,
  },
];

export const APIFY_DEVIATIONS: Deviation[] = [];
