/** The seam between the crawler, which fetches pages, and the extraction, which reads them. */
import type {
  FoundEmail,
  FoundPhone,
  FoundProfile,
  SiteContacts,
} from '../../../domain/contacts.ts';

export interface PageInput {
  /** Decoded; at most 2 MB of it, perhaps cut off in the middle of a tag. */
  html: string;
  /** Where it was read, after redirects; relative links are resolved by it (and by `<base>`). */
  url: string;
  /** Where the business is, two upper-case letters. */
  countryCode: string | null;
}

/** From here on a linked page is for reaching the business and always read. */
export const CONTACT_PAGE_SCORE = 50;

export interface PageLink {
  /** Absolute http(s) URL without a fragment; may be on another host, which the crawler judges. */
  url: string;
  /**
   * 100 is certainly the contact page; from `CONTACT_PAGE_SCORE` contact pages and Impressum;
   * below it pages that may help (about, team, location), read only while no e-mail is known.
   */
  score: number;
}

/** What one page says. Lists are bounded, so that a hostile page cannot fill the memory. */
export interface PageFindings {
  /** `PageInput.url`. */
  url: string;
  emails: FoundEmail[];
  phones: FoundPhone[];
  profiles: FoundProfile[];
  /** Likely contact pages, best first, each once, at most 20. */
  contactLinks: PageLink[];
  /** Pages of the site that may lead on from a splash page (a language's home), at most 5. */
  otherLinks: PageLink[];
  /** Sources of `<frame>`, and of an `<iframe>` that is the whole page; absolute, at most 5. */
  frames: string[];
  /** Target of `<meta http-equiv="refresh">`, absolute; null also when it waits over 10 s. */
  refresh: string | null;
  /** Host of `<link rel="canonical">`. */
  canonicalHost: string | null;
  /** Primary subtag of `<html lang>`, lower case: `de`. */
  language: string | null;
}

/** What is known of the site as a whole when its pages are put together. */
export interface SiteFacts {
  /** As the map or the ad shows it. */
  website: string;
  /** The home page's URL after redirects. */
  homeUrl: string;
  countryCode: string | null;
}

/** Never throws and holds on to nothing of `html` (copied strings, no slices of it). */
export type ExtractPage = (input: PageInput) => PageFindings;

/** Puts the pages together in the order they were read; the best contact first. */
export type Combine = (pages: readonly PageFindings[], site: SiteFacts) => SiteContacts;

/**
 * How much a link looks like a contact page by its URL and its text ('' in a sitemap):
 * the scale of `PageLink`, 0 for none.
 */
export type ContactScore = (url: string, text: string) => number;
