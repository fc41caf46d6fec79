/** What a website tells about how to reach the business: page by page, then combined. */
import { findingsOf } from './page-findings.ts';
import type { PageFindings, PageInput } from './types.ts';

export { combine } from './combine.ts';
export { contactScore } from './links/contact-links.ts';
export { CONTACT_PAGE_SCORE } from './types.ts';
export type { ContactLink, PageFindings, PageInput, PageKind } from './types.ts';

/** Reads one page in one pass over its HTML. Never throws, whatever it is given. */
export function extractPage(input: PageInput): PageFindings {
  // A deep copy: a slice of a string keeps the whole page in memory.
  return JSON.parse(JSON.stringify(readInPlace(input))) as PageFindings;
}

/** The same without the copy, for callers that make one: the result keeps the page in memory. */
export function readInPlace(input: PageInput): PageFindings {
  try {
    return findingsOf(input);
  } catch {
    // A page that breaks the extraction has no findings; the rest of its site is still read.
    return nothing(input.url);
  }
}

function nothing(url: string): PageFindings {
  const links = { contactLinks: [], otherLinks: [], frames: [] };
  const empty = { emails: [], phones: [], profiles: [], ...links };
  return { url, kind: 'other', language: null, refresh: null, ...empty };
}
