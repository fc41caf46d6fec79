/** Terms and rules of lead discovery: its states, its steps, and which library searches where. */
import { COUNTRY_CODES } from '../countries.ts';
import type { PageResult } from '../operations/jobs.ts';

export const LEAD_PROCESS_STATUSES = [
  'processing',
  'paused',
  'completed',
  'failed',
  'cancelled',
] as const;
export type LeadProcessStatus = (typeof LEAD_PROCESS_STATUSES)[number];

/** Spec: POST /v1/leads/process. In the order of one batch. */
export const DISCOVERY_STEPS = [
  'search_ads',
  'extract_companies',
  'enrich_contacts',
  'validate_emails',
  'attach_leads',
] as const;
export type DiscoveryStep = (typeof DISCOVERY_STEPS)[number];

/** The result of an activity of a step. */
export interface DiscoveryPage extends PageResult {
  /** The next step with work to do; null = the process is complete. */
  next: DiscoveryStep | null;
}

/** Everywhere, in `adReachedCountries`. Choice 22. */
export const ALL_COUNTRIES = 'ALL';

/** The properties of an ad library that planning needs. */
interface Coverage {
  readonly name: string;
  covers(country: string): boolean;
}

export interface PlannedSearch {
  vendor: string;
  countries: string[];
  /** For the client: why this library and not the first one. */
  note: string | null;
}

/**
 * Which library searches which countries: each country goes to the first that covers it. With `ALL`, one
 * library that covers everything, otherwise each library with what it covers.
 */
export function planSearches(
  countries: readonly string[],
  libraries: readonly Coverage[],
): { searches: PlannedSearch[]; uncovered: string[] } {
  const isEverywhere = countries.includes(ALL_COUNTRIES);
  const hasWorldwide = libraries.some((library) => library.covers(ALL_COUNTRIES));
  const wanted = isEverywhere ? (hasWorldwide ? [ALL_COUNTRIES] : COUNTRY_CODES) : countries;
  const byVendor = new Map<string, string[]>();
  const uncovered: string[] = [];
  for (const country of new Set(wanted)) {
    const library = libraries.find((one) => one.covers(country));
    if (!library) uncovered.push(country);
    else byVendor.set(library.name, [...(byVendor.get(library.name) ?? []), country]);
  }
  const first = libraries[0];
  const searches = [...byVendor].map(([vendor, list]) => ({
    vendor,
    countries: list,
    note:
      first === undefined || vendor === first.name
        ? null
        : `The library ${first.name} does not cover ${placesOf(list)}; ${vendor} was used`,
  }));
  return { searches, uncovered: isEverywhere && searches.length > 0 ? [] : uncovered };
}

/** Readable: some codes, or how many. */
export function placesOf(countries: readonly string[]): string {
  if (countries.includes(ALL_COUNTRIES)) return 'all countries';
  return countries.length <= 5 ? countries.join(', ') : `${countries.length} countries`;
}

/** The progress of a process. */
export interface DiscoveryView {
  /** Leads: the maximum, and those found so far. */
  wanted: number;
  found: number;
  /** Ads whose advertisers are not known yet. */
  ads: number;
  companies: number;
  /** Companies whose own site was not visited yet. */
  unvisited: number;
  /** Companies without a usable contact that some finder can be asked about. */
  unanswered: number;
  /** Contacts whose address was not validated, and validated ones that are not leads yet. */
  unchecked: number;
  checked: number;
  /** A library may have more ads. */
  isSearching: boolean;
}

/** The next step: the one closest to a new lead. Null when nothing is left to do. */
export function nextStep(view: DiscoveryView): DiscoveryStep | null {
  if (view.found >= view.wanted) return null;
  const missing = view.wanted - view.found;
  if (view.checked >= missing) return 'attach_leads';
  if (view.unchecked > 0) return 'validate_emails';
  if (view.checked > 0) return 'attach_leads';
  if (view.ads > 0) return 'extract_companies';
  if (view.unvisited + view.unanswered > 0) return 'enrich_contacts';
  return view.isSearching ? 'search_ads' : null;
}

/** Most companies of one batch, so that its steps take minutes. */
const MAX_BATCH = 2_500;
const MIN_BATCH = 20;
/** From this many companies on, the share of them that yielded a lead is significant. */
const MIN_SAMPLE = 50;

/** How many companies one batch should look for, by the yield of the companies so far. */
export function batchSize({ wanted, found, companies }: DiscoveryView): number {
  const perCompany = companies < MIN_SAMPLE ? 1 : Math.min(1.5, Math.max(0.1, found / companies));
  const needed = Math.ceil(((wanted - found) * 11) / (10 * perCompany));
  return Math.min(MAX_BATCH, Math.max(MIN_BATCH, needed));
}

/**
 * 0-99 while there is work: the share of the wanted leads that is found, work in progress counted in part; or
 * the share of the known companies that is done, where no more will come.
 */
export function percentOf(view: DiscoveryView): number {
  const open = view.unvisited + view.unanswered;
  const candidates = view.unchecked + view.checked;
  const ofWanted =
    (view.found + 0.7 * candidates + 0.2 * Math.min(open, view.wanted)) / view.wanted;
  const isLast = !view.isSearching && view.ads === 0 && view.companies > 0;
  const ofCompanies = isLast ? (view.companies - open) / view.companies - 0.05 : 0;
  return Math.max(0, Math.min(99, Math.floor(100 * Math.max(ofWanted, ofCompanies))));
}

/** What a client orders. Spec: POST /v1/leads/process. */
export interface DiscoveryOrder {
  searchTerm: string;
  leadCount: number;
  adReachedCountries: string[];
  leadListId?: number | undefined;
}
