/** Stretches of digits in visible text that may be telephone numbers, and their parts. */

export interface Window {
  raw: string;
  start: number;
  end: number;
}

export const WINDOW = /[+([]{0,2}\d[\d ()+./\-~·•∙‧⋅・|[\]\u30FC\uE000]*\d/g;

/** A window with as many digits as numbers have, not part of a word or a longer figure. */
export function trimWindow(text: string, matched: string, index: number): Window | null {
  if (matched.length < 6 || matched.length > 200) return null;
  const digits = countDigits(matched);
  if (digits < 6 || digits > 60) return null;
  const before = text[index - 1] ?? '';
  const after = text[index + matched.length] ?? '';
  if (/[\d@_#=&%$€£¥]/.test(before) || /[@_%€£¥$]/.test(after)) return null;
  // `B31211402`, `DE213371503`, `3587198a`: letters attached to digits mark register numbers.
  if (
    /[A-Z]/.test(before) &&
    !/(?:^|[^A-Z])(?:T|TEL|FAX|F|M|MOB|P|PH)$/.test(text.slice(Math.max(0, index - 5), index))
  )
    return null;
  if (/\p{L}/u.test(after) && !UNSPACED.test(after)) {
    const clings = /^(?:x|ext|tel|fax|mob|cell)/i.test(
      text.slice(index + matched.length, index + matched.length + 5),
    );
    if (!clings && !/^\p{Lu}/u.test(after)) return null;
  }
  return { raw: matched, start: index, end: index + matched.length };
}

/** Scripts without blanks between words, or with particles attached to a figure. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

const countDigits = (text: string): number => {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 48 && code <= 57) count += 1;
  }
  return count;
};

/** Separates the numbers of a row, and sometimes groups of one number. */
export const ROW = /[~·•∙‧⋅・|]/;
export const EACH_ROW = new RegExp(ROW.source, 'g');

/** From certain separators of two numbers to those that also separate area code and number. */
export const SPLITTERS = [
  /\s\/\s|\s-\s|[~·•∙‧⋅・|]| {2,}|\uE000/g,
  /(?<=\d)\s?(?=\+|\(|\[|00[1-9])/g,
  /(?<=\d) (?=0[1-9])/g,
  /\//g,
];

/** The pieces between separators that are long enough for numbers; none when there is no separator. */
export function piecesOf({ raw, start }: Window, splitter: RegExp): Window[] {
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

/** With plain separators only. */
export const plainDigits = (raw: string): string =>
  raw
    .replaceAll(/[\uE000·•∙‧⋅・~|]/g, ' ')
    .replaceAll('\u30FC', '-')
    .replaceAll('[', '(')
    .replaceAll(']', ')');
