/** The port of ad libraries: who advertises for a keyword in some countries. MUST sentences are law. */

export interface AdSearch {
  /** 1-100 characters. */
  searchTerm: string;
  /** ISO 3166 alpha-2, upper case; `['ALL']` = everywhere. */
  countries: readonly string[];
  /** So many ads are wanted at most; a library that is paid per ad MUST be told. */
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
  /** Where to go on; null = the end. The same cursor again MUST give the same ads or later ones. */
  cursor: string | null;
  /** The library is still at work: with no ads, ask again later with `cursor`. */
  isRunning: boolean;
}

export interface AdLibrary {
  readonly name: string;
  /** Whether commercial ads that reach this country are in the library. `ALL` counts as a country. */
  covers(country: string): boolean;
  /**
   * Begins a search and answers the first cursor. MUST be safe to repeat with the same `token`:
   * a search that was begun before is looked for first and adopted. When a start's answer is
   * lost it throws `outcome_unknown`; the caller waits for the vendor's lag and calls again.
   */
  begin(search: AdSearch, token: string, signal?: AbortSignal): Promise<string>;
  /** The first cursor of what was begun with this token; null = nothing is shown. Absent: nothing runs there. */
  find?(token: string, signal?: AbortSignal): Promise<string | null>;
  /** One page. `limit` is a wish: more or fewer may come. */
  page(search: AdSearch, cursor: string, limit: number, signal?: AbortSignal): Promise<AdPage>;
  /** Stops what runs for this cursor. MUST be a no-op when it has ended. */
  end(cursor: string): Promise<void>;
}
