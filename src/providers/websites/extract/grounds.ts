/** The background colour of an element, as far as the tags around it tell. */
import { colourOf, groundsColour } from './html/hiding-styles.ts';

/** Farther out another background usually lies in between. */
const MAX_AROUND = 12;
const MAX_TAG = 2_000;

/** The tag that begins at `from`, as it is written; '' where there is none. */
export function tagAt(html: string, from: number): string {
  if (from < 0) return '';
  const tag = html.slice(from, from + MAX_TAG);
  return /^<(?:[^"'>]|"[^"]*"|'[^']*')*/.exec(tag)?.[0] ?? '';
}

/** The nearest background colour; null where a class, an id or a picture may paint another one. */
export function groundOf(html: string, within: readonly number[]): string | null {
  for (const from of within.slice(-MAX_AROUND).toReversed()) {
    const tag = tagAt(html, from);
    const style = /\sstyle\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(tag);
    const painted = groundsColour(style?.[1] ?? style?.[2] ?? '');
    if (painted !== undefined) return painted;
    const colour = /\sbgcolor\s*=\s*["']?([^"'\s>]+)/i.exec(tag)?.[1];
    if (colour) return colourOf(colour.toLowerCase());
    if (/\s(?:class|id|background)\s*=/i.test(tag)) return null;
  }
  return null;
}
