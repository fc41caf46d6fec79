/** What a website says about how to reach the business: page by page, then put together. */
import type { SiteContacts } from '../../../domain/contacts.ts';
import type { PageFindings, PageInput } from './types.ts';

export { CONTACT_PAGE_SCORE } from './types.ts';
export type { ContactLink, PageFindings, PageInput, PageKind } from './types.ts';

/** Reads one page. Never throws, whatever it is given. */
export function extractPage({ url }: PageInput): PageFindings {
  const nothing = {
    emails: [],
    phones: [],
    profiles: [],
    contactLinks: [],
    otherLinks: [],
    frames: [],
  };
  return { url, kind: 'other', language: null, refresh: null, ...nothing };
}

/** Puts the pages of one site together, in the order they were visited; the first is its home. */
export function combine(
  _pages: PageFindings[],
  _site: { website: string; countryCode: string | null },
): SiteContacts {
  return { emails: [], phones: [], profiles: [], contactPages: [] };
}

/** The scale of `ContactLink.score` for a bare address; see `ContactScore` in types.ts. */
export function contactScore(_url: string, _text: string): number {
  return 0;
}
