/** What Porkbun's refusals mean: `{status: "ERROR", code, message, ttlRemaining?, retryable?}`. */
import { z } from 'zod';
import { ProviderError, type ProviderErrorFacts } from '../../domain/errors.ts';
import { commonRefusal, refusalFacts, refusalMessage, type Refusal } from '../http-failures.ts';

export const PROVIDER = 'porkbun';

/** Prefix of the code of a refusal that the vendor remembered for an idempotency key. */
export const REPLAYED = 'REPLAYED ';

/** Also comes with HTTP 200, from calls that handle several items. */
export const errorAnswer = z.object({
  status: z.literal('ERROR'),
  code: z.string().nullish(),
  message: z.string().nullish(),
  /** Seconds. */
  ttlRemaining: z.number().nullish(),
  retryable: z.boolean().nullish(),
});
type ErrorAnswer = z.infer<typeof errorAnswer>;

const KEY_HINT =
  'Check PORKBUN_API_KEY and PORKBUN_SECRET_API_KEY, and that this address may use the API.';
const OPT_IN_HINT =
  'Turn on API access for the domain at porkbun.com (Domain Management, Details), or for all.';
const CREDIT_HINT = 'The prepaid credit at Porkbun is used up or limited: top it up.';
const UNLISTED_HINT =
  'Look whether the Porkbun account lists the domain: it may have been moved, or let expire.';
const VERIFY_HINT = 'Verify the e-mail address and the telephone number of the Porkbun account.';

/**
 * Codes by prefix: many are derived from the message, such as
 * `DOMAIN_IS_NOT_OPTED_IN_TO_API_ACCESS_...`. The first match counts.
 */
const KINDS: [RegExp, 'auth' | 'quota', string][] = [
  [/^(DOMAIN_IS_NOT_OPTED_IN|API_ACCESS_DISABLED)/, 'auth', OPT_IN_HINT],
  [/^(INVALID_(SECRET_)?API_KEY|API_KEY|INVALID_TOKEN|INVALID_USER|IP_NOT)/, 'auth', KEY_HINT],
  [/^(VERIFICATION|ACCOUNT_NOT_VERIFIED)/, 'auth', VERIFY_HINT],
  [/^(INSUFFICIENT_FUNDS|MONTHLY_SPEND_LIMIT)/, 'quota', CREDIT_HINT],
];

/** Why an order was refused, in the product's codes; anything else is DOMAIN_REJECTED. */
const ORDER_CODES: [RegExp, string][] = [
  [/^DOMAIN_NOT_AVAILABLE/, 'DOMAIN_UNAVAILABLE'],
  [/^(ORDER_TOO_LARGE|PREMIUM)/, 'PRICE_ABOVE_CAP'],
];

/** `1_OUT_OF_1_CREATE_ATTEMPTS_WITHIN_1_SECONDS_USED`, with HTTP 400. */
const LIMIT_CODE = /^\d+_OUT_OF_\d+_.*_WITHIN_(\d+)_SECONDS/;
/** A limit with a longer window is not waited out. */
const PATIENCE_SECONDS = 3_600;

/** The error for one refusal, whatever its HTTP status. */
export function porkbunRefusal(refusal: Refusal): ProviderError {
  const parsed = errorAnswer.safeParse(refusal.body);
  const body: Partial<ErrorAnswer> = parsed.success ? parsed.data : {};
  const code = body.code ?? String(refusal.status);
  const text = [code, body.message].filter(Boolean).join(': ');
  const message = refusalMessage(PROVIDER, refusal, text);
  const isReplayed = String(refusal.headers['idempotent-replayed']) === 'true';
  const facts = refusalFacts(PROVIDER, refusal, isReplayed ? REPLAYED + code : code);
  const limited = limitOf(code, refusal.status, body);
  if (limited) return new ProviderError(limited.kind, message, { ...facts, ...limited.facts });
  const known = KINDS.find(([pattern]) => pattern.test(code));
  if (known) return new ProviderError(known[1], message, { ...facts, operatorHint: known[2] });
  // The first request with this key may still be running.
  if (code === 'IDEMPOTENCY_KEY_IN_USE') {
    return new ProviderError('outcome_unknown', message, facts);
  }
  // The price changed between check and order: nothing was bought, the next attempt reads it again.
  if (code === 'COST_MISMATCH') return new ProviderError('unavailable', message, facts);
  const common = commonRefusal(PROVIDER, refusal, { code, text, authHint: KEY_HINT });
  if (common) return common;
  if (body.retryable) return new ProviderError('unavailable', message, facts);
  if (code === 'INVALID_DOMAIN' && / \/dns\//.test(refusal.operation)) {
    const unlisted = { isUnlisted: true, operatorHint: UNLISTED_HINT };
    return new ProviderError('rejected', message, { ...facts, ...unlisted });
  }
  const clientCode = clientCodeOf(refusal.operation, code);
  return new ProviderError('rejected', message, { ...facts, ...(clientCode && { clientCode }) });
}

/**
 * Rate limits come as 429 with `ttlRemaining`, as 200 or 400 with a code of their own, or without any.
 */
function limitOf(
  code: string,
  status: number,
  { ttlRemaining }: Partial<ErrorAnswer>,
): { kind: 'rate_limited' | 'quota'; facts: Partial<ProviderErrorFacts> } | undefined {
  const [generated, window] = LIMIT_CODE.exec(code) ?? [];
  if (!generated && code !== 'RATE_LIMIT_EXCEEDED' && status !== 429) return undefined;
  const seconds = ttlRemaining ?? Number(window ?? 1);
  if (seconds > PATIENCE_SECONDS) {
    const operatorHint = 'The daily limit of the Porkbun account is reached: ask for a higher one.';
    return { kind: 'quota', facts: { operatorHint } };
  }
  return { kind: 'rate_limited', facts: { retryAfterMs: Math.max(1, seconds) * 1_000 } };
}

function clientCodeOf(operation: string, code: string): string | undefined {
  if (/ \/dns\/edit\//.test(operation) && code === 'INVALID_RECORD_ID') {
    return 'RECORD_NOT_FOUND';
  }
  if (!/ \/domain\/(create|renew)\//.test(operation)) return undefined;
  return ORDER_CODES.find(([pattern]) => pattern.test(code))?.[1] ?? 'DOMAIN_REJECTED';
}
