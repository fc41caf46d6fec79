/** What Vultr's refusals mean: `{error: "text", status: 400}` without codes, so the text decides. */
import { z } from 'zod';
import { ProviderError } from '../../domain/errors.ts';
import { type Refusal, commonRefusal, refusalFacts, refusalMessage } from '../http-failures.ts';

const errorBody = z.object({ error: z.string() });

const AUTH_HINT =
  "Check VULTR_API_KEY, and that the key's access control in Vultr's panel lists the workers' addresses.";
const LIMIT_HINT = 'The account is at its limit or out of credit: pay, or ask Vultr to raise it.';
const CAPACITY_HINT =
  'Vultr has no such server now: wait, or set another VULTR_REGION or VULTR_PLAN.';

/** Tried in order on 4xx but 404 and 429; the first two also come as 403. */
const LIMIT = /maximum number of|monthly fee|limit (raised|reached)|insufficient|balance|payment/i;
const CAPACITY =
  /(plan|location|region|server|instance)s? .*(not |un)available|out of (stock|capacity)|sold.out|invalid (plan|region|os) chosen/i;
/** An instance that is being installed accepts no other order. */
const BUSY = /\blocked\b|try again|in progress|currently being/i;

export function vultrRefusal(provider: string, refusal: Refusal): ProviderError {
  const parsed = errorBody.safeParse(refusal.body);
  const text = parsed.success ? parsed.data.error : 'no explanation';
  const code = String(refusal.status);
  const message = refusalMessage(provider, refusal, text);
  const facts = refusalFacts(provider, refusal, code);
  const isWorded = refusal.status >= 400 && refusal.status < 500 && refusal.status !== 429;
  if (isWorded && LIMIT.test(text)) {
    return new ProviderError('quota', message, { ...facts, operatorHint: LIMIT_HINT });
  }
  if (isWorded && CAPACITY.test(text)) {
    return new ProviderError('quota', message, {
      ...facts,
      operatorHint: CAPACITY_HINT,
      clientCode: 'NO_CAPACITY',
    });
  }
  const common = commonRefusal(provider, refusal, { code, text, authHint: AUTH_HINT });
  if (common) return common;
  if (refusal.status !== 404 && BUSY.test(text)) {
    return new ProviderError('unavailable', message, facts);
  }
  return new ProviderError('rejected', message, facts);
}
