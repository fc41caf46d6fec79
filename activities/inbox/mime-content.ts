/** Contents of parts: transfer encodings (RFC 2045, 6) and character sets. */
import { isAscii, isUtf8 } from 'node:buffer';
import { decodedBy } from '../../src/domain/charsets.ts';
import { charsetOfHtml, OddMessage, WESTERN } from './mime-headers.ts';
import type { SourcePart } from './mime-tree.ts';

const LF = 0x0a;
const CR = 0x0d;
const EQUALS = 0x3d;
const SPACE = 0x20;
const TAB = 0x09;

/** Line ends are LF, and the last line ends with one. Throws `OddMessage` for broken base64. */
export function contentOf({ encoding, body }: SourcePart): Buffer {
  if (encoding.includes('base64')) {
    checkBase64(body);
    return Buffer.from(body.toString('latin1'), 'base64');
  }
  if (encoding.includes('quoted-printable') && body.includes(EQUALS)) return unquoted(body);
  return withLineFeeds(body);
}

/** The size of the content, without making it. */
export function sizeOf(part: SourcePart): number {
  if (!part.encoding.includes('base64')) return contentOf(part).length;
  const chars = checkBase64(part.body);
  const rest = chars % 4;
  return Math.floor(chars / 4) * 3 + (rest > 1 ? rest - 1 : 0);
}

/** Throws `OddMessage` for character sets that are not supersets of ASCII, or unknown here. */
export function textOf(part: SourcePart): string {
  const content = contentOf(part);
  const text = decoded(content, charsetOf(content, part.type));
  return unflowed(text, part.type.params);
}

const CHARSET =
  /^(?:utf-?8|us-ascii|iso-8859-(?:[1-9]|1[03-5])|windows-125[0-8]|koi8-[ru]|gb2312|gbk|gb18030|big5|euc-jp|euc-kr|shift_jis|iso-2022-jp)$/;
/** RFC 2046, 4.1.2: said where none is, and by programs that send anything. */
const NONE = /^(?:(?:us-)?ascii)?$/;

/** In lower case. Where none is said: UTF-8 if it is that, or what HTML says, or what most would take. */
export function charsetOf(content: Buffer, type: SourcePart['type']): string {
  const said = (type.params['charset'] ?? '').trim().toLowerCase();
  if (!NONE.test(said)) return said;
  if (isAscii(content)) return said || 'utf-8';
  if (isMostlyUtf(content)) return 'utf-8';
  return type.value === 'text/html' ? charsetOfHtml(content) : WESTERN;
}

/** Some letters are cut, or of a footer in another set: a text in one of those has hardly any that are UTF-8 by chance. */
function isMostlyUtf(content: Buffer): boolean {
  if (isUtf8(content)) return true;
  const text = content.toString();
  const broken = text.match(/\uFFFD/g)?.length ?? 0;
  const letters = text.match(/[^\0-\x7f\uFFFD]/gu)?.length ?? 0;
  return letters > 0 && letters >= broken;
}

const decoders = new Map<string, InstanceType<typeof TextDecoder>>();

/** Throws `OddMessage` for what it does not know. */
export function decoded(content: Buffer, charset: string): string {
  if (!CHARSET.test(charset)) throw new OddMessage();
  if (charset !== 'iso-2022-jp' && isAscii(content)) return content.toString('latin1');
  const decoder = decoders.get(charset) ?? new TextDecoder(charset);
  decoders.set(charset, decoder);
  return decodedBy(decoder, content);
}

/** 1: a letter of the base64 alphabet, 2: a line end, 3: padding, 0: anything else. */
const BASE64 = new Uint8Array(256);
for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/') {
  BASE64[char.charCodeAt(0)] = 1;
}
BASE64[LF] = 2;
BASE64[CR] = 2;
BASE64[EQUALS] = 3;

/** Counts the letters of the base64 alphabet. Throws `OddMessage` for anything that is not base64. */
function checkBase64(body: Buffer): number {
  let chars = 0;
  let isPadded = false;
  for (let at = 0; at < body.length; at += 1) {
    const kind = BASE64[body[at]!];
    if (kind === 1 && !isPadded) chars += 1;
    else if (kind === 3) isPadded = true;
    else if (kind !== 2) throw new OddMessage();
  }
  return chars;
}

function withLineFeeds(body: Buffer): Buffer {
  const isWhole = body.length > 0 && body[body.length - 1] === LF;
  if (isWhole && !body.includes(CR)) return body;
  const out = Buffer.allocUnsafe(body.length + 1);
  let length = 0;
  let at = 0;
  while (at < body.length) {
    const line = body.indexOf(LF, at);
    let end = line === -1 ? body.length : line;
    const next = line === -1 ? body.length : line + 1;
    while (end > at && body[end - 1] === CR) end -= 1;
    length += body.copy(out, length, at, end);
    out[length] = LF;
    length += 1;
    at = next;
  }
  return out.subarray(0, length);
}

/** RFC 2045, 6.7 (3): blanks at the end of a line are no content; here behind soft breaks alone. */
function unquoted(body: Buffer): Buffer {
  const lines = withLineFeeds(body);
  const out = Buffer.allocUnsafe(lines.length);
  let length = 0;
  let from = 0;
  for (let at = 0; (at = lines.indexOf(EQUALS, at)) !== -1;) {
    const high = HEX[lines[at + 1]!]!;
    const low = HEX[lines[at + 2] ?? 0]!;
    let next = at + 1;
    while (lines[next] === SPACE || lines[next] === TAB) next += 1;
    const isBreak = lines[next] === LF;
    if (!isBreak && (high === NO_HEX || low === NO_HEX)) {
      at += 1;
      continue;
    }
    length += lines.copy(out, length, from, at);
    if (!isBreak) {
      out[length] = (high << 4) | low;
      length += 1;
    }
    at = isBreak ? next + 1 : at + 3;
    from = at;
  }
  length += lines.copy(out, length, from);
  return out.subarray(0, length);
}

const NO_HEX = 255;
const HEX = new Uint8Array(256).fill(NO_HEX);
for (let value = 0; value < 16; value += 1) {
  HEX[value.toString(16).charCodeAt(0)] = value;
  HEX[value.toString(16).toUpperCase().charCodeAt(0)] = value;
}

/** RFC 3676, 4.1: as the parameters of a type have it; other texts stay as they are. */
export function unflowed(text: string, { format, delsp }: SourcePart['type']['params']): string {
  if (format?.toLowerCase() !== 'flowed') return text;
  const isDelSp = delsp?.toLowerCase() === 'yes';
  const pieces: string[] = [];
  let open: number | undefined;
  for (const raw of text.split(/\r?\n/)) {
    const marks = /^>*/.exec(raw)![0];
    const line = raw.slice(marks.length).replace(/^ /, '');
    const isSignature = line === '-- ';
    // 4.5: a flowed line before one of another depth ends its paragraph.
    if (open !== marks.length || isSignature) {
      pieces.push(pieces.length === 0 ? '' : '\n', marks, marks !== '' && line !== '' ? ' ' : '');
    }
    const goesOn = line.endsWith(' ') && !isSignature;
    pieces.push(goesOn && isDelSp ? line.slice(0, -1) : line);
    open = goesOn ? marks.length : undefined;
  }
  return pieces.join('');
}
