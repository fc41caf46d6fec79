/** What a website says about how to reach the business: page by page, then put together. */
import { findingsOf } from './page-findings.ts';
import type { PageFindings, PageInput } from './types.ts';

export { combine } from './combine.ts';
export { contactScore } from './links/contact-links.ts';
export { CONTACT_PAGE_SCORE } from './types.ts';
export type { ContactLink, PageFindings, PageInput, PageKind } from './types.ts';

/** Reads one page in one pass over its HTML. Never throws, whatever it is given. */
export function extractPage(input: PageInput): PageFindings {
  // A copy: parts of a string keep the whole page in memory.
  return JSON.parse(JSON.stringify(readInPlace(input))) as PageFindings;
}

/** The same for those who make a copy themselves: what it answers holds on to the page. */
export function readInPlace(input: PageInput): PageFindings {
  try {
    return findingsOf(input);
  } catch {
    // A page that breaks the reading is a page without findings; its site is read on.
    return nothing(input.url);
  }
}

function nothing(url: string): PageFindings {
  const links = { contactLinks: [], otherLinks: [], frames: [] };
  const empty = { emails: [], phones: [], profiles: [], ...links };
  return { url, kind: 'other', language: null, refresh: null, ...empty };
}
