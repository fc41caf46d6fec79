/** Texts of TXT records as zone files write them. */

/** `"quoted pieces"` and nothing else, with escapes (RFC 1035, 5.1). */
const PIECES = /^\s*(?:"(?:[^"\\]|\\.)*"\s*)+$/s;
const PIECE = /"((?:[^"\\]|\\.)*)"/gs;

/**
 * The text of quoted pieces, joined without spaces (RFC 1035, 3.3; RFC 7208, 3.3); any other text unchanged.
 */
export function joinedText(value: string): string {
  if (!PIECES.test(value)) return value;
  const pieces = [...value.matchAll(PIECE)].map(([, piece = '']) => piece);
  return pieces.join('').replaceAll(/\\(.)/gs, '$1');
}

/** The longest string inside one TXT record, in bytes (RFC 1035, 3.3). */
export const TXT_PIECE_BYTES = 255;

/** Bytes of one character in UTF-8, by its code point. */
function utf8Length(character: string): number {
  const point = character.codePointAt(0)!;
  return point < 0x80 ? 1 : point < 0x8_00 ? 2 : point < 0x1_00_00 ? 3 : 4;
}

/** Splits into pieces of at most 255 bytes of UTF-8, never within a character. */
export function txtPieces(value: string): string[] {
  const pieces: string[] = [];
  let [piece, size] = ['', 0];
  for (const character of value) {
    const bytes = utf8Length(character);
    if (size + bytes > TXT_PIECE_BYTES) {
      pieces.push(piece);
      [piece, size] = ['', 0];
    }
    piece += character;
    size += bytes;
  }
  return [...pieces, piece];
}
