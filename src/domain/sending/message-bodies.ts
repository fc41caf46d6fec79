/** The text and the HTML part of a message, each made from the other where only one is written. */
import { decodeHTMLAttribute } from 'entities';
import { compile } from 'html-to-text';
import { escapeHtml } from '../campaigns/templates.ts';
import { showsAddress } from './shown-addresses.ts';
import { withLinks } from './text-links.ts';

/** A template with a tag of HTML is HTML; `a < b` and `<ann@acme.com>` are not. */
export const isHtml = (template: string): boolean =>
  /<(?:!doctype|\/?(?:a|b|body|br|center|div|em|font|h[1-6]|head|hr|html|i|img|li|ol|p|small|span|strong|style|table|tbody|td|tr|u|ul))(?:\s[^<>]*)?\/?>/i.test(
    template,
  );

/** Each level of elements takes some of the stack; tables within tables are usual, this many are not. */
const MAX_DEPTH = 150;

/** Stands where something deeper was left out. No text has it: Postgres does not store it. */
const CUT = '\0';

/** The text of an HTML message, with the URLs of its links. What is too deep to be laid out is read line by line. */
export function textOfHtml(html: string): string {
  const text = laidOut(html);
  if (!text.includes(CUT)) return text;
  const flat = html.replaceAll(LAYOUT, '<br>').replaceAll(/<a\b/gi, '</a><a');
  return laidOut(flat).replaceAll(CUT, '').trim();
}

/** Tags beside each other, but those of links and of what is not shown. */
const LAYOUT =
  /(?:<\/?(?!(?:a|br|img|script|style|title)\b)[a-z](?:"[^"]*"|'[^']*'|[^<>"'])*>\s*)+/gi;

const laidOut: (html: string) => string = compile({
  wordwrap: false,
  limits: { maxDepth: MAX_DEPTH, ellipsis: CUT },
  selectors: [
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true } },
    { selector: 'img', format: 'skip' },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'table'].map((selector) => ({
      selector,
      options: { uppercase: false },
    })),
  ],
});

/** Paragraphs at empty lines, breaks at the others, addresses as links. */
export const htmlOfText = (text: string): string =>
  text
    .split(/\n{2,}/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => `<p>${withLinks(paragraph.trim()).replaceAll('\n', '<br>\n')}</p>`)
    .join('\n');

/**
 * Redirects web links of an HTML part through `clickUrl`, except `unsubscribeUrl` and links whose text shows
 * an address: the shown address would differ from the target, which filters treat as phishing.
 */
export function withClickLinks(
  html: string,
  { unsubscribeUrl, clickUrl }: { unsubscribeUrl: string; clickUrl: (url: string) => string },
): string {
  return html.replaceAll(
    /(<a\b[^<>]*?\shref\s*=\s*)(?:"(https?:[^"]*)"|'(https?:[^']*)')([^<>]*>)((?:(?!<\/?a\b).)*)/gis,
    (whole, ...[before, double, single, rest, shown]: (string | undefined)[]) => {
      const url = decodeHTMLAttribute(double ?? single ?? '');
      if (url === unsubscribeUrl || showsAddress(shown!)) return whole;
      return `${before}"${escapeHtml(clickUrl(url))}"${rest}${shown}`;
    },
  );
}

/** The open pixel, before the end of the body. */
export function withPixel(html: string, openUrl: string): string {
  return insertBeforeEnd(
    html,
    `<img src="${escapeHtml(openUrl)}" width="1" height="1" alt="" style="border:0">`,
  );
}

/** Puts something at the end of the body, within it where the message is a whole document. */
export function insertBeforeEnd(html: string, addition: string): string {
  const end = html.search(/<\/body\s*>|<\/html\s*>/i);
  return end < 0 ? `${html}\n${addition}` : `${html.slice(0, end)}${addition}\n${html.slice(end)}`;
}
