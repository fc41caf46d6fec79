/** Character references, decoded where they stand. */
import { DecodingMode, EntityDecoder, htmlDecodeTree } from 'entities/decode';

/** What the reference at an `&` means, and how many characters it takes; 0 for none. */
export interface Reference {
  text: string;
  length: number;
}

const found: Reference = { text: '', length: 0 };
const decoder = new EntityDecoder(htmlDecodeTree, (code, length) => {
  found.text += String.fromCodePoint(code);
  found.length = length;
});

/** The answer is good until the next call. HTML standard, 13.2.5.72. */
export function referenceAt(html: string, at: number, isAttribute: boolean): Reference {
  found.text = '';
  found.length = 0;
  decoder.startEntity(isAttribute ? DecodingMode.Attribute : DecodingMode.Legacy);
  // Negative: the text ends within it.
  if (decoder.write(html, at + 1) < 0) decoder.end();
  return found;
}

/** `value` of an attribute without references. */
export function decodeAttribute(value: string): string {
  let at = value.indexOf('&');
  if (at < 0) return value;
  let text = '';
  let from = 0;
  for (; at >= 0; at = value.indexOf('&', Math.max(from, at + 1))) {
    const reference = referenceAt(value, at, true);
    if (reference.length === 0) continue;
    text += value.slice(from, at) + reference.text;
    from = at + reference.length;
  }
  return text + value.slice(from);
}
