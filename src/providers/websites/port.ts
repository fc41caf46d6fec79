/** The port of website enrichment: the contact data on a business's own site. */
import type { SiteContacts } from '../../domain/discovery/contacts.ts';

export interface SiteQuestion {
  /** As a map or an ad shows it; a missing protocol is filled in. */
  website: string;
  /** Where the business is, by which national phone numbers are parsed. Two letters, upper case. */
  countryCode: string | null;
}

/**
 * - `found`: the site was read (`contacts` may still be empty)
 * - `unreachable`: no answer, an error status, a broken certificate; `reason` says which
 * - `refused`: we do not go there (robots.txt, a private address, a file that is no page)
 */
export interface SiteAnswer {
  state: 'found' | 'unreachable' | 'refused';
  /** For people, one sentence; null when found. */
  reason: string | null;
  contacts: SiteContacts;
  /** Pages that were read, in order. */
  pages: string[];
}

export interface Websites {
  /**
   * Visits the home page and likely contact pages. MUST NOT throw for anything that a site does;
   * throws only when `signal` aborts. Polite (robots.txt, per-host limits) and safe (address
   * guard on the dialled address, bounds on size, time, redirects, decompression).
   */
  visit(question: SiteQuestion, signal?: AbortSignal): Promise<SiteAnswer>;
}
