/** Links of a page that may lead to contact data, scored; frames and redirects of the same site. */
import type { OwnLink } from './own-links.ts';
import { FILES } from './page-links.ts';
import { meaningOf, pathWords, type Meaning } from '../page-kind.ts';
import type { ContactLink, ContactScore } from '../types.ts';
import { parseUrl } from '../../../../domain/url.ts';

const MAX_LINKS = 60;

const SCORES: Record<Meaning['kind'], number> = {
  contact: 100,
  legal: 60,
  near: 45,
  about: 35,
  privacy: 10,
};

/** Best first, each page once, never the page itself. */
export function contactLinksOf(links: readonly OwnLink[]): ContactLink[] {
  const found = new Map<string, ContactLink>();
  for (const link of links) {
    const scored = score(link);
    if (!scored) continue;
    const before = found.get(link.key);
    if (!before || before.score < scored.score) found.set(link.key, scored);
  }
  return [...found.values()].toSorted((a, b) => b.score - a.score).slice(0, MAX_LINKS);
}

/**
 * How much an address looks like a contact page by its path and the text of a link to it ('' in a
 * sitemap): the scale of `ContactLink`, 0 for not at all.
 */
export const contactScore: ContactScore = (url, text) => {
  const parsed = parseUrl(url);
  if (!parsed || FILES.test(parsed.pathname)) return 0;
  const segments = pathWords(parsed.pathname);
  return score({ url: parsed.href, segments, text, isSection: false })?.score ?? 0;
};

/** By the link's text and the last segment of its path; both together score best. */
function score(link: Omit<OwnLink, 'key'>): ContactLink | null {
  const { url, text, segments, isSection } = link;
  const last = segments.findLast((segment) => !/^(?:index|default)$/i.test(segment));
  const byText = text ? meaningOf(text) : null;
  const byPath = last ? meaningOf(last) : null;
  // `/contact/thanks`, `/kontakt/formular`: below a contact page, but not one.
  const parent = segments.length > 1 ? meaningOf(segments.at(-2)!) : null;
  const byParent = parent?.kind === 'contact' ? parent : null;
  if (!byText && !byPath && !byParent) return null;
  const points = (meaning: Meaning | null) =>
    meaning ? SCORES[meaning.kind] * meaning.strength : 0;
  const isAgreed = byPath?.kind === byText?.kind;
  const candidates = [
    { meaning: byText, points: points(byText) * (isAgreed ? 1 : isSection ? 0.5 : 0.95) },
    { meaning: byPath, points: points(byPath) * (isAgreed ? 1 : 0.9) },
    { meaning: byParent, points: points(byParent) * 0.4 },
  ].filter(({ meaning }) => meaning !== null);
  const best = candidates.toSorted((a, b) => b.points - a.points)[0]!;
  const { kind } = best.meaning!;
  const depth = Math.max(0, segments.length - 3);
  return {
    url,
    score: Math.round(Math.max(1, best.points - depth)),
    kind: kind === 'near' ? 'about' : kind,
  };
}
