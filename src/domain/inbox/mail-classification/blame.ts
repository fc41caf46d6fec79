/** Whom a report blames for a message that was not delivered. */
import { isListing, refusalOf } from '../../sending/smtp-refusals.ts';
import { quotedWords } from '../../sending/policy-refusals.ts';
import type { MessageFacts } from './message.ts';

/** RFC 3463: mail system, network, protocol, message and security are not about an address. */
const NOT_ABOUT_ADDRESSES = /\b5\.[34567]\.\d/;

/**
 * `words`: the diagnostic code, or what a host writes to people. A host that gives up without saying
 * why, or in words that nobody knows, means the address: it would be written to for ever else.
 */
export function blameOf(
  status: string | undefined,
  words: string,
): Pick<MessageFacts, 'refusal' | 'isListed' | 'words'> {
  // `5.0.0` says nothing; there may be more in the words.
  const code = status === undefined || status.endsWith('.0.0') ? '' : status;
  const said = `${code} ${words}`;
  const isVague = !NOT_ABOUT_ADDRESSES.test(said);
  const refusal = refusalOf(isVague ? `${said} user unknown` : said);
  return {
    refusal,
    ...(refusal === 'policy' && { words: quotedWords(said) }),
    ...(refusal === 'sender' && isListing(words) && { isListed: true as const }),
  };
}
