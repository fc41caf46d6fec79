/** Decodes a text file, in whichever encoding a spreadsheet saved it. */

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
const utf16le = new TextDecoder('utf-16le');
const utf16be = new TextDecoder('utf-16be');
const windows1252 = new TextDecoder('windows-1252');

/**
 * UTF-8 and UTF-16 by their byte order marks, else UTF-8 where it is valid, else Windows-1252, in which Excel
 * saves in Western Europe. NUL is dropped: Postgres cannot store it, and no name has one.
 */
export function decodeText(bytes: Uint8Array): string {
  const text = decoded(bytes);
  return text.includes('\u0000') ? text.replaceAll('\u0000', '') : text;
}

function decoded(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return utf16le.decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return utf16be.decode(bytes);
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return windows1252.decode(bytes);
  }
}
