/** What Meta's refusals mean: `{error: {code, error_subcode, message, is_transient}}`. */
import { z } from 'zod';
import { ProviderError } from '../../domain/errors.ts';
import {
  askedWaitMs,
  type Refusal,
  commonRefusal,
  refusalFacts,
  refusalMessage,
} from '../http-failures.ts';

const errorBody = z.object({
  error: z.object({
    message: z.string().nullish(),
    code: z.number(),
    error_subcode: z.number().nullish(),
    is_transient: z.boolean().nullish(),
    fbtrace_id: z.string().nullish(),
  }),
});

/** "Please reduce the amount of data you're asking for". */
const TOO_MUCH = '1';
/** Application, user and custom rate limits. */
const RATE_LIMITS = new Set([4, 17, 32, 613]);
/** Permissions and tokens. */
const AUTH_CODES = new Set([10, 102, 190, 200]);
const TRANSIENT_CODES = new Set([1, 2]);

const TOKEN_HINT = 'META_TOKEN is not accepted or has expired: make a new long-lived token.';
const IDENTITY_HINT =
  'The account behind META_TOKEN has to confirm its identity and place at facebook.com/ID, and ' +
  'its app needs access to the Ad Library API.';

/** Whether the same question goes through with a smaller limit. */
export const isTooMuch = (error: ProviderError) =>
  error.kind === 'unavailable' && error.facts.providerCode === TOO_MUCH;

/** The error for one refusal. Codes: https://developers.facebook.com/docs/graph-api/guides/error-handling */
export function metaRefusal(provider: string, refusal: Refusal): ProviderError {
  const parsed = errorBody.safeParse(refusal.body);
  if (!parsed.success) return withoutCode(provider, refusal);
  const { code, error_subcode, message: words, is_transient, fbtrace_id } = parsed.data.error;
  const named = [code, error_subcode].filter(Boolean).join('/');
  const message = refusalMessage(provider, refusal, `${named}: ${words ?? 'no explanation'}`);
  const facts = {
    ...refusalFacts(provider, refusal, named),
    ...(fbtrace_id && { requestId: fbtrace_id }),
  };
  if (AUTH_CODES.has(code)) {
    const operatorHint = code === 10 ? IDENTITY_HINT : TOKEN_HINT;
    return new ProviderError('auth', message, { ...facts, operatorHint });
  }
  if (RATE_LIMITS.has(code)) {
    return new ProviderError('rate_limited', message, { ...facts, ...waitOf(refusal) });
  }
  const isTransient = TRANSIENT_CODES.has(code) || is_transient || refusal.status >= 500;
  return new ProviderError(isTransient ? 'unavailable' : 'rejected', message, facts);
}

function withoutCode(provider: string, refusal: Refusal): ProviderError {
  const code = String(refusal.status);
  const text = 'no explanation';
  return (
    commonRefusal(provider, refusal, { code, text, authHint: TOKEN_HINT }) ??
    new ProviderError('rejected', refusalMessage(provider, refusal, text), {
      ...refusalFacts(provider, refusal, code),
    })
  );
}

/** Minutes until access comes back, where Meta tells; else the caller backs off by its own rule. */
function waitOf({ headers }: Refusal): { retryAfterMs?: number } {
  const asked = askedWaitMs(headers['retry-after']);
  if (asked !== undefined) return { retryAfterMs: asked };
  const usage = String(headers['x-business-use-case-usage'] ?? '');
  const minutes = Math.max(
    0,
    ...[...usage.matchAll(/"estimated_time_to_regain_access":\s*(\d{1,4})/g)].map((m) =>
      Number(m[1]),
    ),
  );
  return minutes > 0 ? { retryAfterMs: minutes * 60_000 } : {};
}
