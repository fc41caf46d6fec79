/** Which pages of a site are for reaching the business. */
import { contactScore } from './contact-links.ts';
import { pageKey } from './page-links.ts';
import type { ContactLink, PageFindings } from '../types.ts';

const MAX_PAGES = 10;
/** Below this score the word "contact" is only somewhere in a link's text or path. */
const CERTAIN = 80;

/**
 * One key for a page, whichever of its addresses is linked: with or without extension or form fields.
 */
function shownAs(address: string): string {
  const url = new URL(address);
  // `?page=contact`, `?p=28`: here the query identifies the page.
  if (
    !/^\/(?:index\.\w+)?$/.test(url.pathname) &&
    !/[?&](?:p|page|page_id|id|site|seite|view|option)=/i.test(url.search)
  )
    url.search = '';
  return pageKey(url).replace(/\.(?:html?|php)$/, '');
}

/** Contact pages, those that were read first; an Impressum only where there is no other. */
export function contactPagesOf(pages: PageFindings[]): string[] {
  const links = new Map<string, ContactLink>();
  const home = pages.length > 0 ? shownAs(pages[0]!.url) : '';
  const linked = pages.flatMap(({ contactLinks }) => contactLinks);
  for (const link of [...linked, ...unlinked(pages)]) {
    const key = shownAs(link.url);
    if (key === home) continue;
    const before = links.get(key);
    // The shorter address is the page itself, the longer one fills in its form.
    if (!before || before.url.length > link.url.length)
      links.set(key, { ...link, score: Math.max(link.score, before?.score ?? 0) });
    else if (before.score < link.score) before.score = link.score;
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
  const read = new Set(pages.map(({ url }) => shownAs(url)));
  const rank = (link: ContactLink) => (read.has(shownAs(link.url)) ? 1_000 : 0) + link.score;
  return links.toSorted((a, b) => rank(b) - rank(a)).map(({ url }) => url);
}
