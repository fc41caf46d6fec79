/** Header fields of a message or part: unfolded, and split into value and parameters. */

import { isUtf8 } from 'node:buffer';
import { decodeWords } from 'postal-mime';
import { decodedBy, encodingOf } from '../../src/domain/charsets.ts';

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

/** `windows-1252`: what mail programs take where nothing is said. */
export const WESTERN = 'windows-1252';
/** What windows-1252 has from 0x80 on, where other sets have control characters, which no header has. */
const WESTERN_MARKS = decodedBy(
  new TextDecoder(WESTERN),
  Uint8Array.from({ length: 0x20 }, (_, at) => 0x80 + at),
);

/** In one piece, as postal-mime has it decoded, Node 20 has control characters for them. */
export const withMarks = (text: string): string =>
  text.replaceAll(/[\u0080-\u009f]/g, (control) => WESTERN_MARKS[control.charCodeAt(0) - 0x80]!);

/** Encoded words (RFC 2047) as text. */
export const wordsIn = (header: string): string => withMarks(decodeWords(header));

/** Within this part of a message its parts, or the HTML, say their character set. */
const MAX_SAID_BYTES = 65_536;

/** The character sets that a message or HTML names, by their usual names. Linear. */
function* charsetsIn(bytes: Buffer): Generator<string> {
  const text = bytes.toString('latin1', 0, MAX_SAID_BYTES);
  for (const [, label] of text.matchAll(/charset\s{0,9}=\s{0,9}["']?([\w.:-]{2,40})/gi)) {
    const encoding = encodingOf(label!);
    if (encoding !== undefined) yield encoding;
  }
}

/** By its `<meta>`, which is read as ASCII, so that UTF-16 in it is never true (HTML standard, prescan). */
export function charsetOfHtml(html: Buffer): string {
  for (const charset of charsetsIn(html)) if (!charset.startsWith('utf-16')) return charset;
  return WESTERN;
}

/** Of headers that are not in UTF-8: that of the text. */
export function charsetOfHeaders(source: Buffer): string {
  for (const charset of charsetsIn(source)) if (!charset.startsWith('utf-')) return charset;
  return WESTERN;
}

/** RFC 6532: UTF-8; old programs send the letters of the text as they are. `charset` is asked for these alone. */
export function headText(head: Buffer, charset: () => string): string {
  const text = decoder.decode(head);
  if (!text.includes('\uFFFD') || isUtf8(head)) return text;
  const other = new TextDecoder(charset());
  const lines = head.toString('latin1').split('\n');
  return lines
    .map((line) => Buffer.from(line, 'latin1'))
    .map((line) => (isUtf8(line) ? line.toString() : decodedBy(other, line)))
    .join('\n');
}

/** RFC 5322, 2.2: folded lines are joined into one, white space kept. */
export function readHeaders(head: Buffer, charset: () => string): Header[] {
  if (head.length === 0) return [];
  let text = headText(head, charset).replaceAll('\r\n', '\n');
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
