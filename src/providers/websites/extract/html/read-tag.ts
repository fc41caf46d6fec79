/** Reads the inside of a tag, from behind its name to its end. */
import { clearTag, completeParts, keepAttribute, mayBeRead, type Tag } from './tag.ts';

export const isBlank = (code: number): boolean =>
  code === 32 || code === 10 || code === 9 || code === 13 || code === 12;
export const SLASH = 47;
export const GREATER = 62;
const EQUALS = 61;

/** Reads on from behind the tag's name into `tag`; false where the page ends within the tag. */
export function readTag(html: string, from: number, tag: Tag): boolean {
  clearTag(tag);
  const { length } = html;
  let at = from;
  for (;;) {
    while (at < length && isBlank(html.charCodeAt(at))) at += 1;
    if (at >= length) return false;
    const code = html.charCodeAt(at);
    if (code === GREATER) {
      tag.at = at + 1;
      completeParts(tag, html);
      return true;
    }
    if (code === SLASH) {
      at += 1;
      while (at < length && isBlank(html.charCodeAt(at))) at += 1;
      tag.isSelfClosing = html.charCodeAt(at) === GREATER;
      continue;
    }
    at = readAttribute(html, at, tag);
    if (at < 0) return false;
  }
}

/** Behind the attribute that begins at `start`; -1 where the page ends within it. */
function readAttribute(html: string, start: number, tag: Tag): number {
  const { length } = html;
  // Its first character belongs to the name, whatever it is.
  let nameEnd = start + 1;
  for (; nameEnd < length; nameEnd += 1) {
    const code = html.charCodeAt(nameEnd);
    if (code === EQUALS || code === GREATER || code === SLASH || isBlank(code)) break;
  }
  let at = nameEnd;
  while (at < length && isBlank(html.charCodeAt(at))) at += 1;
  if (at >= length) return -1;
  const isRead = mayBeRead(html.charCodeAt(start), nameEnd - start);
  if (html.charCodeAt(at) !== EQUALS) {
    if (isRead) keepAttribute(tag, html, { start, nameEnd, from: at, to: at });
    return at;
  }
  at += 1;
  while (at < length && isBlank(html.charCodeAt(at))) at += 1;
  const end = valueEnd(html, at);
  if (end < 0) return -1;
  const isQuoted = isQuote(html.charCodeAt(at));
  const from = isQuoted ? at + 1 : at;
  if (isRead) keepAttribute(tag, html, { start, nameEnd, from, to: end });
  return isQuoted ? end + 1 : end;
}

const isQuote = (code: number): boolean => code === 34 || code === 39;

/** Where the value that begins at `at`, with its quote, ends: at a quote, a blank or a bracket. */
function valueEnd(html: string, at: number): number {
  const code = html.charCodeAt(at);
  if (isQuote(code)) return html.indexOf(code === 34 ? '"' : "'", at + 1);
  for (let end = at; end < html.length; end += 1) {
    const next = html.charCodeAt(end);
    if (next === GREATER || isBlank(next)) return end;
  }
  return -1;
}
