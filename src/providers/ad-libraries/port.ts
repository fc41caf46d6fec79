/**
 * The port of ad libraries: who advertises for a keyword in some countries. Adapters obey each MUST.
 */
import type { AskableAccount } from '../../domain/operations/account-questions.ts';

export interface AdSearch {
  /** 1-100 characters. */
  searchTerm: string;
  /** ISO 3166 alpha-2, upper case; `['ALL']` = everywhere. */
  countries: readonly string[];
  /** The most ads that are wanted; a library that charges per ad MUST be told. */
  maxAds: number;
}

/** One ad: an advertiser, and where its ad leads. No field may hold a token or a paging address. */
export interface Ad {
  adId: string;
  pageId: string;
  pageName: string;
  /** Where the ad leads: a URL or bare domain as the library shows it; null when it shows none. */
  landing: string | null;
  /** The advertiser's page or the ad in the library, for people. */
  adUrl: string | null;
}

export interface AdPage {
  ads: Ad[];
  /**
   * Where the next page begins; null = the end. The same cursor again MUST give the same ads or later
   * ones.
   */
  cursor: string | null;
  /** The library is still at work: with no ads, ask again later with `cursor`. */
  isRunning: boolean;
  /** For people, at the end: why the library did not show all that it has; null when it did, or goes on. */
  endedEarly: string | null;
}

export interface AdLibrary extends AskableAccount {
  readonly name: string;
  /** Whether commercial ads that reach this country are in the library. `ALL` counts as a country. */
  covers(country: string): boolean;
  /**
   * Begins a search and answers the first cursor. MUST be safe to repeat with the same `token`: it
   * first looks for a search that was begun before and adopts it. When the answer to a start is lost it
   * throws `outcome_unknown`; the caller waits until the vendor would show the search, and calls again.
   */
  begin(search: AdSearch, token: string, signal?: AbortSignal): Promise<string>;
  /**
   * The first cursor of what was begun with this token; null = none is shown. Absent where the library
   * runs nothing.
   */
  find?(token: string, signal?: AbortSignal): Promise<string | null>;
  /** One page. `limit` is a hint: more or fewer ads may come. */
  page(search: AdSearch, cursor: string, limit: number, signal?: AbortSignal): Promise<AdPage>;
  /** Stops what runs for this cursor. MUST be a no-op when it has ended. */
  end(cursor: string): Promise<void>;
}
