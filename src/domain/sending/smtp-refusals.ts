/** Classifies a refusal of a message: about the recipient, the sender, or the message. RFC 3463. */
import { POLICY, WEAK_POLICY } from './policy-refusals.ts';

/**
 * - `recipient`: nobody reads mail there; writing again would harm the sender
 * - `sender`: mailbox, domain or address of ours is not wanted; the recipient may be fine
 * - `policy`: refused as spam or by a policy; the address is fine, writing again harms the sender
 * - `transport`: the way to the server failed: refused connections, loops, time that ran out
 * - `later`: full or overloaded, whatever the first digit says
 * - `message`: this message is not wanted
 */
export type Refusal = 'recipient' | 'sender' | 'policy' | 'transport' | 'later' | 'message';

const SENDER = anyOf([
  /\b(block|black) ?list(ed|ing)?\b/,
  /\byour (ip|host|server|domain|address)\b.{0,40}\bblocked\b/,
  // Not `not listed in the directory`.
  /(?<!\b(not|never|longer)( \w+)? )\blisted\b/,
  /\b(rbl|dnsbl|spamhaus|spamcop|barracudacentral|banned)\b/,
  /\bsender ((address )?rejected|verify)\b|\bnot owned by user\b/,
  /\brelay(ing)? (access )?(denied|not permitted)\b|\bunable to relay\b/,
  /\btoo many (messages|recipients)\b|\bquota of .*\bsen/,
]);
const FULL = anyOf([
  /\bfull\b/,
  /\bover ?quota\b|\bquota (is )?exceeded\b|\bexceeded\b.*\b(storage|quota)\b/,
  /\binsufficient (system )?storage\b/,
]);
const MESSAGE = anyOf([/\b(content|virus|attachments?)\b|\bmessage (size|rejected)\b/]);
const RECIPIENT = anyOf([
  /\b(user|recipient|alias|account) unknown\b|\bunknown (or illegal )?(alias|recipient|user)\b/,
  /\bno such (user|recipient|mailbox|address|person)\b|\bdoe(s not|sn'?t) (exist|have)\b/,
  /\bnot (found|listed)\b|\bno mailbox\b|\bmailbox unavailable\b|\binvalid (recipient|mailbox)\b/,
  /\b(mailbox|account|user|recipient) (is |has been )/,
  /\bdisabled\b|\binactive\b|\bundeliverable\b|\bunroute?able\b|\bnull mx\b|\baddress rejected\b/,
]);

/** RFC 3463, 3.5, and what hosts write when they gave up: nothing of it is about an address. */
const TRANSPORT = anyOf([
  /\bconnection (refused|timed out|reset|dropped)\b|\b(message|delivery time) expired\b/,
  /\b(mail|routing) loop\b|\bhop ?count\b|\btoo many hops\b|\bretry time(out)? exceeded\b/,
  /\bin the queue too long\b|\bnetwork (is )?unreachable\b|\bno route to host\b/,
]);

function anyOf(words: readonly RegExp[]): RegExp {
  return new RegExp(words.map(({ source }) => source).join('|'), 'i');
}

/** About the recipient's address itself; 10 is a null MX (RFC 7505). RFC 3463, 3.2. */
const ADDRESS_DETAILS = [1, 2, 3, 4, 5, 6, 10];

/** Addresses, links and host names: `sales@blocked-drains.co.uk` says nothing of a block. */
const NAMES = /\S+@\S+|\b\w+:\/\/\S+|\b[a-z0-9_-]+(\.[a-z0-9_-]+)*\.[a-z]{2,}\b/gi;

/** Blocklists; their host names are decisive: `using zen.spamhaus.org`. */
const LISTS = /\b(spamhaus|spamcop|barracudacentral|dnsbl|rbl)\b/i;

/** Phrases of blocklists, quoted by any host. */
const LISTED = anyOf([
  LISTS,
  /\b(block|black) ?list(ed|ing)?\b|(?<!\b(not|never|longer)( \w+)? )\blisted\b/,
]);

/** The words of the reply without the names of its parties. */
const wordsOf = (reply: string): string =>
  reply.replaceAll(NAMES, (name) => {
    if (name.includes('@')) return ' ';
    // A missing space behind a sentence: `is blocked.Contact us`.
    if (/\.[A-Z][a-z]/.test(name)) return name.replaceAll('.', ' ');
    return LISTS.exec(name)?.[0] ?? ' ';
  });

/**
 * Whether a 4xx is a problem of the host itself, for any message: overload (421, 452, 4.3.x), an error or an
 * unavailable filter of its own (451, 4.7.x).
 */
export function isHostTrouble(reply: string): boolean {
  if (/^(421|452)\b/.test(reply)) return true;
  const enhanced = /^4\d\d[ -]4\.(\d{1,3})\.\d{1,3}\b/.exec(reply);
  if (enhanced) return enhanced[1] === '3' || enhanced[1] === '7';
  return reply.startsWith('451');
}

/**
 * Whether a refusal of the sender names a blocklist: it has the host or the domain of the sender, so that all
 * other senders there are refused as well.
 */
export const isListing = (reply: string): boolean => LISTED.test(wordsOf(reply));

/**
 * `reply` is the server's whole reply, or what a report quotes of it, with a code of 5xx. An enhanced
 * code about the address comes before words, and words come before the other codes, which servers
 * choose more freely.
 */
export function refusalOf(reply: string): Refusal {
  const enhanced = /\b5\.(\d{1,3})\.(\d{1,3})\b/.exec(reply);
  const [subject, detail] = [Number(enhanced?.[1] ?? -1), Number(enhanced?.[2] ?? -1)];
  if (subject === 1 && (detail === 7 || detail === 8)) return 'sender';
  if (subject === 1 && ADDRESS_DETAILS.includes(detail)) return 'recipient';
  const words = wordsOf(reply);
  if (subject === 4) return RECIPIENT.test(words) ? 'recipient' : 'transport';
  if (SENDER.test(words)) return 'sender';
  if (FULL.test(words) || (subject === 2 && detail === 2)) return 'later';
  if (subject === 7 || POLICY.test(words)) return 'policy';
  if (MESSAGE.test(words)) return 'message';
  if (subject === 1 || subject === 2) return 'recipient';
  if (TRANSPORT.test(words)) return 'transport';
  if (RECIPIENT.test(words)) return 'recipient';
  return WEAK_POLICY.test(words) ? 'policy' : 'message';
}
