/** Which pages of a site are for reaching the business. */
import { contactScore } from './contact-links.ts';
import { pageKey } from './page-links.ts';
import type { ContactLink, PageFindings } from './types.ts';

const MAX_PAGES = 10;
/** Below, the word "contact" only stands somewhere in a link's text or path. */
const CERTAIN = 80;

/** Contact pages, those that were read first; an Impressum only where there is no other. */
export function contactPagesOf(pages: PageFindings[]): string[] {
  const links = new Map<string, ContactLink>();
  const home = pages.length > 0 ? pageKey(new URL(pages[0]!.url)) : '';
  const linked = pages.flatMap(({ contactLinks }) => contactLinks);
  for (const link of [...linked, ...unlinked(pages)]) {
    const key = pageKey(new URL(link.url));
    if (key === home) continue;
    const before = links.get(key);
    if (!before || before.score < link.score) links.set(key, link);
  }
  for (const kind of ['contact', 'legal'] as const) {
    const least = kind === 'contact' ? CERTAIN : 1;
    const chosen = [...links.values()].filter((link) => link.kind === kind && link.score >= least);
    if (chosen.length > 0) return readFirst(chosen, pages).slice(0, MAX_PAGES);
  }
  return [];
}

/** Pages that were found by other ways than links and call themselves contact pages. */
const unlinked = (pages: PageFindings[]): ContactLink[] =>
  pages.slice(1).flatMap(({ url, kind }) => {
    const score = contactScore(url, '');
    return (kind === 'contact' || kind === 'legal') && score > 0 ? [{ url, kind, score }] : [];
  });

function readFirst(links: ContactLink[], pages: PageFindings[]): string[] {
  const read = new Set(pages.map(({ url }) => pageKey(new URL(url))));
  const rank = (link: ContactLink) =>
    (read.has(pageKey(new URL(link.url))) ? 1_000 : 0) + link.score;
  return links.toSorted((a, b) => rank(b) - rank(a)).map(({ url }) => url);
}
