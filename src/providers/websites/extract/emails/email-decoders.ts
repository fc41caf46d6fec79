/** Decodes addresses that scripts and plugins encode in attributes. */
import { wholeAddress } from '../address.ts';

/**
 * Cloudflare's protection: the first byte is the key, each later one is XORed with it.
 * The value is text, not bytes: blanks and markup around the address come along.
 */
export function decodeCloudflare(hex: string): string | null {
  if (!/^(?:[0-9a-f]{2}){4,300}$/i.test(hex)) return null;
  const bytes = Buffer.from(hex, 'hex');
  const key = bytes[0]!;
  return Buffer.from(bytes.subarray(1).map((byte) => byte ^ key)).toString('utf8');
}

/** Decodes `%40`, `&#64;` and JavaScript escapes; broken ones are left as they are. */
export function unescapeText(text: string): string {
  return text
    .replaceAll(/%u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
    .replaceAll(/(?:%[0-9a-f]{2})+/gi, (run) => {
      try {
        return decodeURIComponent(run);
      } catch {
        return run.replaceAll(/%([0-7][0-9a-f])/gi, (_, hex: string) => character(hex, 16));
      }
    })
    .replaceAll(/&#x([0-9a-f]{1,5});?/gi, (_, hex: string) => character(hex, 16))
    .replaceAll(/&#(\d{1,6});?/g, (_, decimal: string) => character(decimal, 10))
    .replaceAll(/&commat;/g, '@')
    .replaceAll(/&period;/g, '.')
    .replaceAll(/&amp;/g, '&');
}

const character = (digits: string, base: number): string => {
  const code = Number.parseInt(digits, base);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
};

const reversed = (text: string): string => Array.from(text).toReversed().join('');

export const rot13 = (text: string): string =>
  text.replaceAll(/[a-z]/gi, (letter) => {
    const first = letter <= 'Z' ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - first + 13) % 26) + first);
  });

/** The text that base64 encodes, where it is printable. */
export function fromBase64(text: string): string | null {
  if (!/^[A-Za-z0-9+/_-]{8,400}={0,2}$/.test(text)) return null;
  const decoded = Buffer.from(text, 'base64').toString('utf8');
  return /^[\x20-\x7e]+$/.test(decoded) ? decoded : null;
}

/**
 * The address in a value that is nothing but an address in disguise: as it is, escaped, `[at]`,
 * ROT13, base64, hexadecimal or backwards. Null for any other value.
 */
export function decodeValue(value: string): string | null {
  const text = unescapeText(value.trim())
    .replace(/^mailto:/i, '')
    .replace(/\?.*$/s, '');
  if (text.length > 400) return null;
  const plain = asAddress(text);
  if (plain) return plain;
  const base64 = fromBase64(text);
  const hidden = base64 && asAddress(base64.replace(/^mailto:/i, ''));
  if (hidden) return hidden;
  if (/^(?:[0-7][0-9a-f]){6,200}$/i.test(text)) {
    const hex = asAddress(
      Buffer.from(text, 'hex')
        .toString('latin1')
        .replace(/^mailto:/i, ''),
    );
    if (hex) return hex;
  }
  return asAddress(reversed(text)) ?? asAddress(rot13(text));
}

const asAddress = (text: string): string | null =>
  wholeAddress(
    text
      .trim()
      .replace(/\s*[[({<*]\s*(?:at|@|ät|æt)\s*[\])}>*]\s*/i, '@')
      .replaceAll(/\s*[[({<]\s*(?:dot|punkt|\.)\s*[\])}>]\s*/gi, '.'),
  );

/**
 * TYPO3's `linkTo_UnCryptMailto`: each letter is shifted within its own range by an offset from the
 * site's settings. All offsets are tried; the right one begins with `mailto:`.
 */
export function decryptTypo3(text: string): string | null {
  if (text.length > 300) return null;
  for (let offset = -25; offset <= 25; offset += 1) {
    const moved = Array.from(text, (letter) => move(letter, offset)).join('');
    if (moved.startsWith('mailto:')) return moved.slice('mailto:'.length);
  }
  return null;
}

/** Ranges of TYPO3's `encryptCharcode`: `+` to `:`, `@` to `Z`, `a` to `z`. */
function move(letter: string, offset: number): string {
  const code = letter.charCodeAt(0);
  for (const [first, last] of [
    [0x2b, 0x3a],
    [0x40, 0x5a],
    [0x61, 0x7a],
  ] as const) {
    if (code < first || code > last) continue;
    const size = last - first + 1;
    return String.fromCharCode(first + ((code - first + offset + 2 * size) % size));
  }
  return letter;
}

/** Keys of `data-*` attributes that hold one part of an address each. */
const LOCAL_KEYS = [
  'data-user',
  'data-name',
  'data-local',
  'data-local-part',
  'data-account',
  'data-u',
  'data-first',
  'data-part1',
  'data-email-user',
  'data-mail-user',
  'data-prefix',
  'data-before',
  'data-id',
];
const DOMAIN_KEYS = [
  'data-domain',
  'data-host',
  'data-website',
  'data-d',
  'data-last',
  'data-part2',
  'data-email-domain',
  'data-mail-domain',
  'data-suffix',
  'data-after',
  'data-server',
];
const ENDING_KEYS = ['data-tld', 'data-ending', 'data-part3', 'data-ext', 'data-zone'];

/** The address that the attributes of an element hold in parts or encoded. */
export function decodeParts(attributes: Record<string, string>): string[] {
  const found: string[] = [];
  const one = (keys: string[]): string | undefined =>
    keys.map((key) => attributes[key]).find((value) => value !== undefined);
  const local = one(LOCAL_KEYS);
  const domain = one(DOMAIN_KEYS);
  if (local && domain) {
    const ending = one(ENDING_KEYS);
    const host = ending ? `${domain}.${ending}`.replaceAll('..', '.') : domain;
    const joined =
      wholeAddress(`${local}@${host}`) ??
      wholeAddress(`${reversed(local)}@${reversed(host)}`) ??
      wholeAddress(`${fromBase64(local) ?? ''}@${fromBase64(host) ?? ''}`);
    if (joined) found.push(joined);
  }
  const { first, last } = attributes;
  if (first && last) {
    // Joomla's `<joomla-hidden-mail first last>`.
    const joined = wholeAddress(
      `${fromBase64(first) ?? shortBase64(first)}@${fromBase64(last) ?? ''}`,
    );
    if (joined) found.push(joined);
  }
  const token = attributes['data-mailto-token'];
  if (token) {
    const mail = decryptTypo3(token);
    if (mail) found.push(mail);
  }
  for (const key in attributes) {
    if (!key.startsWith('data-') || key === 'data-cfemail') continue;
    const value = attributes[key]!;
    const isForMail = /mail|enc|contact|addr|href|cloak|link/.test(key);
    if (!isForMail && !value.includes('@')) continue;
    const decoded = isForMail ? decodeValue(value) : wholeAddress(value.trim());
    if (decoded) found.push(decoded);
  }
  return found;
}

/** `aW5mbw==` is shorter than the minimum of `fromBase64`, which guards against arbitrary text. */
const shortBase64 = (text: string): string =>
  /^[A-Za-z0-9+/]{2,}={0,2}$/.test(text) ? Buffer.from(text, 'base64').toString('utf8') : '';
