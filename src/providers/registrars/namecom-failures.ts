/** What Name.com's refusals mean: `{message, details?}` with an HTTP status and no code. */
import { z } from 'zod';
import { ProviderError } from '../../domain/errors.ts';
import { commonRefusal, refusalFacts, refusalMessage, type Refusal } from '../http-failures.ts';

const errorBody = z.object({ message: z.string(), details: z.string().nullish() });

const AUTH_HINT =
  'Check NAMECOM_USERNAME and NAMECOM_TOKEN, and that this address is allowed in the API settings.';
const CREDIT_HINT = 'The account at Name.com cannot pay: add credit or another payment method.';

/** "Purchase price is required for premium domains", "Purchase price does not match". */
const PRICE_TEXT = /purchase price/i;
/** "Domain pricing unavailable", which the vendor calls temporary. */
const PRICING_DOWN_TEXT = /pricing unavailable/i;
const TAKEN_TEXT = /not available|unavailable|already (registered|taken|exists)|not purchasable/i;

/** The error for one refusal. Statuses: the vendor's OpenAPI, `POST /core/v1/domains`. */
export function namecomRefusal(provider: string, refusal: Refusal): ProviderError {
  const parsed = errorBody.safeParse(refusal.body);
  const texts = parsed.success ? [parsed.data.message, parsed.data.details] : ['no explanation'];
  const text = texts.filter(Boolean).join(': ');
  const code = String(refusal.status);
  const message = refusalMessage(provider, refusal, text);
  const facts = refusalFacts(provider, refusal, code);
  if (refusal.status === 402) {
    return new ProviderError('quota', message, { ...facts, operatorHint: CREDIT_HINT });
  }
  if (PRICING_DOWN_TEXT.test(text)) return new ProviderError('unavailable', message, facts);
  const common = commonRefusal(provider, refusal, { code, text, authHint: AUTH_HINT });
  if (common) return common;
  const clientCode = clientCodeOf(refusal, text);
  return new ProviderError('rejected', message, { ...facts, ...(clientCode && { clientCode }) });
}

/** The client's code for a lost record or a refused order; none where the client cannot do anything. */
function clientCodeOf({ operation, status }: Refusal, text: string): string | undefined {
  if (status === 404 && /^PUT .*\/records\//.test(operation)) return 'RECORD_NOT_FOUND';
  if (operation === 'POST /domains') return purchaseCode(text);
  if (!operation.endsWith(':renew')) return undefined;
  return PRICE_TEXT.test(text) ? 'PRICE_ABOVE_CAP' : 'DOMAIN_REJECTED';
}

/** Why a purchase was refused, in the product's codes. */
function purchaseCode(text: string): string {
  if (PRICE_TEXT.test(text)) return 'PRICE_ABOVE_CAP';
  return TAKEN_TEXT.test(text) ? 'DOMAIN_UNAVAILABLE' : 'DOMAIN_REJECTED';
}
