/** Decodes a text file, in whichever encoding a spreadsheet saved it. */
import { decodedBy, encodingOf } from './charsets.ts';

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
const utf16le = new TextDecoder('utf-16le');
const utf16be = new TextDecoder('utf-16be');
const latin = new TextDecoder('windows-1252');
const windows1252 = (bytes: Uint8Array): string => decodedBy(latin, bytes);

/**
 * UTF-8 and UTF-16 by their byte order marks, else by `charset`, else UTF-8 where it is valid or nearly so, else
 * Windows-1252, in which Excel saves in Western Europe. NUL is dropped: Postgres cannot store it, and no name has one.
 */
export function decodeText(bytes: Uint8Array, charset?: string): string {
  const text = decoded(bytes, charset === undefined ? undefined : encodingOf(charset));
  return text.includes('\u0000') ? text.replaceAll('\u0000', '') : text;
}

/** Whether `decodeText` reads it: by the names of the Encoding Standard. */
export const isCharset = (charset: string): boolean => encodingOf(charset) !== undefined;

/** Many programs name one of these whatever the file is, and the bytes tell them apart. */
const TOLD_BY_BYTES: readonly (string | undefined)[] = [undefined, 'utf-8', 'windows-1252'];

function decoded(bytes: Uint8Array, encoding: string | undefined): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return utf16le.decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return utf16be.decode(bytes);
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  if (!hasMark && !TOLD_BY_BYTES.includes(encoding)) return new TextDecoder(encoding).decode(bytes);
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return nearlyUtf8(bytes, hasMark) ?? windows1252(bytes);
  }
}

/**
 * Files that were joined of several have rows in another encoding. Where at least half of what is not ASCII is UTF-8,
 * the other bytes are Windows-1252 each; else undefined.
 */
function nearlyUtf8(bytes: Uint8Array, hasMark: boolean): string | undefined {
  let [letters, broken] = [0, 0];
  for (let at = 0; at < bytes.length;) {
    const length = lengthAt(bytes, at);
    if (length === 0) broken += 1;
    if (length > 1) letters += 1;
    at += length || 1;
  }
  return hasMark || letters >= broken ? strictUtf8.decode(mended(bytes, broken)) : undefined;
}

/** In UTF-8 as a whole: decoded piece by piece a file of many such bytes would take seconds. */
function mended(bytes: Uint8Array, broken: number): Uint8Array {
  const whole = new Uint8Array(bytes.length + 2 * broken);
  let written = 0;
  for (let at = 0; at < bytes.length;) {
    const length = lengthAt(bytes, at);
    const letter = length === 0 ? LETTERS[bytes[at]! - 0x80]! : undefined;
    for (let n = 0; n < (letter?.length ?? length); n += 1) {
      whole[written] = letter ? letter[n]! : bytes[at + n]!;
      written += 1;
    }
    at += length || 1;
  }
  return whole.subarray(0, written);
}

/** Those of Windows-1252 behind ASCII, each in UTF-8: three bytes at most. */
const LETTERS = Array.from({ length: 0x80 }, (_, at) =>
  new TextEncoder().encode(windows1252(Uint8Array.of(0x80 + at))),
);

/** Bytes of the well-formed UTF-8 letter there; 0 for none. Unicode, table 3-7. */
function lengthAt(bytes: Uint8Array, at: number): number {
  const lead = bytes[at]!;
  if (lead < 0x80) return 1;
  const length = lengthBehind(lead);
  if (length === 0 || !isSecond(lead, bytes[at + 1] ?? 0)) return 0;
  for (let n = 2; n < length; n += 1) if (((bytes[at + n] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}

function lengthBehind(lead: number): number {
  if (lead < 0xc2 || lead > 0xf4) return 0;
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}

/** No overlong letter, no surrogate, none beyond U+10FFFF. */
function isSecond(lead: number, byte: number): boolean {
  const least = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const most = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  return byte >= least && byte <= most;
}
