/** Rewords failures of providers for the API; the provider's own words go only into the log. */
import { invalid, ProviderError, upstreamUnavailable } from '../domain/errors.ts';

/**
 * A provider's refusal is the caller's 400, any other failure a 502. `who` is how clients know the
 * provider.
 */
export function asClientError(error: unknown, who: string): unknown {
  if (!(error instanceof ProviderError)) return error;
  if (error.kind === 'rejected') {
    return invalid(error.facts.clientCode ?? 'PROVIDER_REJECTED', error.message);
  }
  return unavailable(error, who);
}

/** 502 whatever the provider said: for what is never the caller's fault. */
export const unavailable = (error: unknown, who: string): unknown =>
  error instanceof ProviderError
    ? upstreamUnavailable(`${who} is not available; try again shortly`, error)
    : error;
