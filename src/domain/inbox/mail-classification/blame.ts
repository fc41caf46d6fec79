/** The party that a report blames for a failed delivery. */
import { isListing, isUnwanted, statedRefusal } from '../../sending/smtp-refusals.ts';
import { quotedWords } from '../../sending/policy-refusals.ts';
import type { MessageFacts } from './message.ts';

/** RFC 3463: mail system, network, protocol, message and security are not about an address. */
const NOT_ABOUT_ADDRESSES = /\b5\.[34567]\.\d/;

/**
 * `words`: the diagnostic code, or the host's text for people. They are judged as in the talk. But a host that
 * gives up without a reason, or in unknown words, counts as blaming the address: otherwise it would be written to
 * forever.
 */
export function blameOf(
  status: string | undefined,
  words: string,
): Pick<MessageFacts, 'refusal' | 'isRejection' | 'isListed' | 'words'> {
  // `5.0.0` has no meaning; the text may have more.
  const code = status === undefined || status.endsWith('.0.0') ? '' : status;
  const said = `${code} ${words}`;
  const unsaid = NOT_ABOUT_ADDRESSES.test(said) ? 'message' : 'recipient';
  const refusal = statedRefusal(said) ?? unsaid;
  // In the talk a message that a blocklist stops is tried again; what a report is about is gone. Choice 161.
  const isRejection = refusal === 'policy' || (refusal === 'sender' && isUnwanted(said));
  return {
    refusal,
    ...(isRejection && { isRejection, words: quotedWords(said) }),
    ...(refusal === 'sender' && isListing(words) && { isListed: true as const }),
  };
}
