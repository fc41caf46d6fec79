/** What an authority's refusals mean: problem documents (RFC 8555, 6.7) with an HTTP status. */
import { ProviderError, type ProviderErrorKind } from '../../domain/errors.ts';
import { commonRefusal, refusalFacts, refusalMessage, type Refusal } from '../http-failures.ts';
import { problem, wordsOf } from './acme-answers.ts';

export const PROVIDER = 'acme';

const URN = 'urn:ietf:params:acme:error:';
export const BAD_NONCE = `${URN}badNonce`;
export const UNKNOWN_ACCOUNT = `${URN}accountDoesNotExist`;

const ACCOUNT_HINT =
  'The authority of ACME_DIRECTORY_URL (or LINKS_ACME_DIRECTORY_URL) wants something of our account there that is not ' +
  'done by itself, such as a contract or an agreement to new terms; its words say what.';
const REFUSED_HINT =
  'The authority of ACME_DIRECTORY_URL (or LINKS_ACME_DIRECTORY_URL) refuses this; its words say why. Check that the ' +
  'variable names the authority that is meant.';

/** Problem types that decide more than their status does. */
const KINDS: Readonly<Record<string, ProviderErrorKind>> = {
  [BAD_NONCE]: 'unavailable',
  [`${URN}serverInternal`]: 'unavailable',
  [`${URN}orderNotReady`]: 'not_ready',
  [`${URN}externalAccountRequired`]: 'auth',
  [`${URN}userActionRequired`]: 'auth',
  [`${URN}unsupportedContact`]: 'auth',
};

/** The error for one refusal; `providerCode` is the problem's type, `reply` the authority's own words. */
export function acmeRefusal(refusal: Refusal): ProviderError {
  const parsed = problem.safeParse(refusal.body);
  const code = parsed.success ? parsed.data.type : String(refusal.status);
  const text = parsed.success ? wordsOf(parsed.data) : 'no explanation';
  const message = refusalMessage(PROVIDER, refusal, text);
  const facts = { ...refusalFacts(PROVIDER, refusal, code), reply: text };
  const shared = (status: number) =>
    commonRefusal(PROVIDER, { ...refusal, status }, { code, text, authHint: ACCOUNT_HINT });
  if (isLimited(refusal, code)) {
    return new ProviderError('rate_limited', message, { ...shared(429)?.facts, ...facts });
  }
  const kind = KINDS[code];
  if (kind !== undefined) {
    const operatorHint = kind === 'auth' ? ACCOUNT_HINT : REFUSED_HINT;
    return new ProviderError(kind, message, { ...facts, operatorHint });
  }
  // 401 and 403 are said of names, too: only the type tells that it is about our account.
  const isAboutAccess = refusal.status === 401 || refusal.status === 403;
  const common = isAboutAccess ? undefined : shared(refusal.status);
  return common ?? new ProviderError('rejected', message, { ...facts, operatorHint: REFUSED_HINT });
}

/** A refusal of the account itself is nothing that another name, or its owner, would cure. */
export function accountRefusal(error: unknown): unknown {
  if (!(error instanceof ProviderError) || error.kind !== 'rejected') return error;
  return new ProviderError('auth', error.message, { ...error.facts, operatorHint: ACCOUNT_HINT });
}

/** Some answer 503 to whoever asks too often, and say when to come back. */
const isLimited = ({ status, headers }: Refusal, code: string) =>
  code === `${URN}rateLimited` || (status === 503 && headers['retry-after'] !== undefined);
