/** Vendors' failures as the notes of a run tell them: in our words, theirs stand in the log. Choice 46. */
import type { ProviderError, ProviderErrorKind } from './errors.ts';

const WORDS: Readonly<Record<ProviderErrorKind, string>> = {
  rejected: 'refused the request',
  unavailable: 'did not answer for a long time',
  rate_limited: 'kept asking for fewer requests',
  auth: 'does not accept our credentials',
  quota: 'has no credits left',
  not_ready: 'did not answer for a long time',
  outcome_unknown: 'did not answer for a long time',
};

/** "hunter has no credits left": the beginning or the middle of a sentence. */
export const vendorTrouble = (vendor: string, { kind }: ProviderError): string =>
  `${vendor} ${WORDS[kind]}`;
