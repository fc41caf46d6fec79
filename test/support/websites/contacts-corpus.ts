/** Scores the contacts found on labelled websites: our own corpus and real sites kept outside. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SiteContacts } from '../../../src/domain/discovery/contacts.ts';
import { decodeHtml } from '../../../src/providers/websites/charset.ts';
import { combine, extractPage } from '../../../src/providers/websites/extract/index.ts';
import type { PageFindings } from '../../../src/providers/websites/extract/index.ts';
import { createFrontier, knownFrom, MAX_PAGES } from '../../../src/providers/websites/frontier.ts';

export interface LabelledPage {
  contentType: string;
  status: number;
  body: Buffer;
}

/** What a person found on a site; optional contacts count neither as right nor as wrong. */
export interface Labels {
  emails: string[];
  phones: string[];
  socials: string[];
  /** An inner list is a choice: one of them is required. */
  contactPages: (string | string[])[];
}

export interface LabelledSite extends Labels {
  host: string;
  country: string;
  website: string;
  /** By path, query included. */
  pages: Record<string, LabelledPage>;
  optional: Partial<Labels>;
  mustNotContain: string[];
}

export const KINDS = ['emails', 'phones', 'socials', 'contactPages'] as const;
export type Kind = (typeof KINDS)[number];

/** Counts of correct, wrong and missing finds. */
export interface Tally {
  hits: number;
  wrong: number;
  missed: number;
}

export interface Score {
  tallies: Record<Kind, Tally>;
  /** One line for each wrong or missing find. */
  faults: string[];
  /** Decoys that were reported; they count as wrong finds as well. */
  decoys: string[];
}

/** Where the real sites are; null when they are not on this machine. */
export function realCorpusFolder(): string | null {
  const beside = fileURLToPath(new URL('../../../../shared/corpus/contacts', import.meta.url));
  const folder = process.env['CONTACTS_CORPUS_DIR'] ?? beside;
  return existsSync(join(folder, 'labels.json')) ? folder : null;
}

/** Reads `labels.json` and the pages it names. */
export async function loadCorpus(folder: string): Promise<LabelledSite[]> {
  type Entry = Omit<LabelledSite, 'host' | 'pages'> & {
    pages: Record<string, { file: string; contentType: string; status: number }>;
  };
  const text = await readFile(join(folder, 'labels.json'), 'utf8');
  const entries = Object.entries(JSON.parse(text) as Record<string, Entry>);
  return Promise.all(
    entries.map(async ([host, { pages, ...entry }]) => {
      const read = Object.entries(pages).map(async ([path, { file, contentType, status }]) => {
        const body = await readFile(join(folder, file));
        return [path, { contentType, status, body }] as const;
      });
      return { ...entry, host, pages: Object.fromEntries(await Promise.all(read)) };
    }),
  );
}

export const precision = ({ hits, wrong }: Tally): number => ratio(hits, hits + wrong);
export const recall = ({ hits, missed }: Tally): number => ratio(hits, hits + missed);
const ratio = (part: number, whole: number): number => (whole === 0 ? 1 : part / whole);

/** Scores what `visit` finds on each site; numbers and pages are compared in one form. */
export async function scoreSites(
  sites: LabelledSite[],
  visit: (site: LabelledSite) => SiteContacts | Promise<SiteContacts>,
): Promise<Score> {
  const none = (): Tally => ({ hits: 0, wrong: 0, missed: 0 });
  const tallies = { emails: none(), phones: none(), socials: none(), contactPages: none() };
  const score: Score = { tallies, faults: [], decoys: [] };
  for (const site of sites) scoreSite(site, await visit(site), score);
  return score;
}

function scoreSite(site: LabelledSite, found: SiteContacts, score: Score): void {
  const pageOf = new Map<string, string>();
  const finds: Record<Kind, string[]> = {
    emails: found.emails.map(({ email, page }) => note(pageOf, email, page)),
    phones: found.phones
      .filter(({ isFax }) => !isFax)
      .map(({ phone, page }) => note(pageOf, phone, page)),
    socials: found.profiles.map(({ url, page }) => note(pageOf, url, page)),
    contactPages: found.contactPages,
  };
  for (const kind of KINDS) {
    const alike = normalise[kind];
    const got = new Map(finds[kind].map((find) => [alike(find), find]));
    const optional = new Set((site.optional[kind] ?? []).flat().map(alike));
    const asked = site[kind].map((label) => [label].flat().map(alike));
    for (const choice of asked) {
      if (choice.some((label) => got.has(label))) score.tallies[kind].hits += 1;
      else {
        score.tallies[kind].missed += 1;
        score.faults.push(`${site.host} MISSED ${kind}: ${choice.join(' or ')}`);
      }
    }
    const right = new Set(asked.flat());
    for (const [find, original] of got) {
      const decoy = site.mustNotContain.find((text) => isDecoy(kind, find, text));
      if (decoy) score.decoys.push(`${site.host} ${kind}: ${original}`);
      if (right.has(find) || optional.has(find)) continue;
      score.tallies[kind].wrong += 1;
      const where = pageOf.get(original);
      score.faults.push(`${site.host} WRONG ${kind}: ${original}${where ? ` on ${where}` : ''}`);
    }
  }
}

function note(pageOf: Map<string, string>, find: string, page: string): string {
  pageOf.set(find, page);
  return find;
}

function isDecoy(kind: Kind, find: string, decoy: string): boolean {
  if (kind !== 'phones') {
    const part = decoy.toLowerCase();
    // `donap@x` is wrong where `najman.donap@x` is right.
    return part.includes('@') ? find === part : hasPart(find, normalise[kind](part));
  }
  const digits = decoy.replaceAll(/\D/g, '');
  return digits.length >= 6 && find.endsWith(digits);
}

/** `facebook.com/tr` is in `facebook.com/tr/x`, not in `facebook.com/trattoria`. */
function hasPart(find: string, part: string): boolean {
  const at = find.indexOf(part);
  return at >= 0 && !/[\w.-]/.test(find[at + part.length] ?? '');
}

const bare = (url: string): string => url.replace(/^https?:\/\//i, '').replace(/^www\./i, '');

const normalise: Record<Kind, (text: string) => string> = {
  emails: (email) => email.toLowerCase(),
  phones: (phone) => phone.replaceAll(/[^+\d]/g, ''),
  socials(url) {
    const profile = safeDecode(bare(url))
      .toLowerCase()
      .replace(/^twitter\.com/, 'x.com');
    const byNumber = /^(?:[\w-]+\.)?facebook\.com\/(?:p\/.*-|profile\.php\?id=)(\d+)/.exec(profile);
    if (byNumber) return `facebook.com/${byNumber[1]!}`;
    return profile
      .replace(/^[a-z]{2}(?:-[a-z]{2})?\.(?=\w+\.com)/, '')
      .replace(/[?#].*$/, '')
      .replace('/pg/', '/')
      .replace(/\/about$|\/$/, '');
  },
  contactPages: (url) =>
    safeDecode(bare(url))
      .replace(/\.html$/, '')
      .replace(/\/index$|\/$/, '')
      .replace(/\/$/, ''),
};

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Follows the findings from page to page in the crawler's order, without a network. */
export function walk(site: LabelledSite): SiteContacts {
  const { website, country: countryCode } = site;
  const pages: PageFindings[] = [];
  const frontier = createFrontier();
  let url: URL | undefined = new URL(website);
  for (let asked = 0; url && asked < MAX_PAGES; asked += 1) {
    const html = htmlAt(site, url);
    if (html !== null) {
      const findings = extractPage({ html, url: url.href, countryCode });
      pages.push(findings);
      frontier.learn({ url, findings });
    }
    url = frontier.next(knownFrom(pages));
  }
  return combine(pages, { website, countryCode });
}

/** The decoded page; null when the site answers otherwise. */
function htmlAt(site: LabelledSite, { pathname, search, hostname }: URL): string | null {
  const page = site.pages[pathname + search] ?? site.pages[safeDecode(pathname + search)];
  if (page?.status !== 200 || !/html/.test(page.contentType)) return null;
  return decodeHtml(page.body, page.contentType, hostname);
}
