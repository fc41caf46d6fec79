/** Which pages of a site are read, and in which order. */
import { CONTACT_PAGE_SCORE, type PageFindings } from './extract/types.ts';
import type { Page } from './read-page.ts';
import { pageKey, webUrl } from './site-url.ts';

/** What is known so far, which decides how much more is read. */
export interface Known {
  hasEmail: boolean;
  /** An address of a person, not of a role. */
  hasPersonalEmail: boolean;
  hasPhone: boolean;
}

export function knownFrom(pages: readonly PageFindings[]): Known {
  const emails = pages.flatMap((page) => page.emails);
  return {
    hasEmail: emails.length > 0,
    hasPersonalEmail: emails.some(({ kind }) => kind === 'personal'),
    hasPhone: pages.some(({ phones }) => phones.length > 0),
  };
}

export interface Frontier {
  /** Adds the links of a page that was read. */
  learn(page: Page): void;
  /** Adds a page that is likely to exist; `score` as of contact links. */
  add(url: URL, score: number): void;
  /** Whether a page for reaching the business is known or was read. */
  hasContactPage(): boolean;
  /** The next page worth a request, undefined when enough is known. */
  next(known: Known): URL | undefined;
}

/** Home page and five more. */
export const MAX_PAGES = 6;
/** The score of a refresh or of an empty page's frames: they are what visitors see. */
const SHOWN_INSTEAD = 110;
const MAX_FRAMES = 3;
/** Links of a page that are kept, best first; more could not be read anyway. */
const MAX_LINKS = 12;
/** The score of a language's home, on a page without a link to a contact page. */
const LEADS_ON = 20;
const MAX_LEADS = 2;
/** Contact pages that are read even when an e-mail and a phone number are known. */
const ALWAYS_READ = 3;
/** Pages that may help: about us, privacy. */
const MAX_HELPFUL = 2;
/** About-us pages that are read where only role addresses are known. */
const MAX_ABOUT_PEOPLE = 1;

interface Candidate {
  /** As a string: URL objects of a thousand visits would take much memory. */
  href: string;
  score: number;
  kind: string;
}

export function createFrontier(): Frontier {
  const seen = new Set<string>();
  const waiting: Candidate[] = [];
  const kindsRead = new Set<string>();
  let contactPages = 0;
  let helpfulPages = 0;

  const put = (url: URL | undefined, score: number, kind: string): void => {
    if (!url || seen.has(pageKey(url))) return;
    seen.add(pageKey(url));
    waiting.push({ href: url.href, score, kind });
  };
  const isWorth = ({ score, kind }: Candidate, known: Known): boolean => {
    const { hasEmail, hasPersonalEmail, hasPhone } = known;
    if (score >= SHOWN_INSTEAD) return true;
    if (score < CONTACT_PAGE_SCORE) {
      if (!hasEmail) return helpfulPages < MAX_HELPFUL;
      return kind === 'about' && !hasPersonalEmail && helpfulPages < MAX_ABOUT_PEOPLE;
    }
    return !hasEmail || !hasPhone || !kindsRead.has(kind) || contactPages < ALWAYS_READ;
  };
  return {
    learn({ url, findings }) {
      seen.add(pageKey(url));
      for (const target of shownInstead(findings)) put(target, SHOWN_INSTEAD, 'shown');
      for (const link of findings.contactLinks.slice(0, MAX_LINKS)) {
        put(webUrl(link.url), link.score, link.kind);
      }
      if (findings.contactLinks.length > 0) return;
      for (const link of findings.otherLinks.slice(0, MAX_LEADS)) {
        put(webUrl(link), LEADS_ON, 'lead');
      }
    },
    add: (url, score) => put(url, score, 'contact'),
    hasContactPage: () =>
      contactPages > 0 || waiting.some(({ score }) => score >= CONTACT_PAGE_SCORE),
    next(known) {
      const worth = waiting.filter((candidate) => isWorth(candidate, known));
      const best = worth.reduce<Candidate | undefined>(
        (first, candidate) => (first && first.score >= candidate.score ? first : candidate),
        undefined,
      );
      if (!best) return undefined;
      waiting.splice(waiting.indexOf(best), 1);
      kindsRead.add(best.kind);
      if (best.score < CONTACT_PAGE_SCORE) helpfulPages += 1;
      else if (best.score < SHOWN_INSTEAD) contactPages += 1;
      return new URL(best.href);
    },
  };
}

function shownInstead(page: PageFindings): (URL | undefined)[] {
  const { refresh, frames, emails, phones, contactLinks } = page;
  const isEmpty = emails.length + phones.length === 0;
  // A frameset's text for browsers without frames is often just the telephone number.
  const isFrameset = contactLinks.length === 0 && (emails.length === 0 || phones.length === 0);
  const targets = [
    ...(refresh === null ? [] : [refresh]),
    ...(isEmpty || isFrameset ? frames : []),
  ];
  return targets.slice(0, MAX_FRAMES).map((target) => webUrl(target));
}
