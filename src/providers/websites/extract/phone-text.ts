/** Telephone numbers in visible text: windows of digits, told from everything else by their words. */
import { matchesOf } from './matches.ts';
import type { CountryCode } from 'libphonenumber-js/max';
import { FAX_WORD, LABEL, LABEL_KINDS, PHONE_WORD } from './labels.ts';
import { parsePhone, parseWithoutPlus, type ParsedPhone } from './phone-number.ts';
import { remembering } from './remember.ts';
import { SIGN } from './text.ts';

export interface TextPhone {
  phone: string;
  start: number;
  end: number;
  isFax: boolean;
  /** 0-1. */
  certainty: number;
}

/** Windows that are looked at; pages with more are tables of figures. */
const MAX_WINDOWS = 4_000;
const MAX_PARSED = 150;
const MAX_FINDS = 60;

const WINDOW = /[+(]{0,2}\d[\d ()+./\-~·\u30FC\uE000]*\d/g;

type Said = 'phone' | 'fax' | 'both' | 'other' | null;

interface Window {
  raw: string;
  start: number;
  end: number;
}

/** Finds numbers in `text`, which may hold signs (see text.ts), in order. */
export function findPhones(text: string, countries: CountryCode[]): TextPhone[] {
  const finds: TextPhone[] = [];
  let windows = 0;
  let parsed = 0;
  let previous: { end: number; said: Said } = { end: 0, said: null };
  for (const match of matchesOf(WINDOW, text)) {
    if ((windows += 1) > MAX_WINDOWS || parsed >= MAX_PARSED || finds.length >= MAX_FINDS) break;
    const window = trimWindow(text, match[0], match.index);
    if (!window) continue;
    const said = saidOf(text, window, previous);
    if (said === 'other') continue;
    parsed += 1;
    const found = numbersIn(text, window, said, countries);
    finds.push(...found);
    if (found.length > 0) previous = { end: window.end, said };
  }
  return finds;
}

/** Whether the words before `at` (where a `tel:` link begins) call it a fax. */
export const isFaxAt = (text: string, at: number): boolean =>
  nearestLabel(labelPart(text.slice(Math.max(0, at - REACH), at))) === 'fax';

/** A window with as many digits as numbers have, not part of a word or a longer figure. */
function trimWindow(text: string, matched: string, index: number): Window | null {
  if (matched.length < 6 || matched.length > 200) return null;
  const digits = countDigits(matched);
  if (digits < 6 || digits > 60) return null;
  const before = text[index - 1] ?? '';
  const after = text[index + matched.length] ?? '';
  if (/[\d@_#=&%$€£¥]/.test(before) || /[@_%€£¥$]/.test(after)) return null;
  // `B31211402`, `DE213371503`, `3587198a`: letters cling to the numbers of registers.
  if (
    /[A-Z]/.test(before) &&
    !/(?:^|[^A-Z])(?:T|TEL|FAX|F|M|MOB|P|PH)$/.test(text.slice(Math.max(0, index - 5), index))
  )
    return null;
  if (
    /\p{L}/u.test(after) &&
    !/^\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u.test(after)
  ) {
    const clings = /^(?:x|ext|tel|fax|mob|cell)/i.test(
      text.slice(index + matched.length, index + matched.length + 5),
    );
    if (!clings && !/^\p{Lu}/u.test(after)) return null;
  }
  return { raw: matched, start: index, end: index + matched.length };
}

const countDigits = (text: string): number => {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 48 && code <= 57) count += 1;
  }
  return count;
};

/** How far before a number its label may stand. */
const REACH = 70;

/** What the words before (else right behind) a number call it. */
function saidOf(text: string, window: Window, previous: { end: number; said: Said }): Said {
  const from = Math.max(previous.end, window.start - REACH);
  const before = text.slice(from, window.start);
  const label = nearestLabel(labelPart(before));
  if (label) return label;
  const behind = saidBehind(text, window);
  if (behind) return behind;
  // "Tel. 030 1 / 0171 2": a second number of the same line.
  const gap = text.slice(previous.end, window.start);
  if (
    previous.end > 0 &&
    gap.length <= 25 &&
    /^[^\p{L}]*(?:\p{L}{1,5}[^\p{L}]*)?$/u.test(gap) &&
    gap.split('\n').length <= 2
  )
    return previous.said === 'other' ? null : previous.said;
  return null;
}

/** The number's own line; where it has no letters the nearest lines before that have. */
function labelPart(before: string): string {
  const lines = before.split('\n');
  const own = lines.pop()!;
  if (/[\p{L}\uE002\uE003]/u.test(own)) return own;
  for (let tries = 0; tries < 3; tries += 1) {
    const line = lines.pop();
    if (line === undefined) return own;
    if (/[\p{L}\uE002\uE003]/u.test(line)) return line.length <= 45 ? `${line}\n${own}` : own;
  }
  return own;
}

const nearestLabel = remembering(100, (before): Said => {
  const last = { phone: -1, fax: -1, other: -1 };
  for (const { index, groups } of matchesOf(LABEL, before))
    for (const kind of LABEL_KINDS) if (groups![kind] !== undefined) last[kind] = index;
  const sign = before.lastIndexOf(SIGN.phone);
  // `Fax: <a class="tel">`: the class says what such links do, the word what this number is.
  const isFaxAlone = last.fax >= 0 && (last.phone < 0 || last.fax - last.phone > 14);
  const isWordNearer = isFaxAlone && FAX_THEN_SIGN.test(before.slice(last.fax, sign));
  const phone = Math.max(last.phone, isWordNearer ? -1 : sign);
  const fax = Math.max(last.fax, before.lastIndexOf(SIGN.fax));
  if (last.other > phone && last.other > fax) return 'other';
  if (phone < 0 && fax < 0) return null;
  // "Tel./Fax: 030 ..." calls it both.
  const between = before.slice(Math.min(phone, fax), Math.max(phone, fax));
  if (phone >= 0 && fax >= 0 && between.length <= 14 && !/\d/.test(between)) return 'both';
  // "Tel. / E-Mail: 030 ...": mail words are no telephone words, and no refusal.
  return fax > phone ? 'fax' : 'phone';
});

/** The word and what parts it from its number, on one line. */
const FAX_THEN_SIGN = /^[\p{L}-]+[^\p{L}\d\n]{0,6}$/u;

/** "030 123 (Fax)", "555-0101 fax": right behind, and not the next number's label. */
function saidBehind(text: string, window: Window): Said {
  const behind = /^[ \uE000]{0,2}[([-]?\s?(\p{L}[\p{L}.]{1,12})[)\]]?(?=([^\p{L}]{0,6}))/u.exec(
    text.slice(window.end, window.end + 30),
  );
  if (!behind || /:|\d/.test(behind[2] ?? '')) return null;
  const word = behind[1]!;
  if (word.search(FAX_WORD) >= 0) return 'fax';
  return word.search(PHONE_WORD) >= 0 ? 'phone' : null;
}

/** The numbers of a window: it as a whole, else the parts between its wider separators. */
function numbersIn(
  text: string,
  window: Window,
  said: Said,
  countries: CountryCode[],
): TextPhone[] {
  const isLabelled = said !== null;
  const whole = read(window.raw, isLabelled, countries);
  const isFax = said === 'fax';
  const result = (piece: Window, parsed: ParsedPhone): TextPhone[] => {
    const certainty = isLabelled ? 0.95 : certaintyOf(text, piece, parsed);
    return certainty > 0
      ? [{ phone: parsed.phone, start: piece.start, end: piece.end, isFax, certainty }]
      : [];
  };
  if (whole) return result(window, whole);
  for (const splitter of SPLITTERS) {
    const found = piecesOf(window, splitter).flatMap((piece) => {
      const parsed = read(piece.raw, isLabelled, countries);
      return parsed ? result(piece, parsed) : [];
    });
    if (found.length > 0) return found;
  }
  return [];
}

const plain = (raw: string): string => raw.replaceAll(/[\uE000·~]/g, ' ').replaceAll('\u30FC', '-');

function read(raw: string, isLabelled: boolean, countries: CountryCode[]): ParsedPhone | null {
  const text = plain(raw);
  return parsePhone(text, countries) ?? (isLabelled ? parseWithoutPlus(text, countries) : null);
}

/** From what surely parts two numbers to what parts area and number as well. */
const SPLITTERS = [
  /\s\/\s|\s-\s|~|·| {2,}|\uE000/g,
  /(?<=\d)\s?(?=\+|\(|00[1-9])/g,
  /(?<=\d) (?=0[1-9])/g,
  /\//g,
];

/** The pieces between separators that are long enough for numbers; none when there is no separator. */
function piecesOf({ raw, start }: Window, splitter: RegExp): Window[] {
  const pieces: Window[] = [];
  let at = 0;
  for (const match of raw.matchAll(splitter)) {
    pieces.push({ raw: raw.slice(at, match.index), start: start + at, end: start + match.index });
    at = match.index + match[0].length;
  }
  if (at === 0) return [];
  pieces.push({ raw: raw.slice(at), start: start + at, end: start + raw.length });
  return pieces.filter((piece) => countDigits(piece.raw) >= 6).slice(0, 8);
}

const DATE =
  /^\(?\d{1,2}[./-] ?\d{1,2}[./-] ?(?:19|20)?\d{2}\b|^(?:19|20)\d{2}[./-]\d{1,2}[./-]\d{1,2}|^(?:19|20)\d{2}\s?[-/]\s?(?:19|20)\d{2}/;
const UNIT_BEHIND =
  /^\s?(?:€|eur\b|euro|zł|kč|ft\b|huf|kr\b|sek|nok|dkk|chf|\$|usd|руб|₽|грн|₴|₺|tl\b|円|元|원|%|m²|m2|m³|km|kg|mm\b|cm\b|ml\b|шт|kb\b|mb\b|px|uhr|h\b|km\/h|мм|см|кг|год|г\.)/i;

/** How sure a number without any word is: by how its country writes numbers. 0: it is none. */
function certaintyOf(text: string, { raw, start, end }: Window, parsed: ParsedPhone): number {
  const written = plain(raw).trim();
  if (DATE.test(written) || UNIT_BEHIND.test(text.slice(end, end + 8))) return 0;
  if (/[€$£¥₽]\s?$/.test(text.slice(Math.max(0, start - 3), start))) return 0;
  if (/^\(?\+/.test(written)) return 0.85;
  const groups = written.split(/\D+/).filter(Boolean);
  const isNational = groups.join(' ') === parsed.national.split(/\D+/).filter(Boolean).join(' ');
  const isAlone = standsAlone(text, start, end);
  if (
    /^(?:1[ .-])?\(?[2-9]\d{2}\)?[ .-]{1,3}[2-9]\d{2}[ .-]\d{4}$/.test(written) &&
    parsed.phone.startsWith('+1')
  )
    return 0.8;
  if (/^\(?0/.test(written) && !/^0\.|^00/.test(written)) {
    if (groups.length >= 2) return isNational ? 0.8 : 0.7;
    return isAlone && written.length >= 9 ? 0.6 : 0;
  }
  if (/^00[1-9]/.test(written)) return 0.7;
  // A trunk prefix that is no zero: 8 in Russia, 06 in Hungary.
  if (/^8[ (-]/.test(written) && parsed.phone.startsWith('+7')) return 0.75;
  if (groups.length >= 3 && isNational) return isAlone ? 0.7 : 0.5;
  if (groups.length === 2 && isNational && isAlone && /[-) ]/.test(written)) return 0.5;
  return 0;
}

/** A line with little else: figures in running text are other figures. */
function standsAlone(text: string, start: number, end: number): boolean {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const next = text.indexOf('\n', end);
  const to = next < 0 ? text.length : next;
  return to - from - (end - start) <= 25;
}
