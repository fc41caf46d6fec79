/** Failures of providers in the words of the API; their own words go into the log alone. */
import { invalid, ProviderError, upstreamUnavailable } from '../domain/errors.ts';

/** A provider's refusal is the caller's 400, everything else a 502. `who` is in the client's words. */
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
