/** What Apify's refusals mean: `{error: {type, message}}` with an HTTP status. */
import { z } from 'zod';
import { ProviderError } from '../domain/errors.ts';
import { type Refusal, commonRefusal, refusalFacts, refusalMessage } from './http-failures.ts';

const AUTH_HINT = 'Check APIFY_TOKEN, and that its account may run this actor.';
const CREDIT_HINT = 'The account at Apify is out of credit or at its limit: raise it there.';

const errorBody = z.object({ error: z.object({ type: z.string(), message: z.string() }) });

/** Too many runs at once: possible again when another one ends, which may take hours. */
const BUSY_TYPES = new Set(['actor-memory-limit-exceeded', 'concurrent-runs-limit-exceeded']);
const BUSY_RETRY_MS = 15_000;

/** 402 = no credit or limit reached; 404 of a run = it is gone (`providerCode` 404). */
export function apifyRefusal(provider: string, refusal: Refusal): ProviderError {
  const parsed = errorBody.safeParse(refusal.body);
  const { type, message: words } = parsed.success
    ? parsed.data.error
    : { type: String(refusal.status), message: 'no explanation' };
  const text = `${type}: ${words}`;
  const message = refusalMessage(provider, refusal, text);
  const facts = refusalFacts(provider, refusal, type);
  if (BUSY_TYPES.has(type)) {
    const busy = { retryAfterMs: BUSY_RETRY_MS, isBusy: true };
    return new ProviderError('rate_limited', message, { ...facts, ...busy });
  }
  if (refusal.status === 402) {
    return new ProviderError('quota', message, { ...facts, operatorHint: CREDIT_HINT });
  }
  if (refusal.status === 404) {
    return new ProviderError('rejected', message, { ...facts, providerCode: '404' });
  }
  return (
    commonRefusal(provider, refusal, { code: type, text, authHint: AUTH_HINT }) ??
    new ProviderError('rejected', message, facts)
  );
}
