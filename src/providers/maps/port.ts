/** The port of map searches: businesses by search term and place. Adapters obey each MUST. */
import type { AskableAccount } from '../../domain/operations/account-questions.ts';

export const WEBSITE_FILTERS = ['allPlaces', 'withWebsite', 'withoutWebsite'] as const;

export interface MapsSearch {
  searchStrings: readonly string[];
  startUrls: readonly string[];
  placeIds: readonly string[];
  /** Appended to each search; empty = none. */
  locationQuery: string;
  /** Two letters, lower case. */
  countryCode: string;
  language: string;
  /** Per search string. */
  maxPlacesPerSearch: number;
  website: (typeof WEBSITE_FILTERS)[number];
  /** 0-5, null = no minimum; adapters filter exactly, whatever the vendor supports. */
  minimumStars: number | null;
  categoryFilterWords: readonly string[];
  skipClosedPlaces: boolean;
}

export interface Place {
  placeId: string;
  title: string;
  category: string | null;
  address: string | null;
  city: string | null;
  state: string | null;
  postalCode: string | null;
  /** Two letters, upper case. */
  countryCode: string | null;
  website: string | null;
  /** As the vendor writes it, international where it can. */
  phone: string | null;
  rating: number | null;
  reviewsCount: number | null;
  isClosed: boolean;
  mapsUrl: string | null;
  /** Which of the search strings, URLs or ids found it. */
  searchString: string | null;
  latitude: number | null;
  longitude: number | null;
}

export interface PlacePage {
  places: Place[];
  /** Where to go on; null = the end. The same cursor again MUST give the same places or later ones. */
  cursor: string | null;
  /** The vendor is still at work: with no places, ask again later with `cursor`. */
  isRunning: boolean;
  /** How many of the queries (strings + URLs + ids) are done, as far as the vendor tells. */
  processedQueries: number | null;
  /** Why the vendor stopped early (time-out, abort) although places were saved; null = it did not. */
  endedEarly: string | null;
}

export interface MapsProvider extends AskableAccount {
  readonly name: string;
  /** Whether it can do any part of the search; absent = it can do all kinds. */
  canSearch?(search: MapsSearch): boolean;
  /** What this vendor cannot do of the search, one sentence each, for people; empty = it does all. */
  shortcomings(search: MapsSearch): string[];
  /**
   * Starts the search and answers the first cursor. MUST be safe to repeat with the same `token`: it
   * first looks for a run that was started before and adopts it. When the answer to a start is lost it
   * throws `outcome_unknown`; the caller waits until the vendor would show the run, and calls again.
   */
  begin(search: MapsSearch, token: string, signal?: AbortSignal): Promise<string>;
  /** The first cursor of what was started with this token; null = no run is shown. */
  find(token: string, signal?: AbortSignal): Promise<string | null>;
  page(search: MapsSearch, cursor: string, limit: number, signal?: AbortSignal): Promise<PlacePage>;
  /** Aborts what runs for this cursor. MUST be a no-op when it has ended. */
  end(cursor: string): Promise<void>;
}
