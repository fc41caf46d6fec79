/** The links of a page that lead to other pages of its site, each resolved once. */
import { FILES, isSameSite, pageKey, resolve } from './page-links.ts';
import { registrableDomain } from '../address.ts';
import { pathWords } from '../page-kind.ts';
import type { PageSource } from '../html/page-source.ts';

export interface OwnLink {
  /** Absolute, without fragment. */
  url: string;
  /** Equal for addresses of one page. */
  key: string;
  /** Its path as words. */
  segments: string[];
  /** The link's text. */
  text: string;
  /** Leads to a section of the page: its text says nothing of the page as a whole. */
  isSection: boolean;
}

/** In the order of the page, never to the page itself. */
export function ownLinksOf({ links }: PageSource, page: URL, base: URL): OwnLink[] {
  const own = pageKey(page);
  const isForeign = foreignTo(page);
  const pathOf = simplePaths(base);
  const isSameHost = base.hostname === page.hostname;
  const found: OwnLink[] = [];
  for (const { href, text } of links) {
    if (isForeign(href)) continue;
    const path = isSameHost ? pathOf(href) : null;
    const url = path === null ? resolve(href, base) : null;
    if (path === null && !url) continue;
    const pathname = path ?? url!.pathname;
    if (FILES.test(pathname)) continue;
    if (url && !isSameSite(url.hostname, page.hostname)) continue;
    const key = pageKey(url ?? { hostname: base.hostname, pathname, search: '' });
    if (key === own) continue;
    const address = url ? url.href : base.origin + pathname;
    const isSection = /#[^!/]/.test(href);
    found.push({ url: address, key, segments: pathWords(pathname), text, isSection });
  }
  return found;
}

/** Whether a link is certainly no page of this site, without parsing its address. */
function foreignTo(page: URL): (href: string) => boolean {
  const site = registrableDomain(page.hostname) ?? page.hostname;
  return (href) => {
    const host = /^https?:\/\/([a-z0-9.-]+)(?:[/?#]|$)/i.exec(href)?.[1];
    if (host !== undefined) return !host.toLowerCase().endsWith(site);
    return /^\s*(?:#|mailto:|tel:|javascript:)/i.test(href);
  };
}

/** A path that needs no resolving: no escapes, no dots between slashes, no query. */
const SIMPLE_PATH = /^\/(?:[\w~-]+(?:\.[\w-]+)*(?:\/|$))*$/;

/** Reads the paths of plain links without the cost of a URL; null for all others. */
function simplePaths(base: URL): (href: string) => string | null {
  const folder = base.pathname.slice(0, base.pathname.lastIndexOf('/') + 1);
  const isPlainFolder = SIMPLE_PATH.test(folder);
  const { origin } = base;
  return (href) => {
    const mark = href.indexOf('#');
    // A link within the page itself keeps the page's query.
    if (mark === 0 || href === '') return null;
    const text = mark < 0 ? href : href.slice(0, mark);
    const isAbsolute = text.startsWith(origin) && text[origin.length] === '/';
    const given = isAbsolute ? text.slice(origin.length) : text;
    if (given.startsWith('/')) return SIMPLE_PATH.test(given) ? given : null;
    const path = folder + given;
    return isPlainFolder && SIMPLE_PATH.test(path) ? path : null;
  };
}
