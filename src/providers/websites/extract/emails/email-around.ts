/** Reads the e-mail address around an `@` in visible text. */
import { toAddress, toHost } from '../address.ts';
import { SIGN } from '../html/text.ts';
import { MAIL_WORD } from '../labels.ts';
import { isRole } from '../roles.ts';

export interface TextEmail {
  email: string;
  /** Where it stands in the text. */
  start: number;
  end: number;
  isObfuscated: boolean;
}

const LOCAL_CHARACTER = /[a-z0-9._%+'&=~-]/i;
const DOMAIN_CHARACTER = /[\p{L}\d.-]/u;

/** The address whose `@` is `text.slice(from, to)`; null when none is around it. */
export function emailAround(text: string, from: number, to: number): TextEmail | null {
  const left = leftOf(text, from);
  const right = rightOf(text, to);
  if (!left || !right) return null;
  const isSpaced = left.isSpaced || right.isSpaced;
  // "meet us @ acme.de" is said of places, "on Instagram @acme" of accounts.
  if (left.isSpaced && !right.isSpaced && !isRole(left.local)) return null;
  if (isSpaced && !isSaidToBeMail(text, left.start, left.local)) return null;
  for (const local of localsOf(left.parts)) {
    const domain = domainOf(right.parts);
    const email = domain && toAddress(local, domain.host);
    if (!email) continue;
    const end = right.start + domain.length;
    return { email, start: from - local.length, end, isObfuscated: isSpaced };
  }
  return isSpaced ? null : reversedEmail(left.parts.join(''), right.parts.join(''), from, to);
}

interface Side {
  /** Pieces between the borders of inline elements. */
  parts: string[];
  local: string;
  start: number;
  isSpaced: boolean;
}

function leftOf(text: string, from: number): Side | null {
  let at = from;
  while (text[at - 1] === SIGN.soft) at -= 1;
  const isSpaced = text[at - 1] === ' ';
  if (isSpaced) at -= 1;
  while (text[at - 1] === SIGN.soft) at -= 1;
  let start = at;
  const least = Math.max(0, at - 100);
  while (start > least && (text[start - 1] === SIGN.soft || LOCAL_CHARACTER.test(text[start - 1]!)))
    start -= 1;
  if (start === at) return null;
  const parts = text.slice(start, at).split(SIGN.soft);
  return { parts, local: parts.join(''), start, isSpaced };
}

function rightOf(text: string, to: number): Side | null {
  let start = to;
  while (text[start] === SIGN.soft) start += 1;
  const isSpaced = text[start] === ' ';
  if (isSpaced) start += 1;
  while (text[start] === SIGN.soft) start += 1;
  let end = start;
  const most = Math.min(text.length, start + 120);
  while (end < most && (text[end] === SIGN.soft || DOMAIN_CHARACTER.test(text[end]!))) end += 1;
  if (end === start) return null;
  const parts = text.slice(start, end).split(SIGN.soft);
  return { parts, local: '', start, isSpaced };
}

/**
 * Readings of the letters before the `@`, the likeliest first. An element's border may stand
 * within an address (`info<b></b>.berlin@`) or between a label and it (`<b>Mail</b>info@`).
 */
function* localsOf(parts: string[]): Generator<string> {
  let local = parts.at(-1)!;
  for (let at = parts.length - 2; at >= 0; at -= 1) {
    const part = parts[at]!;
    const isLabel = MAIL_LABEL.test(part) || (/^\p{Lu}/u.test(part) && /^\p{Ll}/u.test(local));
    // A telephone number ends where the address begins.
    if (isLabel || /^\d+$/.test(part)) break;
    local = part + local;
  }
  const trimmed = trimLocal(local);
  if (trimmed) yield trimmed;
  const last = trimLocal(parts.at(-1)!);
  if (last && last !== trimmed) yield last;
}

const MAIL_LABEL =
  /^(?:e-?mail|mail|courriel|correo|email|contact|kontakt|epost|tel|fax|or|und|and)[.:]?$/i;

/** Inserted for people to remove; in capitals, so that they notice it. */
const NO_SPAM = /[._-]?(?:NO[-_.]?SPAM|REMOVE(?:[-_.]?(?:THIS|ME))?|NOBOTS|SPAMFREE)[._-]?/;

/** Without what is attached to an address: `u003e` and `%20` of escaped text, dots, apostrophes. */
const trimLocal = (local: string): string =>
  local
    .replace(NO_SPAM, '')
    .replace(/^.*(?:u003[ce]|%20|%3a|%22|&[a-z]+;?=?)/i, '')
    .replace(/^['.%+&=~-]+/, '')
    .replace(/'+$/, '');

/** The longest reading of the letters after the `@` that is a public host, else a shorter one. */
function domainOf(parts: string[]): { host: string; length: number } | null {
  for (let count = parts.length; count > 0; count -= 1) {
    const text = parts.slice(0, count).join('');
    const host = hostAtStart(text);
    if (host) return { host, length: host.length + count - 1 };
  }
  return null;
}

function hostAtStart(text: string): string | null {
  // A change of script is a word border: `info@acme.jpまで`.
  const latin = /^[a-z0-9.-]+/i.exec(text)?.[0] ?? '';
  for (const reading of latin && latin !== text ? [text, latin] : [text]) {
    const bare = reading
      .replace(NO_SPAM, '')
      .replace(/[.-]+$/, '')
      .replace(/^-+/, '');
    // `acme.de.Öffnungszeiten`, `acme.deTelefon`: the next sentence follows without a space.
    const cut = /^(.*\.\p{Ll}{2,})\.?\p{Lu}/u.exec(bare)?.[1];
    for (const host of cut ? [cut, bare] : [bare]) {
      if (isMixed(host)) continue;
      if (toHost(host)) return host;
    }
  }
  return null;
}

/** A top-level domain uses one script. */
const isMixed = (host: string): boolean => {
  const ending = host.slice(host.lastIndexOf('.') + 1);
  return /[a-z]/i.test(ending) && /[^\p{ASCII}]/u.test(ending);
};

/** `ed.emca@ofni`: a style sheet that we may not have reverses it for display. */
function reversedEmail(left: string, right: string, from: number, to: number): TextEmail | null {
  const reversed = (text: string): string => Array.from(text).toReversed().join('');
  const bare = right.replace(/[.-]+$/, '');
  const email = toAddress(reversed(bare), reversed(left.replace(/^[.-]+/, '')));
  if (!email) return null;
  return { email, start: from - left.length, end: to + right.length, isObfuscated: true };
}

/** Words before "at" in sentences, and never before the at sign of an address. */
export const SENTENCE_WORD =
  /^(?:us|me|look|more|here|shop|store|online|available|work|stay|found?|find|located|visit|based|now|open|are|is)$/i;

/** The word before it calls it mail, or its local part is a name that only mail has. */
export function isSaidToBeMail(text: string, start: number, local: string): boolean {
  if (SENTENCE_WORD.test(local)) return false;
  if (isRole(local)) return true;
  const before = text.slice(Math.max(0, start - 40), start);
  if (before.includes(SIGN.mail) || /[:>]\s*$/.test(before)) return true;
  return before.search(MAIL_WORD) >= 0;
}
