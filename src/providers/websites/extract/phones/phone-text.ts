/** Telephone numbers in visible text: windows of digits, told from other figures by their labels. */
import { matchesOf } from '../matches.ts';
import type { CountryCode } from 'libphonenumber-js/max';
import { FAX_WORD, LABEL, LABEL_KINDS, PHONE_WORD } from '../labels.ts';
import { parsePhone, parseWithoutPlus, type ParsedPhone } from './phone-number.ts';
import { remembering } from '../remember.ts';
import { certaintyOf } from './phone-certainty.ts';
import {
  EACH_ROW,
  piecesOf,
  plainDigits,
  ROW,
  SPLITTERS,
  trimWindow,
  WINDOW,
  type Window,
} from './phone-window.ts';
import { SIGN } from '../html/text.ts';

export interface TextPhone {
  phone: string;
  start: number;
  end: number;
  isFax: boolean;
  /** 0-1. */
  certainty: number;
}

/** Windows that are checked; pages with more are tables of figures. */
const MAX_WINDOWS = 4_000;
const MAX_PARSED = 150;
const MAX_FINDS = 60;

type Said = 'phone' | 'fax' | 'both' | 'other' | null;

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

/** How far before a number its label may be. */
const REACH = 70;

/** The label before a number, else right after it. */
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

/** The number's own line; where it has no letters, the nearest lines before that have. */
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
  // `Fax: <a class="tel">`: the class is about such links in general, the word about this number.
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

/** The word and its separator from the number, on one line. */
const FAX_THEN_SIGN = /^[\p{L}-]+[^\p{L}\d\n]{0,6}$/u;

/** "030 123 (Fax)", "555-0101 fax": right after it, and not the next number's label. */
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
  const numbers = ROW.test(window.raw) ? eachIn(window, isLabelled, countries) : [];
  if (numbers.length > 0) return numbers.flatMap(({ piece, parsed }) => result(piece, parsed));
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

/** The numbers of a row that lists several; none where each piece is part of a single number. */
function eachIn(
  window: Window,
  isLabelled: boolean,
  countries: CountryCode[],
): { piece: Window; parsed: ParsedPhone }[] {
  const pieces = piecesOf(window, EACH_ROW);
  const numbers = pieces.flatMap((piece) => {
    const parsed = read(piece.raw, isLabelled, countries);
    return parsed ? [{ piece, parsed }] : [];
  });
  return numbers.length > 1 && numbers.length === pieces.length ? numbers : [];
}

function read(raw: string, isLabelled: boolean, countries: CountryCode[]): ParsedPhone | null {
  const text = plainDigits(raw);
  return parsePhone(text, countries) ?? (isLabelled ? parseWithoutPlus(text, countries) : null);
}
