/** Stripe's error answers: `{error: {type, code?, message, param?}}` with a status. */
import { randomBytes } from 'node:crypto';
import type { Request } from 'express';
import { Refusal, type Answer, type VendorWire } from '../vendor-router.ts';

export const STRIPE_KEY = 'sk_test_sandbox';
/** The API version of the pinned client. */
export const STRIPE_VERSION = '2026-10-28.endive';

type ErrorType = 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';
interface ErrorDetails {
  type?: ErrorType;
  code?: string;
  param?: string;
}

export const failure = (status: number, message: string, details: ErrorDetails = {}): Answer => ({
  status,
  body: { error: { type: details.type ?? 'invalid_request_error', ...details, message } },
});

export const refuse = (status: number, message: string, details: ErrorDetails = {}): Refusal =>
  new Refusal(failure(status, message, details));

export const noSuch = (noun: string, id: string, param: string): Refusal =>
  refuse(404, `No such ${noun}: '${id}'`, { code: 'resource_missing', param });

/** Gone since 2026-09-30. docs.stripe.com/changelog/endive */
export function refuseTypes(request: Request): void {
  const form = (request.body ?? {}) as Record<string, unknown>;
  if (form['payment_method_types'] === undefined) return;
  throw refuse(400, 'The parameter payment_method_types is no longer supported.', {
    code: 'payment_method_types_no_longer_supported',
    param: 'payment_method_types',
  });
}

export const stripeWire: VendorWire = {
  vendor: 'stripe',
  answerFor(kind) {
    switch (kind) {
      case 'error_500':
        return failure(500, 'An unknown error occurred.', { type: 'api_error' });
      case 'rate_limited':
        return failure(429, 'Request rate limit exceeded.', { code: 'rate_limit' });
      case 'rejected':
        return failure(400, 'The request was refused.', { code: 'parameter_invalid_empty' });
      case 'auth':
        return failure(401, 'Invalid API Key provided: sk_test_*******');
      case 'malformed':
        return failure(400, 'The request body could not be parsed.');
    }
  },
};

/** `pi_` and 24 characters, as Stripe's ids look. */
export const newId = (prefix: string): string =>
  `${prefix}_${randomBytes(18).toString('base64url').replace(/[-_]/g, '0')}`;

export const epochSeconds = (): number => Math.floor(Date.now() / 1000);
