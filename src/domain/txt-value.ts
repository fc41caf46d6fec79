/** Texts of TXT records as zone files write them. */

/** `"quoted pieces"` and nothing else, with escapes (RFC 1035, 5.1). */
const PIECES = /^\s*(?:"(?:[^"\\]|\\.)*"\s*)+$/s;
const PIECE = /"((?:[^"\\]|\\.)*)"/gs;

/**
 * The one text that quoted pieces make, joined without spaces (RFC 1035, 3.3; RFC 7208, 3.3); any
 * other text as it is.
 */
export function joinedText(value: string): string {
  if (!PIECES.test(value)) return value;
  const pieces = [...value.matchAll(PIECE)].map(([, piece = '']) => piece);
  return pieces.join('').replaceAll(/\\(.)/gs, '$1');
}
