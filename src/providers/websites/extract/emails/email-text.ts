/** E-mail addresses in visible text, plain and in the usual disguises. */
import { matchesOf } from '../matches.ts';
import { toAddress, toHost } from '../address.ts';
import { MAIL_WORD } from '../labels.ts';
import { isRole } from '../roles.ts';
import { SIGN } from '../html/text.ts';

export interface TextEmail {
  email: string;
  /** Where it stands in the text. */
  start: number;
  end: number;
  isObfuscated: boolean;
}

/** A page with more is a directory; no business is reached in so many ways. */
const MAX_FINDS = 200;
const MAX_LOOKS = 5_000;

/** Finds addresses in `text`, which may hold signs (see text.ts), in order. */
export function findEmails(text: string): TextEmail[] {
  const finds: TextEmail[] = [];
  let looks = 0;
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    if ((looks += 1) > MAX_LOOKS || finds.length >= MAX_FINDS) break;
    const find = around(text, at, at + 1);
    if (find) finds.push(find);
  }
  finds.push(...findDisguised(text));
  return finds.slice(0, MAX_FINDS);
}

const LOCAL_CHARACTER = /[a-z0-9._%+'&=~-]/i;
const DOMAIN_CHARACTER = /[\p{L}\d.-]/u;

/** The address whose `@` is `text.slice(from, to)`; null when none is around it. */
function around(text: string, from: number, to: number): TextEmail | null {
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
  return isSpaced ? null : turnedAround(left.parts.join(''), right.parts.join(''), from, to);
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

/** Put between for people to take out; in capitals, so that they see it. */
const NO_SPAM = /[._-]?(?:NO[-_.]?SPAM|REMOVE(?:[-_.]?(?:THIS|ME))?|NOBOTS|SPAMFREE)[._-]?/;

/** Without what clings to an address: `u003e` and `%20` of escaped text, points, apostrophes. */
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
  // Another script begins where the next word does: `info@acme.jpまで`.
  const latin = /^[a-z0-9.-]+/i.exec(text)?.[0] ?? '';
  for (const reading of latin && latin !== text ? [text, latin] : [text]) {
    const bare = reading
      .replace(NO_SPAM, '')
      .replace(/[.-]+$/, '')
      .replace(/^-+/, '');
    // `acme.de.Öffnungszeiten`, `acme.deTelefon`: the next sentence clings to the address.
    const cut = /^(.*\.\p{Ll}{2,})\.?\p{Lu}/u.exec(bare)?.[1];
    for (const host of cut ? [cut, bare] : [bare]) {
      if (isMixed(host)) continue;
      if (toHost(host)) return host;
    }
  }
  return null;
}

/** A top-level domain is of one script. */
const isMixed = (host: string): boolean => {
  const ending = host.slice(host.lastIndexOf('.') + 1);
  return /[a-z]/i.test(ending) && /[^\p{ASCII}]/u.test(ending);
};

/** `ed.emca@ofni`, shown the right way round by a style sheet that we may not have. */
function turnedAround(left: string, right: string, from: number, to: number): TextEmail | null {
  const turn = (text: string): string => Array.from(text).toReversed().join('');
  const bare = right.replace(/[.-]+$/, '');
  const email = toAddress(turn(bare), turn(left.replace(/^[.-]+/, '')));
  if (!email) return null;
  return { email, start: from - left.length, end: to + right.length, isObfuscated: true };
}

/** What stands before "at" in sentences, and before no sign of an address. */
const SENTENCE_WORD =
  /^(?:us|me|look|more|here|shop|store|online|available|work|stay|found?|find|located|visit|based|now|open|are|is)$/i;

/** Said to be mail by the word before it, or by a name that only mail has. */
function isSaidToBeMail(text: string, start: number, local: string): boolean {
  if (SENTENCE_WORD.test(local)) return false;
  if (isRole(local)) return true;
  const before = text.slice(Math.max(0, start - 40), start);
  if (before.includes(SIGN.mail) || /[:>]\s*$/.test(before)) return true;
  return before.search(MAIL_WORD) >= 0;
}

const AT_WORDS =
  'at|ät|æt|aet|a|@|arroba|arobase|aroba|chiocciola|klammeraffe|kukac|zavin[aá]č?|ma[lł]pa|' +
  'собака|собачка|apestaart(?:je)?|snabel-?a|alfa-?a?|miukumauku|et|malpka|ad|añ|antispam|на';
const DOT_WORDS =
  'dot|punkt|punto|point|ponto|punt|piste|prick|pont|tečka|tecka|bod|kropka|nokta|точка|toc[kč]ka|\\.';

/** `[at]`, `(at)`, `{at}`, `<at>`, `*at*`, `|at|`. */
const BRACKETED = new RegExp(`[\\[({<*|"]{1,2}\\s?(?:${AT_WORDS})\\s?[\\])}>*|"]{1,2}`, 'giu');
const DOT = new RegExp(`\\s?[\\[({<*|]\\s?(?:${DOT_WORDS})\\s?[\\])}>*|]\\s?`, 'giu');
const BARE_DOT = new RegExp(`\\s(?:${DOT_WORDS})\\s`, 'giu');
/** Without brackets it takes more to believe it: ` at `, `-at-`, `_at_`, `AT` between letters. */
const BARE = /at|At|AT|ät|Ät|arroba|chiocciola|kukac|zavin[aá]č|собака/g;
const BRACKET_HINT = /[[({<*|"]\s?(?:a|ä|æ|@|c|k|z|m|s|e|с|н)/i;

function findDisguised(text: string): TextEmail[] {
  const finds: TextEmail[] = [];
  let looks = 0;
  if (BRACKET_HINT.test(text))
    for (const { index, 0: sign } of matchesOf(BRACKETED, text)) {
      if ((looks += 1) > MAX_LOOKS) break;
      const end = index + sign.length;
      // "(a)" begins a paragraph as well: as a sign it stands within a word.
      if (SHORT_WORD.test(sign) && (text[index - 1] === ' ' || text[end] === ' ')) continue;
      const find = undisguise(text, index, end);
      if (find) finds.push(find);
    }
  for (const match of matchesOf(BARE, text)) {
    const sides = sidesOf(text, match.index, match[0]);
    if (sides < 0) continue;
    if ((looks += 1) > MAX_LOOKS) break;
    const index = match.index - sides;
    const find = undisguise(text, index, match.index + match[0].length + sides);
    if (!find) continue;
    const local = find.email.slice(0, find.email.indexOf('@'));
    const isSpelt = text.slice(index, find.end).search(BARE_DOT) >= 0;
    if (isSpelt ? !SENTENCE_WORD.test(local) : isSaidToBeMail(text, find.start, local))
      finds.push(find);
  }
  return finds;
}

/** How many characters on both sides belong to a bare sign; -1 where it is none, but part of a word. */
function sidesOf(text: string, at: number, word: string): 0 | 1 | -1 {
  const [before, after] = [text[at - 1] ?? '', text[at + word.length] ?? ''];
  if (isBlank(before) && isBlank(after)) return 1;
  const isAt = word === 'at' || word === 'AT';
  if (isAt && /[-_]/.test(before) && /[-_]/.test(after)) return 1;
  return word === 'AT' && /[a-z0-9]/.test(before) && /[a-z0-9]/.test(after) ? 0 : -1;
}

const isBlank = (character: string): boolean =>
  character === ' ' || character === '\n' || character === '\t';

/** "at" words that are other words, or letters of a list, as well. */
const SHORT_WORD = /^[^\p{L}@]*(?:a|ad|et|na|на)[^\p{L}@]*$/iu;

const LONGEST_DISGUISE = 120;

/** Puts the real signs in place around `text.slice(from, to)` and reads the result. */
function undisguise(text: string, from: number, to: number): TextEmail | null {
  const before = line(text.slice(Math.max(0, from - LONGEST_DISGUISE), from), -1);
  const after = line(text.slice(to, to + LONGEST_DISGUISE), 0);
  const left = before.replaceAll(DOT, '.').trimEnd();
  const spelt = after.replaceAll(DOT, '.').trimStart();
  const right = spelt.replaceAll(BARE_DOT, '.');
  const plain = `${left}@${right}`;
  const find = around(plain, left.length, left.length + 1);
  if (!find || find.email.includes('@www.')) return null;
  const length = find.email.length - find.email.indexOf('@') - 1;
  // Where it ends in the page's text is only about right: the disguise is longer than the address.
  return {
    ...find,
    start: from - (left.length - find.start),
    end: to + length,
    isObfuscated: true,
  };
}

const line = (text: string, at: 0 | -1): string => text.split('\n').at(at) ?? '';
