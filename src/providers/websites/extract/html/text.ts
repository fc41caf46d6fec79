/** The visible text of a page as one string, with signs for what a reader sees besides characters. */

/**
 * Signs in the text. They are private-use characters; the page's own are removed. `soft`: the border of
 * an inline element, which a reader does not see.
 */
export const SIGN = {
  soft: '\uE000',
  heading: '\uE001',
  phone: '\uE002',
  fax: '\uE003',
  mail: '\uE004',
  /** A cell of a table whose first row names its column "fax". */
  cell: '\t',
} as const;

const SIGNS = /[\uE000-\uE0FF]/g;

/** A page with more visible text is no contact page, and reading on only costs time. */
export const MAX_TEXT = 400_000;

/** The zeros of scripts that have their own digits; the other nine follow each. */
const ZEROS = [
  0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50,
  0xed0, 0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1b50, 0x1bb0, 0x1c40,
  0x1c50, 0xa620, 0xa8d0, 0xa900, 0xaa50, 0xabf0,
];
const DIGITS = ZEROS.map((zero) => `${hex(zero)}-${hex(zero + 9)}`).join('');

/** U+FE0E, U+FE0F and U+20E3 make an emblem of a digit. */
const UNUSUAL = new RegExp(
  '[\\u00A0\\u00AD\\u061C\\u1680\\u180E\\u2000-\\u200F\\u2010-\\u2015\\u202A-\\u202F\\u205F-\\u2064' +
    '\\u2066-\\u206F\\u20E3\\u2212\\u3000\\uE000-\\uE0FF\\uFE0E\\uFE0F\\uFE58\\uFE62\\uFE63\\uFE6B\\uFEFF' +
    `\\uFF01-\\uFF5E${DIGITS}]`,
);
const EACH_UNUSUAL = new RegExp(UNUSUAL.source, 'g');
/** Mathematical digits, bold and others: five rows of ten. */
const FORMULA_DIGITS = /\uD835[\uDFCE-\uDFFF]/g;

/**
 * Replaces full-width forms, digits of all scripts, hyphens, blanks and invisible characters by their
 * plain form.
 */
export function plainText(text: string): string {
  const plain = UNUSUAL.test(text) ? text.replace(EACH_UNUSUAL, plainCharacter) : text;
  return plain.includes('\uD835')
    ? plain.replace(FORMULA_DIGITS, (pair) => String((pair.charCodeAt(1) - 0xdfce) % 10))
    : plain;
}

function plainCharacter(character: string): string {
  const code = character.charCodeAt(0);
  if (code >= 0xff01 && code <= 0xff5e) return String.fromCharCode(code - 0xfee0);
  if (code === 0x2212 || (code >= 0x2010 && code <= 0x2015)) return '-';
  if (code === 0xfe58 || code === 0xfe63) return '-';
  if (code === 0xfe62) return '+';
  if (code === 0xfe6b) return '@';
  const isBlank = code === 0xa0 || code === 0x1680 || code === 0x3000 || code === 0x205f;
  if (isBlank || (code >= 0x2000 && code <= 0x200a) || code === 0x202f) return ' ';
  if (code >= 0xe000 && code <= 0xe0ff) return ' ';
  const zero = ZEROS.findLast((first) => first <= code);
  return zero !== undefined && code - zero < 10 ? String(code - zero) : '';
}

/** For a character class. */
function hex(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`;
}

/** The text as a reader sees it, without signs. */
export const withoutSigns = (text: string): string => text.replaceAll(SIGNS, ' ');

/** `plainText` with each run of white space as one blank. */
export function singleSpaced(text: string): string {
  const { length } = text;
  let result = '';
  let from = 0;
  for (let at = 0; at < length; at += 1) {
    const code = text.charCodeAt(at);
    // Letters with diacritics are fine; other non-ASCII characters may be white space.
    if (code > 126 && (code <= 0xad || code >= 0x61c))
      return plainText(text).replaceAll(/\s+/g, ' ');
    if (code > 32 || (code === 32 && !isSpace(text.charCodeAt(at + 1)))) continue;
    if (!isSpace(code)) continue;
    result += `${text.slice(from, at)} `;
    while (isSpace(text.charCodeAt(at + 1))) at += 1;
    from = at + 1;
  }
  return from === 0 ? text : result + text.slice(from);
}

/** White space of ASCII. */
const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13);
