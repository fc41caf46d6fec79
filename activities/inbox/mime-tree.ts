/** The parts of a message by their byte positions: headers, boundaries, numbers. RFC 2045, RFC 2046. */
import {
  charsetOfHeaders,
  OddMessage,
  readHeaders,
  structured,
  type Header,
  type Structured,
} from './mime-headers.ts';

/** A part with content of its own; multiparts only hold others. */
export interface SourcePart {
  /** RFC 9051, 6.4.5.1: `1`, `2.1`. */
  number: string;
  type: Structured;
  disposition: Structured;
  encoding: string;
  contentId: string | undefined;
  /** Number of the nearest enclosing multipart/alternative; 0 for none. */
  alternative: number;
  /** The content as it was sent, up to the line of the next boundary. */
  body: Buffer;
}

export interface SourceTree {
  headers: Header[];
  parts: SourcePart[];
}

/** A multipart whose end has not been reached. */
interface Open {
  boundary: Buffer;
  number: string;
  children: number;
  alternative: number;
}

const LF = 0x0a;
const CR = 0x0d;
const DASH = 0x2d;
const NOTHING = Buffer.alloc(0);
const DASHES = Buffer.from('\n--');
const MAX_DEPTH = 50;

/** One pass over the bytes. Throws `OddMessage` for uncommon shapes. */
export function readTree(source: Buffer): SourceTree {
  const open: Open[] = [];
  const parts: SourcePart[] = [];
  let alternatives = 0;
  let at = 0;
  let headers: Header[] | undefined;
  let number = '';
  let known: string | undefined;
  const charset = () => (known ??= charsetOfHeaders(source));
  for (;;) {
    const head = endOfHead(source, at, open);
    const found = readHeaders(source.subarray(at, head.end), charset);
    headers ??= found;
    const part = describe(found);
    const inside = open.at(-1)?.alternative ?? 0;
    const { value, params } = part.type;
    let next: Mark | undefined;
    if (value.startsWith('multipart/')) {
      const { boundary } = params;
      if (!boundary || value === 'multipart/digest' || open.length >= MAX_DEPTH) {
        throw new OddMessage();
      }
      const alternative = value === 'multipart/alternative' ? (alternatives += 1) : inside;
      open.push({ boundary: Buffer.from(boundary), number, children: 0, alternative });
      next = head.mark ?? findMark(source, head.body, open);
    } else {
      next = head.mark ?? findMark(source, head.body, open);
      const body = head.mark ? NOTHING : source.subarray(head.body, next?.start ?? source.length);
      parts.push({ ...part, number: number === '' ? '1' : number, alternative: inside, body });
    }
    // What follows the end of a multipart is ignored.
    while (next?.isEnd) {
      open.length = next.depth;
      next = findMark(source, next.end, open);
    }
    if (!next) return { headers, parts };
    open.length = next.depth + 1;
    const parent = open[next.depth]!;
    parent.children += 1;
    number = parent.number === '' ? `${parent.children}` : `${parent.number}.${parent.children}`;
    at = next.end;
  }
}

function describe(headers: readonly Header[]) {
  const first = (name: string) => headers.find(({ key }) => key === name)?.value;
  const encoding = first('content-transfer-encoding') ?? '8bit';
  if (encoding.includes('(')) throw new OddMessage();
  return {
    type: structured(first('content-type') ?? 'text/plain'),
    disposition: structured(first('content-disposition')),
    encoding: /[\w-]+/.exec(encoding.toLowerCase())?.[0] ?? '',
    contentId: first('content-id'),
  };
}

/** A boundary line of an open multipart. */
interface Mark {
  start: number;
  /** Where the line after it begins. */
  end: number;
  depth: number;
  isEnd: boolean;
}

/** Where the headers that begin at `from` end: at an empty line, a boundary, or the end. */
export function endOfHead(source: Buffer, from: number, open: readonly Open[]) {
  for (let at = from; at < source.length;) {
    const mark = open.length > 0 ? markAt(source, at, open) : undefined;
    if (mark) return { end: at, body: at, mark };
    const line = source.indexOf(LF, at);
    let end = line === -1 ? source.length : line;
    while (end > at && source[end - 1] === CR) end -= 1;
    const next = line === -1 ? source.length : line + 1;
    if (end === at) return { end: at, body: next, mark: undefined };
    at = next;
  }
  return { end: source.length, body: source.length, mark: undefined };
}

function findMark(source: Buffer, from: number, open: readonly Open[]): Mark | undefined {
  if (open.length === 0) return undefined;
  const first = markAt(source, from, open);
  if (first) return first;
  for (let at = from; (at = source.indexOf(DASHES, at)) !== -1; at += 1) {
    const mark = markAt(source, at + 1, open);
    if (mark) return mark;
  }
  return undefined;
}

/** The innermost open multipart whose boundary is on the line that starts here. */
function markAt(source: Buffer, start: number, open: readonly Open[]): Mark | undefined {
  if (source[start] !== DASH || source[start + 1] !== DASH) return undefined;
  const line = source.indexOf(LF, start);
  let last = line === -1 ? source.length : line;
  while (last > start && source[last - 1] === CR) last -= 1;
  for (let depth = open.length - 1; depth >= 0; depth -= 1) {
    const { boundary } = open[depth]!;
    let at = start + 2 + boundary.length;
    if (at > last || boundary.compare(source, start + 2, at) !== 0) continue;
    const isEnd = at + 2 <= last && source[at] === DASH && source[at + 1] === DASH;
    if (isEnd) at += 2;
    while (at < last && (source[at] === 0x20 || source[at] === 0x09)) at += 1;
    if (at === last) return { start, end: line === -1 ? source.length : line + 1, depth, isEnd };
  }
  return undefined;
}
