/** Stripe's errors as the port names them. docs.stripe.com/error-low-level */
import Stripe from 'stripe';
import { ProviderError, type ProviderErrorKind } from '../../domain/errors.ts';
import { askedWaitMs } from '../http-failures.ts';

/** Translates whatever the client threw; the key is never in it. */
export function toProviderError(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  if (!(error instanceof Stripe.errors.StripeError)) {
    return new ProviderError('unavailable', 'stripe: the answer was not understood', {
      provider: 'stripe',
    });
  }
  const kind = kindOf(error);
  const code = error.code ?? error.rawType ?? error.statusCode?.toString();
  const waitMs = askedWaitMs(error.headers?.['retry-after']);
  return new ProviderError(kind, `stripe: ${withoutKeys(error.message)}`, {
    provider: 'stripe',
    ...(code && { providerCode: code }),
    ...(error.requestId && { requestId: error.requestId }),
    ...(waitMs !== undefined && { retryAfterMs: waitMs }),
    ...(kind === 'auth' && { operatorHint: 'Check STRIPE_SECRET_KEY and its permissions.' }),
  });
}

function kindOf(error: Stripe.errors.StripeError): ProviderErrorKind {
  switch (error.statusCode) {
    case undefined:
    case 408:
    // Another request with the same idempotency key is still running.
    case 409:
      return 'unavailable';
    case 401:
    case 403:
      return 'auth';
    case 429:
      return 'rate_limited';
    default:
      return error.statusCode >= 500 ? 'unavailable' : 'rejected';
  }
}

/** "Invalid API Key provided: sk_test_***1234" repeats a part of the key. */
const withoutKeys = (text: string) => text.replaceAll(/\b[sr]k_[\w*]+/g, '***');
