/** A search as input of the actor `compass/crawler-google-places`. */
import type { MapsSearch } from './port.ts';

/** The actor takes stars as words; none is below two. */
const STAR_WORDS = [
  [4.5, 'fourAndHalf'],
  [4, 'four'],
  [3.5, 'threeAndHalf'],
  [3, 'three'],
  [2.5, 'twoAndHalf'],
  [2, 'two'],
] as const;

/**
 * The next word that is not above the minimum, '' = none: a word above it would lose places between the
 * two; places below the minimum are filtered out exactly afterwards.
 */
export const starWord = (minimum: number | null): string =>
  STAR_WORDS.find(([stars]) => (minimum ?? 0) >= stars)?.[1] ?? '';

/** Omitted options cost nothing; options that cost and are not wanted are switched off explicitly. */
export function actorInput(search: MapsSearch): object {
  return {
    ...(search.searchStrings.length > 0 && { searchStringsArray: search.searchStrings }),
    ...(search.startUrls.length > 0 && { startUrls: search.startUrls.map((url) => ({ url })) }),
    ...(search.placeIds.length > 0 && { placeIds: search.placeIds }),
    ...(search.locationQuery !== '' && { locationQuery: search.locationQuery }),
    countryCode: search.countryCode,
    language: search.language,
    maxCrawledPlacesPerSearch: search.maxPlacesPerSearch,
    website: search.website,
    placeMinimumStars: starWord(search.minimumStars),
    ...(search.categoryFilterWords.length > 0 && {
      categoryFilterWords: search.categoryFilterWords,
    }),
    searchMatching: 'all',
    skipClosedPlaces: search.skipClosedPlaces,
    scrapePlaceDetailPage: false,
    // Websites are visited by our own crawler.
    scrapeContacts: false,
    maximumLeadsEnrichmentRecords: 0,
    maxReviews: 0,
    maxImages: 0,
    maxQuestions: 0,
  };
}
