/** What a website says about how to reach the business: page by page, then put together. */
import { contactLinksOf } from './contact-links.ts';
import { baseOf, isSameSite, resolve } from './page-links.ts';
import { otherLinksOf } from './splash-links.ts';
import { emailsOfPage } from './page-emails.ts';
import { phonesOfPage } from './page-phones.ts';
import { profilesOfPage } from './page-profiles.ts';
import { scanPage } from './page-scan.ts';
import { readPage } from './read-page.ts';
import type { PageFindings, PageInput } from './types.ts';

export { combine } from './combine.ts';
export { contactScore } from './contact-links.ts';
export { CONTACT_PAGE_SCORE } from './types.ts';
export type { ContactLink, PageFindings, PageInput, PageKind } from './types.ts';

/** More is no page of a small business, and costs more than it can give. */
const MAX_HTML = 5_000_000;

/** Reads one page in one pass over its HTML. Never throws, whatever it is given. */
export function extractPage(input: PageInput): PageFindings {
  try {
    // A copy: parts of a string keep the whole page in memory.
    return JSON.parse(JSON.stringify(findings(input))) as PageFindings;
  } catch {
    // A page that breaks the reading is a page without findings; its site is read on.
    return nothing(input.url);
  }
}

function findings({ html, url, countryCode }: PageInput): PageFindings {
  const page = new URL(url);
  const source = readPage(html.length > MAX_HTML ? html.slice(0, MAX_HTML) : html);
  const base = baseOf(url, source.base) ?? page;
  const scan = scanPage(source, page, countryCode);
  const frames = source.frames.flatMap((src) => resolve(src, base) ?? []);
  const own = frames.filter(
    (frame) => isSameSite(frame.hostname, page.hostname) && frame.href !== url,
  );
  const refresh = source.refresh ? resolve(source.refresh, base) : null;
  return {
    url,
    kind: scan.kind,
    language: source.language,
    emails: emailsOfPage(scan),
    phones: phonesOfPage(scan),
    profiles: profilesOfPage(scan),
    contactLinks: contactLinksOf(source, page, base),
    otherLinks: otherLinksOf(source, page, base),
    refresh: refresh && refresh.href !== url ? refresh.href : null,
    frames: [...new Set(own.map(({ href }) => href))],
  };
}

function nothing(url: string): PageFindings {
  const links = { contactLinks: [], otherLinks: [], frames: [] };
  const empty = { emails: [], phones: [], profiles: [], ...links };
  return { url, kind: 'other', language: null, refresh: null, ...empty };
}
