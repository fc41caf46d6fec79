/** Contact pages in the site's sitemap, which is read only where the home page links none. */
import { decompressPart, decompressWhole, isKnownEncoding } from './decompress.ts';
import { contactScore } from './extract/links/contact-links.ts';
import { CONTACT_PAGE_SCORE } from './extract/types.ts';
import { isTrouble } from './outcome.ts';
import type { Session } from './session.ts';
import { forbiddenUrl, siteOf, webUrl } from './site-url.ts';

/** Small sitemaps list contact pages early; large ones list products. */
const MAX_SITEMAP_BYTES = 512 * 1024;
const MAX_LOCATIONS = 5_000;
const MAX_FOUND = 3;
/** An index and one of its maps. */
const MAX_FILES = 2;

/** The URLs of a sitemap (sitemaps.org 0.9) that look like contact pages, best first. */
export async function contactPagesInSitemap(session: Session, home: URL): Promise<URL[]> {
  const rules = await session.shared.robots.rulesFor(home, session);
  if (isTrouble(rules)) return [];
  let at = webUrl(rules.sitemaps[0] ?? '/sitemap.xml', home);
  for (let file = 0; file < MAX_FILES && at; file += 1) {
    if (forbiddenUrl(at) || siteOf(at) !== siteOf(home) || !rules.isAllowed(at)) return [];
    const text = await fileText(session, at);
    const locations = locationsIn(text, at);
    if (!/<sitemapindex[\s>]/.test(text)) return bestOf(locations, siteOf(home));
    at = locations.find((url) => /page|seite|static|main/i.test(url.pathname)) ?? locations[0];
  }
  return [];
}

/** Pages that look like contact pages, best first. */
function bestOf(locations: readonly URL[], site: string): URL[] {
  return locations
    .filter((url) => siteOf(url) === site)
    .map((url) => ({ url, score: contactScore(url.href, '') }))
    .filter(({ score }) => score >= CONTACT_PAGE_SCORE)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_FOUND)
    .map(({ url }) => url);
}

/** Never throws, whatever `text` is. */
export function locationsIn(text: string, base: URL): URL[] {
  const found: URL[] = [];
  for (const [, location] of text.matchAll(/<loc>\s*([^<\s]{1,2048})\s*<\/loc>/g)) {
    const url = webUrl(location!.replaceAll('&amp;', '&'), base);
    if (url) found.push(url);
    if (found.length >= MAX_LOCATIONS) break;
  }
  return found;
}

async function fileText(session: Session, url: URL): Promise<string> {
  const holding = session.shared.memory.hold();
  try {
    const answer = await session.get(url, {
      limitBytes: MAX_SITEMAP_BYTES,
      holding,
      wants: (status) => status === 200,
      pauseAfter: () => 0,
    });
    if (isTrouble(answer) || answer.status !== 200) return '';
    const { body, headers } = answer;
    // `sitemap.xml.gz` is a compressed file, not a compressed answer.
    const isGzip = body[0] === 0x1f && body[1] === 0x8b;
    const encoding = isGzip ? 'gzip' : String(headers['content-encoding'] ?? '');
    if (!isKnownEncoding(encoding)) return '';
    const plain =
      decompressWhole(body, encoding, MAX_SITEMAP_BYTES) ??
      (await decompressPart(body, encoding, MAX_SITEMAP_BYTES));
    return plain.toString('utf8');
  } finally {
    holding.release();
  }
}
