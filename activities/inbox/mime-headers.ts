/** Header fields of a message or part: unfolded, and split into value and parameters. */

/** A message whose shape is left to a full parser. */
export class OddMessage extends Error {}

export interface Header {
  /** Lower case. */
  key: string;
  value: string;
}

/** RFC 2045, 5.1: `text/plain; charset=utf-8`. Value and names of parameters in lower case. */
export interface Structured {
  value: string;
  params: Readonly<Record<string, string | undefined>>;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** RFC 5322, 2.2: folded lines are joined into one, white space kept. */
export function readHeaders(head: Buffer): Header[] {
  if (head.length === 0) return [];
  let text = decoder.decode(head).replaceAll('\r\n', '\n');
  if (text.includes('\r')) text = text.replaceAll(/\r+(?=\n|$)/g, '');
  if (text.endsWith('\n')) text = text.slice(0, -1);
  return text
    .replaceAll(/\n(?=[ \t])/g, '')
    .split('\n')
    .map((line) => {
      const colon = line.indexOf(':');
      if (colon === -1) return { key: trim(line).toLowerCase(), value: '' };
      const value = line.slice(colon + 1).replaceAll(/\r+/g, ' ');
      return { key: trim(line.slice(0, colon)).toLowerCase(), value: trim(value) };
    });
}

/** Spaces and tabs only: other white space is part of the content. */
function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charCodeAt(start))) start += 1;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

const isSpace = (code: number) => code === 0x20 || code === 0x09;

const VALUE = /^[^\s;"()\\=,]+/;
const PARAMETER = /[ \t]*;[ \t]*(?:([^\s;"()\\=*]+)[ \t]*=[ \t]*(?:"([^"\\]*)"|([^\s;"()\\]+)))?/y;
const END = /[ \t]*$/y;

/** Throws `OddMessage` for comments, escapes, and parameters that are continued or encoded (RFC 2231). */
export function structured(header: string | undefined): Structured {
  if (header === undefined) return NONE;
  const known = seen.get(header);
  if (known) return known;
  const value = VALUE.exec(header)?.[0];
  if (value === undefined) throw new OddMessage();
  const params: Record<string, string> = {};
  let at = value.length;
  for (;;) {
    END.lastIndex = at;
    if (END.test(header)) break;
    PARAMETER.lastIndex = at;
    const found = PARAMETER.exec(header);
    if (!found) throw new OddMessage();
    at = PARAMETER.lastIndex;
    const [, name, quoted, token] = found;
    if (name !== undefined) params[name.toLowerCase()] ??= (quoted ?? token)!;
  }
  const result = { value: value.toLowerCase(), params };
  if (header.length <= 60 && seen.size < MAX_SEEN) seen.set(header, result);
  return result;
}

const NONE: Structured = { value: '', params: {} };

/** A cache: the usual values are the same in all messages. */
const seen = new Map<string, Structured>();
const MAX_SEEN = 500;
