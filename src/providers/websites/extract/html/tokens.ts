/**
 * HTML as a stream of tags and text, found by searching for the next sign that matters instead of
 * looking at each character: pages are mostly markup, styles and scripts that nobody reads.
 */
import { createElementStack, type ElementStack, type TokenReader } from './element-stack.ts';
import { elementOf, type Element } from './elements.ts';
import { referenceAt } from './entities.ts';
import { GREATER, isBlank, readTag, SLASH } from './read-tag.ts';
import { createTag, type Tag } from './tag.ts';

interface Scan {
  html: string;
  /** The next `&` at or behind the last look; the length of the page when there is none. */
  nextReference: number;
  stack: ElementStack;
  reader: TokenReader;
  tag: Tag;
}

/** Reads `html` from end to end. HTML standard, 13.2.5, as far as htmlparser2 goes. */
export function readTokens(html: string, reader: TokenReader): void {
  const stack = createElementStack(reader, createTag());
  const scan: Scan = { html, nextReference: -1, stack, reader, tag: createTag() };
  let from = 0;
  while (from < html.length) {
    const sign = html.indexOf('<', from);
    if (sign < 0) {
      writeText(scan, from, html.length);
      break;
    }
    if (sign > from) writeText(scan, from, sign);
    from = behindSign(scan, sign);
  }
  stack.finish();
}

const isLetter = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90);

/** Where to read on behind the `<` at `sign`. */
function behindSign(scan: Scan, sign: number): number {
  const { html } = scan;
  const code = html.charCodeAt(sign + 1);
  if (isLetter(code)) return behindTag(scan, sign + 1);
  if (code === SLASH) return behindEndTag(scan, sign + 2);
  if (code === 33 /* ! */) return behindDeclaration(scan, sign + 2);
  if (code === 63 /* ? */) return behindNext(html, '>', sign + 2);
  // A sign of its own, up to the next one.
  const next = html.indexOf('<', sign + 1);
  const end = next < 0 ? html.length : next;
  writeText(scan, sign, end);
  return end;
}

/** The name of a tag ends with a blank, a slash or a bracket; -1 where the page ends before. */
function nameEnd(html: string, from: number): number {
  for (let at = from; at < html.length; at += 1) {
    const code = html.charCodeAt(at);
    if (code === GREATER || code === SLASH || isBlank(code)) return at;
  }
  return -1;
}

function behindTag(scan: Scan, start: number): number {
  const { html, stack, tag } = scan;
  const end = nameEnd(html, start);
  if (end < 0) return html.length;
  const element = elementOf(html.slice(start, end));
  const isRaw = element.raw !== null && !stack.isForeign();
  stack.begin(element);
  tag.from = start - 1;
  if (!readTag(html, end, tag)) return html.length;
  stack.end(tag);
  if (!isRaw) return tag.at;
  if (element.raw !== 'plaintext') return behindRawText(scan, element, tag.at);
  if (tag.at < html.length) scan.reader.text(html.slice(tag.at));
  return html.length;
}

/** The content of a raw element, and its end tag. */
function behindRawText(scan: Scan, element: Element, start: number): number {
  const { html, reader, stack } = scan;
  const { name } = element;
  let end = html.indexOf('</', start);
  for (; end >= 0; end = html.indexOf('</', end + 2)) {
    const code = html.charCodeAt(end + 2 + name.length);
    const isEnd = code === GREATER || code === SLASH || isBlank(code);
    if (isEnd && html.slice(end + 2, end + 2 + name.length).toLowerCase() === name) break;
  }
  const stop = end < 0 ? html.length : end;
  if (stop > start) {
    if (element.raw === 'escapable') writeText(scan, start, stop);
    else reader.text(html.slice(start, stop));
  }
  if (end < 0) return html.length;
  stack.close(element);
  return behindNext(html, '>', end + 2 + name.length);
}

function behindEndTag(scan: Scan, start: number): number {
  const { html, stack, reader } = scan;
  if (start >= html.length) {
    reader.text('</');
    return start;
  }
  // `</>` is nothing, `</ p>` and `</3>` are comments.
  if (!isLetter(html.charCodeAt(start))) return behindNext(html, '>', start);
  const end = nameEnd(html, start);
  if (end < 0) return html.length;
  stack.close(elementOf(html.slice(start, end)));
  return behindNext(html, '>', end);
}

const behindNext = (html: string, sign: string, from: number): number => {
  const at = html.indexOf(sign, from);
  return at < 0 ? html.length : at + sign.length;
};

/** Comments, doctypes, and what is neither. */
function behindDeclaration(scan: Scan, start: number): number {
  const { html, stack, reader } = scan;
  if (html.startsWith('--', start)) return behindComment(html, start + 2);
  if (!html.startsWith('[CDATA[', start)) return behindNext(html, '>', start);
  const from = start + '[CDATA['.length;
  const end = html.indexOf(']]>', from);
  if (end < 0) return html.length;
  if (stack.isForeign()) reader.text(html.slice(from, end));
  return end + 3;
}

/** It ends with `-->` or `--!>`; `<!-->` and `<!--->` are comments, too. */
function behindComment(html: string, start: number): number {
  if (html[start] === '>') return start + 1;
  if (html.startsWith('->', start)) return start + 2;
  for (let at = html.indexOf('--', start); at >= 0; at = html.indexOf('--', at + 1)) {
    if (html.charCodeAt(at + 2) === GREATER) return at + 3;
    if (html.startsWith('!>', at + 2)) return at + 4;
  }
  return html.length;
}

/** Text between two tags; each reference is a piece of its own. */
function writeText(scan: Scan, start: number, end: number): void {
  const { html, reader } = scan;
  let from = start;
  if (scan.nextReference < start) scan.nextReference = nextReference(html, start);
  while (scan.nextReference < end) {
    const at = scan.nextReference;
    const { text, length } = referenceAt(html, at, false);
    if (length > 0) {
      if (at > from) reader.text(html.slice(from, at));
      reader.text(text);
      from = at + length;
    }
    scan.nextReference = nextReference(html, Math.max(from, at + 1));
  }
  if (from < end) reader.text(html.slice(from, end));
}

function nextReference(html: string, from: number): number {
  const at = html.indexOf('&', from);
  return at < 0 ? html.length : at;
}
