/** Classifies a refusal of a message: about the recipient, the sender, or the message. RFC 3463. */
import { POLICY, WEAK_POLICY } from './policy-refusals.ts';
import { FULL, OVER_QUOTA, OWN_LIMIT, PASSING, RATE, TRY_AGAIN } from './passing-refusals.ts';

/**
 * - `recipient`: nobody reads mail there; writing again would harm the sender
 * - `sender`: mailbox, domain or address of ours is not wanted; the recipient may be fine
 * - `policy`: refused as spam or by a policy; the address is fine, writing again harms the sender
 * - `transport`: the way to the server failed: refused connections, loops, time that ran out
 * - `later`: full or overloaded, whatever the first digit says
 * - `message`: this message is not wanted
 */
export type Refusal = 'recipient' | 'sender' | 'policy' | 'transport' | 'later' | 'message';

/** What a recipient's server thinks of us. */
const UNWANTED = anyOf([
  /\b(block|black) ?list(ed|ing)?\b/,
  /\byour (ip|host|server|domain|address)\b.{0,40}\bblocked\b/,
  // Not `not listed in the directory`.
  /(?<!\b(not|never|longer)( \w+)? )\blisted\b/,
  /\b(rbl|dnsbl|spamhaus|spamcop|barracudacentral|banned)\b/,
  /\bsender ((address )?rejected|verify)\b/,
]);
/** What the server says that we send by, or one that has nothing to do with the recipient. */
const NOT_TAKEN = anyOf([
  /\bnot owned by user\b/,
  // Exchange Online of its own tenants, after it took the message: 5.1.8, 5.7.501.
  /\baccess denied, (bad outbound sender|spam abuse detected)\b/,
  /\brelay(ing)? (access )?(denied|not permitted)\b|\bunable to relay\b/,
  /\btoo many (messages|recipients)\b|\bquota of .*\bsen/,
]);
const SENDER = anyOf([UNWANTED, NOT_TAKEN]);
/** Before the words of full mailboxes: RFC 5321, 4.2.2 has the same ones for messages that are too large. */
const TOO_LARGE =
  /\bmessage (exceeds(?!( [\w'’]+){0,3} (storage|quota)\b)|(is )?too (large|big))\b|\bmaximum size of the message\b/i;
const MESSAGE = anyOf([/\b(content|virus|attachments?)\b|\bmessage (size|rejected)\b/]);
/** Not of a domain, a record or an address of ours: `your sender domain does not exist`. */
const NOT_OURS =
  /(?<!\b(sender|from|your|source|ip|client|server|host(name)?|domain|records?|ptr|r?dns|spf|dkim|dmarc|helo|certificate)\b[^.;:,]{0,30})/;
/** Behind any code: `550 5.7.1 No such user!` of Yandex. */
const NO_USER = anyOf([
  /\b(user|recipient|alias|account|mailbox) unknown\b/,
  /\bunknown (or illegal )?(alias|recipient|user|mailbox)\b/,
  /\bno such (user|recipient|mailbox|address|person)\b/,
  /\b(recipient|user|mailbox) not found\b|\bno longer (exists?|works? here)\b/,
  after(NOT_OURS, /\bdoe(s not|sn['’]?t) exist\b/),
]);
const RECIPIENT = anyOf([
  NO_USER,
  /\b(does not|doesn['’]?t|do not|don['’]?t) (exist|have)\b|\bnot exists?\b/,
  /\bnot (found|listed)\b|\bno mailbox\b|\bmailbox unavailable\b|\bunavailable mail user\b/,
  /\binvalid (recipient|mailbox|user)\b|\buser not known\b|\bmailbox name not allowed\b/,
  /\bno longer (in use|with)\b|\bnot in (the |our )?directory\b/,
  /\b(mailbox|account|user|recipient) (is |has been )/,
  /\bdisabled\b|\binactive\b|\bundeliverable\b|\bunroute?able\b|\bnull mx\b|\baddress rejected\b/,
  after(NOT_OURS, /\bno longer valid\b/),
  after(
    NOT_OURS,
    /\bnot be found\b|\baddress (is )?invalid\b|\b(user|account) (suspended|closed)\b/,
  ),
  // Not `user not permitted to send`, `address not allowed as sender`.
  after(
    NOT_OURS,
    /\b(recipient|address|user|mailbox)( address)? not (accepted|permitted|allowed)\b(?! (to (send|relay|submit|post|mail)|(as|for) (this |the |a )?sender)\b)/,
  ),
]);

/** RFC 3463, 3.5, and what hosts write when they gave up: nothing of it is about an address. */
const TRANSPORT = anyOf([
  /\bconnection (refused|timed out|reset|dropped)\b|\b(message|delivery time) expired\b/,
  /\b(mail|routing) loop\b|\bhop ?count\b|\btoo many hops\b|\bretry time(out)? exceeded\b/,
  /\bin the queue too long\b|\bnetwork (is )?unreachable\b|\bno route to host\b/,
]);

/** Where nothing else is decisive: these speak of the message. */
const WEAK_MESSAGE = anyOf([
  /\btransaction failed\b/,
  /\b(message|e-?mail) ((is|was|has been) )?(refused|rejected|denied|declined)\b/,
]);

function anyOf(words: readonly RegExp[]): RegExp {
  return new RegExp(words.map(({ source }) => source).join('|'), 'i');
}

/** `words` behind `before`, a look-behind. */
function after(before: RegExp, words: RegExp): RegExp {
  return new RegExp(`${before.source}(?:${words.source})`);
}

/** About the recipient's address itself; 10 is a null MX (RFC 7505). RFC 3463, 3.2. */
const ADDRESS_DETAILS = [1, 2, 3, 4, 5, 6, 10];

/** Exchange, of a group or mailbox that takes no mail from outside, or from few: nothing is wrong with address or sender. */
const CLOSED =
  /\b5\.7\.(124|13[3-6])\b|\bRESOLVER\.RST\.(AuthRequired|NotAuthorized|SenderNotAuthenticated)/i;

/** Addresses, links and host names: `sales@blocked-drains.co.uk` says nothing of a block. */
const NAMES =
  /(?<!\S)\S+@\S+|\b\w+:\/\/\S+|(?<![a-z0-9_-])[a-z0-9_-]+(\.[a-z0-9_-]+)*\.[a-z]{2,}\b/gi;

/** Blocklists; their host names are decisive: `using zen.spamhaus.org`. */
const LISTS = /\b(spamhaus|spamcop|barracudacentral|dnsbl|rbl)\b/i;

/** Phrases of blocklists, quoted by any host. */
const LISTED = anyOf([
  LISTS,
  /\b(block|black) ?list(ed|ing)?\b|(?<!\b(not|never|longer)( \w+)? )\blisted\b/,
]);

/** The codes of its lines, which come between the words of a sentence. RFC 5321, 4.2.1. */
const LINE_CODES = /\b[245]\d\d(?:[ -][245](?:\.\d{1,3}){2}\b|-)\s*/g;

/** A reason stands in the first lines; a report of a stranger may have any length, and some patterns take n² steps. */
const MAX_CHARS = 8_000;

/** The words of the reply without the names of its parties, in one line. */
const wordsOf = (reply: string): string =>
  withoutNames(reply.slice(0, MAX_CHARS)).replaceAll(LINE_CODES, ' ').replaceAll(/\s+/g, ' ');

const withoutNames = (reply: string): string =>
  reply.replaceAll(NAMES, (name) => {
    // `(ann@acme.com:blocked)`
    if (name.includes('@')) return ` ${/@[^\s:]+:(.*)$/.exec(name)?.[1] ?? ''}`;
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

/** Exchange Online of a mailbox of its own that sends spam; 5.7.511 with the same words is of the recipient's. */
const BANNED_TENANT = /\b5\.7\.50[1-3]\b/;

/**
 * Whether a refusal of the sender is a recipient's server's judgement on us (a blocklist, a ban), not a limit or a rule
 * of the server that we send by.
 */
export function isUnwanted(reply: string): boolean {
  const words = wordsOf(reply);
  if (OWN_LIMIT.test(words) || NOT_TAKEN.test(words) || BANNED_TENANT.test(reply)) return false;
  return UNWANTED.test(words) || /\b5\.1\.[78]\b/.test(reply);
}

/**
 * `reply` is the server's whole reply, or what a report quotes of it, with a code of 5xx. An enhanced
 * code about the address comes before words, and words come before the other codes, which servers
 * choose more freely.
 */
export const refusalOf = (reply: string): Refusal => statedRefusal(reply) ?? 'message';

/** Undefined where neither code nor words say whom it is about. */
export function statedRefusal(reply: string): Refusal | undefined {
  const enhanced = /\b5\.(\d{1,3})\.(\d{1,3})\b/.exec(reply);
  const [subject, detail] = [Number(enhanced?.[1] ?? -1), Number(enhanced?.[2] ?? -1)];
  if (subject === 1 && (detail === 7 || detail === 8)) return 'sender';
  // A server on the way does not take letters beyond ASCII in addresses or headers: RFC 6531, 3.5.
  if (subject === 6 && detail >= 7 && detail <= 9) return 'message';
  if (CLOSED.test(reply)) return 'message';
  const words = wordsOf(reply);
  // 552 is about storage alone (RFC 5321, 4.2.3), whatever stands behind it: Orange has 5.1.1 there.
  const isFull = /\b552\b/.test(reply) && OVER_QUOTA.test(words);
  if (subject === 1 && ADDRESS_DETAILS.includes(detail)) return isFull ? 'later' : 'recipient';
  if (OWN_LIMIT.test(words)) return 'sender';
  if (subject === 4) return RECIPIENT.test(words) ? 'recipient' : 'transport';
  if (SENDER.test(words)) return 'sender';
  // Hosts add that they limit guessing, or where their policy is: `user unknown; hourly limit`.
  if (subject !== 7 && NO_USER.test(words) && !OVER_QUOTA.test(words)) return 'recipient';
  if (TOO_LARGE.test(words) || (subject === 2 && detail === 3)) return 'message';
  if (FULL.test(words) || (subject === 2 && detail === 2) || RATE.test(words)) return 'later';
  if (POLICY.test(words)) return 'policy';
  if (PASSING.test(words)) return 'later';
  if (subject === 7) return NO_USER.test(words) ? 'recipient' : 'policy';
  if (MESSAGE.test(words)) return 'message';
  if (subject === 1 || subject === 2) return 'recipient';
  if (TRANSPORT.test(words)) return 'transport';
  if (RECIPIENT.test(words)) return 'recipient';
  if (TRY_AGAIN.test(words)) return 'later';
  if (WEAK_POLICY.test(words)) return 'policy';
  return WEAK_MESSAGE.test(words) ? 'message' : undefined;
}
