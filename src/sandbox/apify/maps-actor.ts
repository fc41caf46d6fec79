/** `compass/crawler-google-places`: places of a search, of addresses and of ids, filtered. */
import { isAbout, isAt, mapUrlOf, type KnownPlace, type Places } from '../catalogues/places.ts';
import { fold } from '../catalogues/words.ts';
import { failedWork, magicOf, magicWork, workingMs, type Actor, type ActorWork } from './actors.ts';
import { mapsInputProblem, readMapsInput, STARS, type MapsInput } from './maps-input.ts';

/** Without a location the map shows one screen. */
const ONE_SCREEN = 120;
/** US dollars, as on the actor's page: a place, and a place that a filter checked. */
const PRICE_PER_PLACE = 0.004;
const PRICE_PER_FILTER = 0.001;

export const createMapsActor = (places: Places): Actor => ({
  id: 'nwua9Gu5YrADL7ZDj',
  username: 'compass',
  name: 'crawler-google-places',
  buildNumber: '0.12.34',
  problemOf: mapsInputProblem,
  pricePerItem: (input) => PRICE_PER_PLACE + PRICE_PER_FILTER * filtersOf(readMapsInput(input)),
  work: (input) => scrape(places, readMapsInput(input)),
});

function scrape(places: Places, input: MapsInput): ActorWork {
  const queries = queriesOf(places, input);
  const items = queries.flatMap(({ shown, find }) => {
    const found = find().filter((place) => passes(place, input));
    const most = input.maxCrawledPlacesPerSearch ?? Number.POSITIVE_INFINITY;
    return found.slice(0, most).map((place, index) => toRow(place, input, { ...shown, index }));
  });
  if (queries.length === 0) return failedWork('No search terms, URLs or place IDs were given.');
  return magicWork(input.searchStringsArray ?? [], {
    items,
    outcome: 'SUCCEEDED',
    statusMessage: `Finished: scraped ${items.length} places.`,
    durationMs: workingMs(items.length),
  });
}

interface Query {
  /** Where the rows say they were found. */
  shown: { searchString: string | null; searchPageUrl: string };
  find: () => KnownPlace[];
}

function queriesOf(places: Places, input: MapsInput): Query[] {
  const searches = (input.searchStringsArray ?? []).map((searchString) => ({
    shown: { searchString, searchPageUrl: searchPageUrl(searchString, input) },
    find: () => search(places, magicOf(searchString).rest, input.locationQuery),
  }));
  const urls = (input.startUrls ?? []).map(({ url }) => ({
    shown: { searchString: null, searchPageUrl: url },
    find: () => atUrl(places, url),
  }));
  const ids = (input.placeIds ?? []).map((id) => ({
    shown: {
      searchString: null,
      searchPageUrl: `https://www.google.com/maps/place/?q=place_id:${id}`,
    },
    find: () => [places.byId(id)].filter((place) => place !== undefined),
  }));
  return [...searches, ...urls, ...ids];
}

function search(places: Places, words: string, location = ''): KnownPlace[] {
  const found = places.where((place) => isAbout(place, words) && isAt(place, location));
  return location === '' ? found.slice(0, ONE_SCREEN) : found;
}

/** `/maps/search/<words>/...` is a search, anything else names a place. */
function atUrl(places: Places, url: string): KnownPlace[] {
  const words = /\/maps\/search\/([^/?@]+)/.exec(url)?.[1];
  const place = places.byUrl(url);
  if (place !== undefined) return [place];
  if (words === undefined) return [];
  return search(places, decodeURIComponent(words.replaceAll('+', ' ')));
}

const filtersOf = ({
  website,
  placeMinimumStars,
  categoryFilterWords,
  skipClosedPlaces,
}: MapsInput) =>
  [
    website !== undefined && website !== 'allPlaces',
    (placeMinimumStars ?? '') !== '',
    (categoryFilterWords ?? []).length > 0,
    skipClosedPlaces === true,
  ].filter(Boolean).length;

function passes(place: KnownPlace, input: MapsInput): boolean {
  const { website, placeMinimumStars = '', categoryFilterWords = [] } = input;
  const hasWebsite = (place.website ?? '') !== '';
  if (website === 'withWebsite' && !hasWebsite) return false;
  if (website === 'withoutWebsite' && hasWebsite) return false;
  if (placeMinimumStars !== '' && (place.totalScore ?? 0) < STARS[placeMinimumStars]!) return false;
  const isClosed = place.permanentlyClosed === true || place.temporarilyClosed === true;
  if (input.skipClosedPlaces === true && isClosed) return false;
  const categories = fold([place.categoryName, ...(place.categories ?? [])].join('\n'));
  // Categories match loosely.
  if (
    categoryFilterWords.length > 0 &&
    !categoryFilterWords.some((w) => categories.includes(fold(w)))
  ) {
    return false;
  }
  return matchesTitle(place, input);
}

function matchesTitle(
  place: KnownPlace,
  { searchMatching = 'all', searchStringsArray = [] }: MapsInput,
) {
  const title = fold(place.title);
  const terms = searchStringsArray.map((term) => fold(magicOf(term).rest));
  if (searchMatching === 'only_includes') return terms.some((term) => title.includes(term));
  return searchMatching === 'all' || terms.includes(title);
}

const searchPageUrl = (text: string, { locationQuery = '', language = 'en' }: MapsInput): string =>
  `https://www.google.com/maps/search/${encodeURIComponent(`${text} ${locationQuery}`.trim())}?hl=${language}`;

const CONTACT_LISTS = [
  'emails',
  'phones',
  'instagrams',
  'facebooks',
  'linkedIns',
  'youtubes',
  'tiktoks',
  'twitters',
];

/** The keys of a row, null where the map has no value; further keys from the control API are kept. */
function toRow(
  place: KnownPlace,
  input: MapsInput,
  { index, ...query }: Query['shown'] & { index: number },
): object {
  const contacts = CONTACT_LISTS.map((name) => [name, place[name] ?? []]);
  const { country: _country, ...given } = place;
  for (const name of CONTACT_LISTS) delete given[name];
  return {
    categoryName: null,
    categories: place.categoryName == null ? [] : [place.categoryName],
    address: null,
    street: null,
    city: null,
    state: null,
    postalCode: null,
    countryCode: null,
    website: null,
    phone: null,
    phoneUnformatted: place.phone?.replaceAll(/[^+\d]/g, '') ?? null,
    location: null,
    totalScore: null,
    reviewsCount: 0,
    permanentlyClosed: false,
    temporarilyClosed: false,
    cid: null,
    isAdvertisement: false,
    scrapedAt: new Date().toISOString(),
    ...given,
    url: mapUrlOf(place),
    ...query,
    rank: index + 1,
    ...(input.scrapeContacts === true && Object.fromEntries(contacts)),
  };
}
