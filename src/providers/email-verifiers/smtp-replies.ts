/**
 * What a server's reply to RCPT TO means. Only what is clearly about this mailbox counts for it: a
 * refusal of our probe is `refused`, and never "no such user".
 */
import { isListing } from '../../domain/sending/smtp-refusals.ts';
import type { SmtpReply } from './smtp-connection.ts';

export type RecipientAnswer =
  | 'accepted'
  | 'no_mailbox'
  | 'disabled'
  | 'full'
  /** 4xx that says so, or in the wording of greylisting servers. */
  | 'greylisted'
  | 'later'
  /** A blocklist has our address: the provider then says so of every recipient. */
  | 'listed'
  /** About us: a policy, our name or our address. */
  | 'refused'
  /** 5xx without a reason that we understand. */
  | 'unclear'
  | 'too_many'
  | 'closing';

/** Enhanced codes (RFC 3463, RFC 7505) that are about the mailbox or its domain. */
const NO_MAILBOX = new Set(['5.1.0', '5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10']);
const ABOUT_SENDER = new Set(['5.1.7', '5.1.8', '5.1.9']);

/** Any of the phrases, each a regular expression. */
const oneOf = (...phrases: string[]) => new RegExp(phrases.join('|'), 'i');

/** Words of blocklists and policies: they outrank the rest of the text and the code. */
const POLICY_WORDS = oneOf(
  'block(ed|ing|list)|black ?list|deny ?list|\\brbls?\\b|dnsbl|spamhaus|spamcop|barracuda|sorbs',
  'surbl|uceprotect|senderscore|reputation|banned|abus(e|ive|ix)|spam|suspicious|harvest',
  'polic(y|ies)|not (allowed|permitted|authori[sz]ed)|prohibit|unauthori[sz]ed|authenticat',
  'relay|\\bspf\\b|dmarc|dkim|\\bptr\\b|reverse (dns|lookup)|\\brdns\\b|\\b(he|eh)lo\\b',
  'too (many|much)|\\brates?\\b|throttl|frequen|gr[ea]ylist|client host|your (ip|host|server)',
  '\\bsender\\b|\\bmail from\\b|from address|return.path|callout|verification failed|verify address',
  'service (unavailable|refused)|starttls|\\btls\\b|encrypt',
);
/** Words for a temporary state: they outrank a permanent code, also in a quoted reply. */
const PASSING_WORDS = oneOf(
  'tempor(ar|al)|try (it )?(again )?(later|in \\d)|again later|in progress|said: (\\S+ )?4\\d\\d\\b',
);
/** Postfix names the table in which it searched, which is not about relaying. */
const LOOK_UP = /in (the )?(virtual|relay|local)( \w+){0,3} table/gi;

const PERSON = '(user|recipient|mailbox|account|address|addressee|alias|local part|e-?mail)s?';
const MISSING =
  '(unknown|invalid|incorrect|not (found|exist|known|valid|here|local|listed|recognized))';

/** "User unknown" in the wording of the servers in use. */
const NO_MAILBOX_WORDS = oneOf(
  `\\b${PERSON}( name)?( <[^>]*>)?:? (is |was |has been |does )?${MISSING}`,
  `\\b(unknown|invalid|no such|bad|non-?existent) (local )?${PERSON}\\b`,
  'no (mailbox|user|account|recipient|one) (by|with|here|of|named|at)|no mail ?box',
  'mailbox unavailable|not our customer|not a (known|valid) (user|recipient|mailbox)',
  "(do not|does ?n[o']t|doesn.t) (exist|have an? .{0,40}(account|mailbox))",
  '(could ?n.t|could not|can ?not|can.t) be found|un(routeable|routable|deliverable) address',
  'not in my valid|no longer (available|exists|valid|active)|recipient (not|un)(found|known)',
);
/** Exchange Online's reply for recipients that its directory does not have. */
const EXCHANGE_ONLINE = /recipient address rejected: access denied/i;

const DISABLED_WORDS = oneOf(
  '(account|mailbox|user|recipient).{0,60}(disabled|deactivated|suspended|inactive|closed|expired)',
  '(disabled|inactive|suspended) (account|mailbox|user|recipient)',
);
const FULL_WORDS = oneOf(
  'quota|(mailbox|inbox) (is )?full|full mailbox|over ?limit|out of (storage|space)',
);
const TOO_MANY_WORDS = oneOf('too many (recipients|rcpt)|multiple destination domains');
const GREY_WORDS = oneOf('gr[ea]y ?-?list', 'try again|come back|retry|deferred');

/** Not every server names the blocklist: `banned sending IP [192.0.2.1]`. */
const ADDRESS_BLOCKED = oneOf(
  '\\b(client host|(your|sending|source) (ip|host|server)|ip address)\\b.{0,80}\\b(blocked|banned)\\b',
  'banned (sending|sender) ip',
);
/** Not about our address: one recipient's own list, greylisting, a quoted reply of another server. */
const OTHER_LISTS = oneOf(
  "gr[ea]y ?-?list|\\b(recipient|user)('s)? .{0,20}(black|block) ?list|\\bsaid:",
);

/** Whether the server says that our address is on a blocklist. */
export function saysListed({ code, text }: SmtpReply): boolean {
  if (code < 400 || OTHER_LISTS.test(text)) return false;
  return isListing(text) || ADDRESS_BLOCKED.test(text);
}

export function recipientAnswer(reply: SmtpReply): RecipientAnswer {
  const { code } = reply;
  if (code >= 200 && code < 300) return 'accepted';
  if (saysListed(reply)) return 'listed';
  if (code === 421) return 'closing';
  if (code >= 400 && code < 500) return temporary(reply);
  return code >= 500 && code < 600 ? permanent(reply) : 'unclear';
}

function temporary({ code, enhanced, text }: SmtpReply): RecipientAnswer {
  if (enhanced === '4.5.3' || TOO_MANY_WORDS.test(text)) return 'too_many';
  if (enhanced === '4.2.2' || (code === 452 && FULL_WORDS.test(text))) return 'full';
  return GREY_WORDS.test(text) ? 'greylisted' : 'later';
}

function permanent({ code, enhanced = '', text }: SmtpReply): RecipientAnswer {
  if (TOO_MANY_WORDS.test(text)) return 'too_many';
  if (ABOUT_SENDER.has(enhanced)) return 'refused';
  if (enhanced === '5.4.1' && EXCHANGE_ONLINE.test(text)) return 'no_mailbox';
  if (enhanced === '5.2.2' || (code === 552 && FULL_WORDS.test(text))) return 'full';
  const isClear = NO_MAILBOX.has(enhanced);
  // Choice 29: many servers use one code for every refusal, so nothing is proven when a word is about
  // us, a policy or a later time.
  if (POLICY_WORDS.test(text.replaceAll(LOOK_UP, ''))) return 'refused';
  if (PASSING_WORDS.test(text)) return 'later';
  // RFC 5321, 3.4: not local, but the user exists elsewhere.
  if (code === 551 && /not local/i.test(text)) return 'unclear';
  if (enhanced === '5.2.1' || DISABLED_WORDS.test(text)) return 'disabled';
  if (isClear || code === 556) return 'no_mailbox';
  // 5.7: security and policy.
  if (enhanced.startsWith('5.7.')) return 'refused';
  if (![550, 551, 553, 554].includes(code)) return 'unclear';
  if (FULL_WORDS.test(text)) return 'full';
  return NO_MAILBOX_WORDS.test(text) ? 'no_mailbox' : 'unclear';
}

/**
 * Whether two replies say the same, apart from the addresses and ids in them. Each pattern begins where its word does:
 * begun at each character, a long word takes n² steps.
 */
export function sameWords(one: SmtpReply, other: SmtpReply): boolean {
  const plain = ({ text }: SmtpReply) =>
    text
      .toLowerCase()
      .replaceAll(/<?(?<![^\s<>])[^\s<>]+@[^\s<>:;]+>?/g, '@')
      .replaceAll(/(?<![a-z0-9])[a-z0-9]*\d[a-z0-9.-]*/g, '#');
  return one.code === other.code && one.enhanced === other.enhanced && plain(one) === plain(other);
}
