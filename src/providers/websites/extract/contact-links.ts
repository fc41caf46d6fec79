/** Links of a page that may lead to contact data, scored; frames and redirects of the same site. */
import { FILES, isSameSite, pageKey, resolve } from './page-links.ts';
import { meaningOf, pathWords, type Meaning } from './page-kind.ts';
import type { PageSource } from './page-source.ts';
import type { ContactLink, ContactScore } from './types.ts';

const MAX_LINKS = 60;

const SCORES: Record<Meaning['kind'], number> = {
  contact: 100,
  legal: 60,
  near: 45,
  about: 35,
  privacy: 10,
};

/** Best first, each page once, never the page itself. */
export function contactLinksOf({ links }: PageSource, page: URL, base: URL): ContactLink[] {
  const own = pageKey(page);
  const found = new Map<string, ContactLink>();
  for (const { href, text } of links) {
    const url = resolve(href, base);
    if (!url || FILES.test(url.pathname) || !isSameSite(url.hostname, page.hostname)) continue;
    const key = pageKey(url);
    if (key === own) continue;
    // A section of another page: its text says nothing of that page.
    const isSection = /#[^!/]/.test(href);
    const link = score(url, text, isSection);
    if (!link) continue;
    const before = found.get(key);
    if (!before || before.score < link.score) found.set(key, link);
  }
  return [...found.values()].toSorted((a, b) => b.score - a.score).slice(0, MAX_LINKS);
}

/**
 * How much an address looks like a contact page by its path and the text of a link to it ('' in a
 * sitemap): the scale of `ContactLink`, 0 for not at all.
 */
export const contactScore: ContactScore = (url, text) => {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  return (parsed && !FILES.test(parsed.pathname) && score(parsed, text)?.score) || 0;
};

/** By what is written on the link and by the last segment of its path; both together are best. */
function score(url: URL, text: string, isSection = false): ContactLink | null {
  const segments = pathWords(url.pathname);
  const last = segments.findLast((segment) => !/^(?:index|default)$/i.test(segment));
  const byText = text ? meaningOf(text) : null;
  const byPath = last ? meaningOf(last) : null;
  // `/contact/thanks`, `/kontakt/formular`: near it, but not it.
  const byParent = segments.length > 1 ? meaningOf(segments.at(-2)!) : null;
  const points = (meaning: Meaning | null) =>
    meaning ? SCORES[meaning.kind] * meaning.strength : 0;
  const candidates = [
    {
      meaning: byText,
      points: points(byText) * (byPath?.kind === byText?.kind ? 1 : isSection ? 0.5 : 0.95),
    },
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
