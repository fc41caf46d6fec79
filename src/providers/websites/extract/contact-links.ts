/** Links of a page that may lead to contact data, scored; frames and redirects of the same site. */
import { registrableDomain } from './address.ts';
import { meaningOf, pathWords, type Meaning } from './page-kind.ts';
import type { PageSource } from './read-page.ts';
import type { ContactLink } from './types.ts';

const MAX_LINKS = 60;

const SCORES: Record<Meaning['kind'], number> = {
  contact: 100,
  legal: 60,
  near: 45,
  about: 35,
  privacy: 10,
};

const FILES =
  /\.(?:pdf|jpe?g|png|gif|svg|webp|zip|docx?|xlsx?|pptx?|mp[34]|avi|mov|css|js|json|xml|ics|vcf|rss|txt|apk|exe)$/i;

/** What links, frames and redirects are resolved against. */
export function baseOf(url: string, base: string | null): URL | null {
  try {
    const page = new URL(url);
    if (!base) return page;
    const resolved = new URL(base, page);
    return /^https?:$/.test(resolved.protocol) ? resolved : page;
  } catch {
    return null;
  }
}

/** An absolute http address without fragment; null for anything else. */
export function resolve(href: string, base: URL): URL | null {
  const text = href.trim();
  if (text === '' || text.startsWith('#') || text.length > 2_000) return null;
  try {
    const url = new URL(text, base);
    if (!/^https?:$/.test(url.protocol)) return null;
    url.hash = '';
    return url;
  } catch {
    return null;
  }
}

/** Hosts of one business: `www.acme.de`, `shop.acme.de`; two users of github.io are two sites. */
export function isSameSite(a: string, b: string): boolean {
  if (a === b) return true;
  const site = registrableDomain(a);
  return site !== null && site === registrableDomain(b);
}

/** The same page under any of its names: for comparing, not for asking. */
export const pageKey = (url: URL): string =>
  `${url.hostname.replace(/^www\./, '')}${url.pathname.replace(/(?:index|default)\.\w{3,5}$/i, '').replace(/\/$/, '')}${url.search}`;

/** Best first, each page once, never the page itself. */
export function contactLinksOf({ links }: PageSource, page: URL, base: URL): ContactLink[] {
  const own = pageKey(page);
  const found = new Map<string, ContactLink>();
  for (const { href, text } of links) {
    const url = resolve(href, base);
    if (!url || FILES.test(url.pathname) || !isSameSite(url.hostname, page.hostname)) continue;
    const key = pageKey(url);
    if (key === own) continue;
    const link = score(url, text);
    if (!link) continue;
    const before = found.get(key);
    if (!before || before.score < link.score) found.set(key, link);
  }
  return [...found.values()].toSorted((a, b) => b.score - a.score).slice(0, MAX_LINKS);
}

/** By what is written on the link and by the last segment of its path; both together are best. */
function score(url: URL, text: string): ContactLink | null {
  const segments = pathWords(url.pathname);
  const last = segments.findLast((segment) => !/^(?:index|default)$/i.test(segment));
  const byText = text ? meaningOf(text) : null;
  const byPath = last ? meaningOf(last) : null;
  // `/contact/thanks`, `/kontakt/formular`: near it, but not it.
  const byParent = segments.length > 1 ? meaningOf(segments.at(-2)!) : null;
  const points = (meaning: Meaning | null) => (meaning ? SCORES[meaning.kind] * meaning.strength : 0);
  const candidates = [
    { meaning: byText, points: points(byText) * (byPath?.kind === byText?.kind ? 1 : 0.95) },
    { meaning: byPath, points: points(byPath) * (byPath?.kind === byText?.kind ? 1 : 0.9) },
    { meaning: byParent?.kind === 'contact' ? byParent : null, points: points(byParent) * 0.4 },
  ].filter(({ meaning }) => meaning !== null);
  const best = candidates.toSorted((a, b) => b.points - a.points)[0];
  if (!best) return null;
  const { kind } = best.meaning!;
  const depth = Math.max(0, segments.length - 3);
  return {
    url: url.href,
    score: Math.round(Math.max(1, best.points - depth)),
    kind: kind === 'near' ? 'about' : kind,
  };
}
