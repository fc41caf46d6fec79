/** Words and rules of lead discovery: its states, its steps, and which library searches where. */
import { COUNTRY_CODES } from './countries.ts';

export const LEAD_PROCESS_STATUSES = [
  'processing',
  'paused',
  'completed',
  'failed',
  'cancelled',
] as const;
export type LeadProcessStatus = (typeof LEAD_PROCESS_STATUSES)[number];

/** Spec: POST /v1/leads/process, in the order of one round. */
export const DISCOVERY_STEPS = [
  'search_ads',
  'extract_companies',
  'enrich_contacts',
  'validate_emails',
  'attach_leads',
] as const;
export type DiscoveryStep = (typeof DISCOVERY_STEPS)[number];

/** Everywhere, in `adReachedCountries`. Choice 22. */
export const ALL_COUNTRIES = 'ALL';

/** What planning asks of an ad library. */
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
 * Which library searches which countries: each country goes to the first that covers it. With
 * `ALL`, one library that covers everything, or else each what it covers.
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
