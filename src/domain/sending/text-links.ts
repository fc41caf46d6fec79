/** Web addresses in the text of a message become links of its HTML part. */
import { escapeHtml } from '../campaigns/templates.ts';

/**
 * From the scheme up to a blank or to a mark that stands around addresses and in none: quotation marks, brackets and
 * stops of other scripts, which are written without blanks, and marks of the text direction.
 */
const ADDRESS =
  /https?:\/\/[^\s<>"'\u200b\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069«»‹›“”„‟‘’‚‛—―…。｡、､，；：！？（）［］｛｝「」『』｢｣【】〔〕《》〈〉،؛؟۔।॥]+/g;

/** What belongs to the sentence at the end of an address. */
const STOPS = new Set('.,;:!?');

/** Scripts that are written without blanks between words, or with endings at a foreign word. */
const UNSPACED =
  '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}';
/** A host whose last label goes on in such a script: no domain ends in letters of two scripts. */
const HOST_WITH_WORDS = new RegExp(
  `^(https?://[^/?#]*\\.[a-z]{2,})[${UNSPACED}][^./?#:]*(?=[/?#]|$)`,
  'iu',
);

/** Text to HTML, escaped, with its web addresses as links. */
export function withLinks(text: string): string {
  let html = '';
  let written = 0;
  for (const { 0: run, index } of text.matchAll(ADDRESS)) {
    const address = addressIn(run);
    if (!/^https?:\/\/[^.]/i.test(address)) continue;
    const shown = escapeHtml(address);
    html += `${escapeHtml(text.slice(written, index))}<a href="${shown}">${shown}</a>`;
    written = index + address.length;
  }
  return html + escapeHtml(text.slice(written));
}

/** Without the stops of the sentence, and without closing brackets that were opened before the address. */
function addressIn(run: string): string {
  const address = HOST_WITH_WORDS.exec(run)?.[1] ?? run;
  const surplus = new Map<string, number>(
    BRACKETS.map(([open, close]) => [close, surplusOf(address, open, close)]),
  );
  let end = address.length;
  for (; end > 0; end -= 1) {
    const last = address[end - 1]!;
    if (STOPS.has(last)) continue;
    const more = surplus.get(last) ?? 0;
    if (more <= 0) break;
    surplus.set(last, more - 1);
  }
  return address.slice(0, end);
}

const BRACKETS = [
  ['(', ')'],
  ['[', ']'],
] as const;

/** How many closing brackets have no opening one. */
function surplusOf(address: string, open: string, close: string): number {
  return address.split(close).length - address.split(open).length;
}
