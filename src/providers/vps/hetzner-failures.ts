/** What Hetzner's error codes mean: `{error: {code, message, details}}` with an HTTP status. */
import { z } from 'zod';
import { ProviderError } from '../../domain/errors.ts';
import { type Refusal, commonRefusal, refusalFacts, refusalMessage } from '../http-failures.ts';

const errorBody = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

const AUTH_HINT = 'Check HETZNER_TOKEN: it must belong to the project and may read and write.';
const LIMIT_HINT = 'The project is at its limit: ask Hetzner to raise it, or delete servers.';
const CAPACITY_HINT =
  'Hetzner has no such server now: wait, or set another HETZNER_LOCATION or HETZNER_SERVER_TYPE.';

const ORDER_HINT = 'Set HETZNER_SERVER_TYPE, HETZNER_LOCATION and HETZNER_IMAGE to what is sold.';

/** The parts of an order that come from settings. */
const CATALOGUE = /\b(server[ _]type|location|image)\b/i;

/** Jittered, so that the callers that wait do not return together. */
const RATE_WAIT_MS = 5_000;

/** Nothing was done, and the same request may succeed in a moment. */
const BUSY_CODES = new Set(['conflict', 'locked', 'maintenance', 'unavailable']);
const CAPACITY_CODES = new Set(['resource_unavailable', 'placement_error']);
const LIMIT_CODES = new Set(['resource_limit_exceeded']);
const AUTH_CODES = new Set(['unauthorized', 'forbidden', 'token_readonly']);

export function hetznerRefusal(provider: string, refusal: Refusal): ProviderError {
  const parsed = errorBody.safeParse(refusal.body);
  const code = parsed.success ? parsed.data.error.code : String(refusal.status);
  const text = parsed.success ? `${code}: ${parsed.data.error.message}` : 'no explanation';
  const message = refusalMessage(provider, refusal, text);
  const facts = refusalFacts(provider, refusal, code);
  if (CAPACITY_CODES.has(code)) {
    return new ProviderError('quota', message, {
      ...facts,
      operatorHint: CAPACITY_HINT,
      clientCode: 'NO_CAPACITY',
    });
  }
  if (LIMIT_CODES.has(code)) {
    return new ProviderError('quota', message, { ...facts, operatorHint: LIMIT_HINT });
  }
  // What is ordered is the operator's choice: the client cannot cure a type that is no longer sold.
  if (code === 'invalid_input' && refusal.operation === 'POST /servers' && CATALOGUE.test(text)) {
    return new ProviderError('quota', message, {
      ...facts,
      operatorHint: ORDER_HINT,
      clientCode: 'NO_CAPACITY',
    });
  }
  if (AUTH_CODES.has(code)) {
    return new ProviderError('auth', message, { ...facts, operatorHint: AUTH_HINT });
  }
  if (refusal.status === 429) {
    // Its reset time is when the whole hour's bucket is full again; one call comes back each second.
    const retryAfterMs = RATE_WAIT_MS + Math.floor(Math.random() * RATE_WAIT_MS);
    return new ProviderError('rate_limited', message, { ...facts, retryAfterMs });
  }
  // With a 5xx the code says too little: the common rule decides by the kind of request.
  if (refusal.status < 500 && BUSY_CODES.has(code)) {
    return new ProviderError('unavailable', message, facts);
  }
  return (
    commonRefusal(provider, refusal, { code, text, authHint: AUTH_HINT }) ??
    new ProviderError('rejected', message, facts)
  );
}
