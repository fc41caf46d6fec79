/** Links of a page with their texts. */
import { MAX_LINKS } from '../html/page-source.ts';
import type { Reading } from '../html/reading.ts';
import { ATTRIBUTE, type Tag } from '../html/tag.ts';
import { plainText } from '../html/text.ts';

export function openLink(reading: Reading, tag: Tag): void {
  closeLink(reading);
  const { values } = tag;
  if (isTrapLink(reading.html, tag)) return;
  const extra = [ATTRIBUTE.title, ATTRIBUTE['aria-label'], ATTRIBUTE.alt];
  reading.link = {
    href: values[ATTRIBUTE.href] ?? values[ATTRIBUTE['xlink:href']] ?? '',
    start: reading.page.length(),
    text: '',
    extra: extra.flatMap((at) => values[at] || []).join(' '),
  };
}

/** Nothing but blanks and comments up to the end of the link. */
const EMPTY = /(?:\s|<!--[^>]{0,300}-->)*<\/a/iy;
/** Attributes that may make an empty link visible or audible. */
const PAINTED = /\s(?:class|id|style|title|aria-label|data-[\w-]+|on\w+)\s*=/i;

/**
 * A mail or telephone link that no visitor can reach, but robots follow: neither by keyboard nor with a
 * screen reader, or with nothing on it to click and nothing that paints it.
 */
function isTrapLink(html: string, { values, from, at }: Tag): boolean {
  if (!/^\s*(?:mail|tel)/i.test(values[ATTRIBUTE.href] ?? '')) return false;
  const written = html.slice(from, at);
  if (/\saria-hidden\s*=\s*["']?true/i.test(written) && /\stabindex\s*=\s*["']?-1/i.test(written))
    return true;
  EMPTY.lastIndex = at;
  if (!EMPTY.test(html) || PAINTED.test(written)) return false;
  // The element around it may paint it.
  const around = html.slice(html.lastIndexOf('<', from - 1), from);
  return !/^<[a-z][^>]*\s(?:class|id|style)\s*=/i.test(around);
}

export function closeLink(reading: Reading): void {
  const { link } = reading;
  if (!link) return;
  reading.link = null;
  const text = plainText(`${link.text} ${link.extra}`).replaceAll(/\s+/g, ' ').trim();
  addLink(reading, { href: link.href, text, start: link.start });
}

/** Images and drawings on a link describe it. */
export function addToLink({ link }: Reading, words: string | undefined): void {
  if (link && words && link.extra.length < 1_000) link.extra += ` ${words.slice(0, 100)}`;
}

export function addLink(
  { source, page }: Reading,
  { href, text, start }: { href: string; text: string; start?: number },
): void {
  if (!href || href.length > 4_000 || source.links.length >= MAX_LINKS) return;
  const end = page.length();
  source.links.push({ href, text, start: start ?? end, end });
}
