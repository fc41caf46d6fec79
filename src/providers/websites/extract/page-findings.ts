/** From a page's HTML to its findings. */
import { contactLinksOf } from './links/contact-links.ts';
import { emailsOfPage } from './emails/page-emails.ts';
import { ownLinksOf } from './links/own-links.ts';
import { baseOf, isSameSite, resolve } from './links/page-links.ts';
import { phonesOfPage } from './phones/page-phones.ts';
import { profilesOfPage } from './links/page-profiles.ts';
import { scanPage } from './html/page-scan.ts';
import type { PageSource } from './html/page-source.ts';
import { readPage } from './read-page.ts';
import { otherLinksOf } from './links/splash-links.ts';
import type { PageFindings, PageInput } from './types.ts';

/** Larger pages are not those of a small business, and cost more than they yield. */
const MAX_HTML = 5_000_000;

/** Throws only for an invalid `url`; the findings share memory with `html`. */
export function findingsOf({ html, url, countryCode }: PageInput): PageFindings {
  const page = new URL(url);
  const source = readPage(html.length > MAX_HTML ? html.slice(0, MAX_HTML) : html);
  const base = baseOf(url, source.base) ?? page;
  const scan = scanPage(source, page, countryCode);
  const frames = source.frames.flatMap((src) => resolve(src, base) ?? []);
  const own = frames.filter(
    (frame) => isSameSite(frame.hostname, page.hostname) && frame.href !== url,
  );
  const target = source.refresh ?? (isEmpty(source) ? source.scriptTarget : null);
  const refresh = target ? resolve(target, base) : null;
  const links = ownLinksOf(source, page, base);
  return {
    url,
    kind: scan.kind,
    language: source.language,
    emails: emailsOfPage(scan),
    phones: phonesOfPage(scan),
    profiles: profilesOfPage(scan),
    contactLinks: contactLinksOf(links),
    otherLinks: otherLinksOf(links),
    refresh: refresh && refresh.href !== url ? refresh.href : null,
    frames: likeliestFirst([...new Set(own.map(({ href }) => href))]),
  };
}

/** Decorative frames are no pages; those that redirect or hold the text come first. */
function likeliestFirst(frames: string[]): string[] {
  const rank = (href: string): number => {
    const file = href.slice(href.lastIndexOf('/') + 1);
    if (/border|rand|leer|blank|empty|spacer|dummy|^bg|^back(?:ground)?[._-]/i.test(file)) return 2;
    return /nav|menu|links|inhalt|content|main|haupt|body|index|home|start|text|fr(?:ame)?set/i.test(
      file,
    )
      ? 0
      : 1;
  };
  return frames.filter((href) => rank(href) < 2).toSorted((a, b) => rank(a) - rank(b));
}

/** A page that shows nothing: a script redirects at once. */
const isEmpty = ({ text, links }: PageSource): boolean => text.length < 300 && links.length <= 2;
