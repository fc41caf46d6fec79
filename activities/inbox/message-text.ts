/**
 * The text and the HTML of a message, assembled from its parts; each is derived from the other if
 * missing.
 */
import { decodeHTML } from 'entities';
import { shortened, storable } from '../../src/domain/storable-text.ts';
import { escapeHtml } from '../../src/domain/campaigns/templates.ts';
import { sanitizeForDisplay } from '../../src/domain/inbox/inbox-html.ts';
import type { MimePart } from './mime-message.ts';

const MAX_TEXT_CHARS = 200_000;
const MAX_HTML_CHARS = 500_000;
/** A message with more texts than this was not written by a person. */
const MAX_TEXTS = 100;

export interface MessageTexts {
  text: string;
  /** Sanitised; null where no part is HTML, or nothing is left of it. */
  html: string | null;
}

/** One text of the message, as plain text, HTML or both. RFC 2046, 5.1.4. */
interface Writing {
  plain: string[];
  html: string[];
}

export function textsOf(parts: readonly MimePart[]): MessageTexts {
  const writings = writingsOf(parts);
  const text = writings.map(({ plain, html }) =>
    plain.length > 0 || html.length === 0 ? plain.join('\n') : html.map(plainOf).join('\n'),
  );
  const hasHtml = writings.some(({ html }) => html.length > 0);
  const html =
    hasHtml &&
    writings.flatMap((each) =>
      each.html.map(sanitizeForDisplay).concat(each.html.length > 0 ? [] : each.plain.map(htmlOf)),
    );
  return {
    text: shortened(storable(text.join('\n')), MAX_TEXT_CHARS),
    html: (html && html.filter((each) => each !== '').join('\n')) || null,
  };
}

function writingsOf(parts: readonly MimePart[]): Writing[] {
  const writings: Writing[] = [];
  const alternatives = new Map<number, Writing>();
  let texts = 0;
  for (const part of parts) {
    const isHtml = part.type === 'text/html';
    if (part.disposition === 'attachment' || (!isHtml && part.type !== 'text/plain')) continue;
    if ((texts += 1) > MAX_TEXTS) break;
    let writing = alternatives.get(part.alternative);
    if (!writing) {
      writing = { plain: [], html: [] };
      writings.push(writing);
      if (part.alternative !== 0) alternatives.set(part.alternative, writing);
    }
    writing[isHtml ? 'html' : 'plain'].push(part.text());
  }
  return writings;
}

const htmlOf = (text: string): string => {
  const kept = storable(shortened(text, MAX_TEXT_CHARS)).trim();
  return kept === '' ? '' : `<div>${escapeHtml(kept).replaceAll(/\r?\n/g, '<br />\n')}</div>`;
};

/** Roughly what a browser would show: a line for each block. Linear in its length. */
export function plainOf(html: string): string {
  const lines = html
    .slice(0, MAX_HTML_CHARS)
    .replaceAll(UNSEEN, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?<(\/?)([a-z][a-z0-9]*)\b[^<>]*> ?/gi, (tag, end: string, name: string) => {
      const kind = name.toLowerCase();
      if (kind === 'br') return '\n';
      if (PARAGRAPHS.has(kind)) return '\n\n';
      if (LINES.has(kind)) return '\n';
      if (CELLS.has(kind)) return end === '' ? ' ' : '';
      return `${tag.startsWith(' ') ? ' ' : ''}${tag.endsWith(' ') ? ' ' : ''}`;
    })
    .replaceAll(/<[!?/][^<>]*>/g, '')
    .replaceAll(/[^\S\n]*\n[^\S\n]*/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .replaceAll(/ {2,}/g, ' ')
    .trim();
  return lines === '' ? '' : `${lines.includes('&') ? decodeHTML(lines) : lines}\n`;
}

/** Elements that are not shown. Unclosed, they hide the rest, as in a browser. */
const UNSEEN = /<!--[\s\S]*?(?:-->|$)|<(script|style|title)\b[^<>]*>[\s\S]*?(?:<\/\1\s*>|$)/gi;
const PARAGRAPHS = new Set([
  'p',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'ul',
  'ol',
  'table',
  'blockquote',
  'hr',
  'pre',
]);
const LINES = new Set([
  'div',
  'tr',
  'li',
  'dt',
  'dd',
  'section',
  'article',
  'header',
  'footer',
  'center',
]);
const CELLS = new Set(['td', 'th']);
