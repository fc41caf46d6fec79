/** One visit: finds the home page, follows links towards contact data, combines the findings. */
// Not from the extraction's index, which loads the page parser: that runs on other threads.
import { combine } from './extract/combine.ts';
import { CONTACT_PAGE_SCORE } from './extract/types.ts';
import { createFrontier, knownFrom, MAX_PAGES, type Frontier } from './frontier.ts';
import { guessedPaths } from './guesses.ts';
import { isTrouble, refused, type Trouble } from './outcome.ts';
import type { SiteAnswer, SiteQuestion } from './port.ts';
import { readPage, type Page } from './read-page.ts';
import { openSession, type Session, type Shared } from './session.ts';
import { contactPagesInSitemap } from './sitemap.ts';
import { otherName, siteOf, startingUrls } from './site-url.ts';

/** Home pages that are tried under another name, scheme or path. */
const MAX_STARTS = 4;
/** The score of a page from sitemap or guess: below a linked contact page. */
const HINTED = 55;

/** See `Websites.visit`. */
export async function visitSite(
  shared: Shared,
  question: SiteQuestion,
  signal: AbortSignal | undefined,
): Promise<SiteAnswer> {
  const session = openSession(shared, signal);
  const stop = () => session.close();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    const home = await findHome(session, question);
    signal?.throwIfAborted();
    if (isTrouble(home)) {
      const { state, reason } = home;
      return { state, reason, contacts: combine([], question), pages: [] };
    }
    const pages = await readOn(session, home, question);
    signal?.throwIfAborted();
    return {
      state: 'found',
      reason: null,
      contacts: combine(
        pages.map(({ findings }) => findings),
        question,
      ),
      pages: pages.map(({ url }) => url.href),
    };
  } finally {
    signal?.removeEventListener('abort', stop);
    session.close();
  }
}

/** The home page at the first address that has one; else what was wrong with the first. */
async function findHome(session: Session, question: SiteQuestion): Promise<Page | Trouble> {
  const starts = startingUrls(question.website);
  let firstTrouble: Trouble | undefined;
  for (let at = 0; at < Math.min(starts.length, MAX_STARTS); at += 1) {
    const url = starts[at]!;
    const { countryCode } = question;
    const page = await readPage(session, url, { countryCode, sites: undefined });
    if (!isTrouble(page)) return page;
    firstTrouble ??= page;
    if (page.cause === undefined) break;
    for (const other of elsewhere(url, page.cause)) {
      if (!starts.some(({ href }) => href === other.href)) starts.push(other);
    }
  }
  return firstTrouble ?? refused('This is not a web address.');
}

/** Another address at which the same site may answer. */
function elsewhere(url: URL, cause: NonNullable<Trouble['cause']>): URL[] {
  if (cause === 'no-address') return [otherName(url) ?? []].flat();
  if (cause === 'no-such-page') return url.pathname + url.search === '/' ? [] : [new URL('/', url)];
  // An address without a scheme is tried as both anyway; with one, silence says nothing against that scheme.
  if (cause === 'certificate' || cause === 'no-answer' || url.port !== '') return [];
  const other = new URL(url);
  other.protocol = url.protocol === 'https:' ? 'http:' : 'https:';
  return [other];
}

/** The home page and what it leads to, in the order they were read. */
async function readOn(session: Session, home: Page, question: SiteQuestion): Promise<Page[]> {
  const pages = [home];
  const frontier = createFrontier();
  frontier.learn(home);
  forgetLinks(home);
  const sites = new Set([siteOf(home.url), ...startingUrls(question.website).map(siteOf)]);
  const reading = { countryCode: question.countryCode, sites };
  let requests = 1;
  let hasHints = false;
  for (;;) {
    if (requests >= MAX_PAGES) return pages;
    const next = frontier.next(knownFrom(pages.map(({ findings }) => findings)));
    if (!next) {
      if (hasHints || frontier.hasContactPage()) return pages;
      hasHints = true;
      await addHints(session, { home, frontier, pages });
      continue;
    }
    requests += 1;
    const page = await readPage(session, next, reading);
    if (isTrouble(page) || pages.some(({ url }) => url.href === page.url.href)) continue;
    pages.push(page);
    frontier.learn(page);
    forgetLinks(page);
  }
}

/** Frees the links that the frontier has taken over: they add up over a thousand visits. */
function forgetLinks({ findings }: Page): void {
  findings.otherLinks = [];
  findings.frames = [];
  findings.contactLinks = findings.contactLinks.filter(({ score }) => score >= CONTACT_PAGE_SCORE);
}

interface Hinting {
  home: Page;
  frontier: Frontier;
  pages: readonly Page[];
}

/** No contact page is linked: tries the sitemap and, while no e-mail is known, the usual paths. */
async function addHints(session: Session, { home, frontier, pages }: Hinting): Promise<void> {
  for (const url of await contactPagesInSitemap(session, home.url)) frontier.add(url, HINTED);
  if (frontier.hasContactPage() || pages.some(({ findings }) => findings.emails.length > 0)) return;
  for (const path of guessedPaths(home.findings.language, home.url)) {
    frontier.add(new URL(path, home.url), HINTED);
  }
}
