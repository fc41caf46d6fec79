/**
 * Google Places API (New), Text Search: the alternate for searches by words.
 *
 * 20 places a page and 60 in all; every page must repeat the same parameters. Nothing is started at
 * the vendor: a cursor is `<query>:<places so far>:<page token>`. Its terms restrict what may be
 * stored for long, which is why it is not the first choice.
 */
import { z } from 'zod';
import { ProviderError } from '../../domain/errors.ts';
import { createJsonClient, type JsonClient } from '../http-client.ts';
import { type Refusal, commonRefusal, refusalFacts, refusalMessage } from '../http-failures.ts';
import { defineVendor, type ProviderTools } from '../vendor.ts';
import { fits } from './filters.ts';
import type { MapsProvider, MapsSearch, Place, PlacePage } from './port.ts';

const PROVIDER = 'places';
const PAGE_SIZE = 20;
/** The vendor gives no more for one query. */
const MAX_PER_QUERY = 60;

const settings = z.object({
  GOOGLE_PLACES_KEY: z.string().min(1),
  GOOGLE_PLACES_URL: z.url().default('https://places.googleapis.com'),
});

const place = z.object({
  id: z.string().min(1),
  displayName: z.object({ text: z.string().trim().min(1) }),
  formattedAddress: z.string().optional(),
  addressComponents: z
    .array(
      z.object({
        longText: z.string().optional(),
        shortText: z.string().optional(),
        types: z.array(z.string()),
      }),
    )
    .optional(),
  location: z.object({ latitude: z.number(), longitude: z.number() }).optional(),
  websiteUri: z.string().optional(),
  internationalPhoneNumber: z.string().optional(),
  rating: z.number().optional(),
  userRatingCount: z.int().optional(),
  businessStatus: z.string().optional(),
  primaryTypeDisplayName: z.object({ text: z.string() }).optional(),
  types: z.array(z.string()).optional(),
  googleMapsUri: z.string().optional(),
});
/** Left out of the mask, a field is not sent; without the token paging silently ends. */
const FIELD_MASK = [...Object.keys(place.shape).map((name) => `places.${name}`), 'nextPageToken'];

const searchAnswer = z.object({
  places: z.array(z.unknown()).optional(),
  nextPageToken: z.string().optional(),
});

export const places = defineVendor({
  name: PROVIDER,
  settings,
  developmentVariables: ['GOOGLE_PLACES_URL'],
  ownHosts: ['places.googleapis.com'],
  create: createPlaces,
});

function createPlaces(config: z.infer<typeof settings>, tools: ProviderTools): MapsProvider {
  const client = createJsonClient({
    provider: PROVIDER,
    baseUrl: config.GOOGLE_PLACES_URL,
    headers: {
      'x-goog-api-key': config.GOOGLE_PLACES_KEY,
      'x-goog-fieldmask': FIELD_MASK.join(','),
    },
    secrets: [config.GOOGLE_PLACES_KEY],
    timeoutMs: tools.timeoutMs,
    refused: placesRefusal,
  });
  return {
    name: PROVIDER,
    // Searches by words only.
    canSearch: ({ searchStrings }) => searchStrings.length > 0,
    shortcomings,
    begin: async (search) => {
      if (search.searchStrings.length > 0) return '0:0:';
      const message = `${PROVIDER}: searches by words only, not by addresses or place ids`;
      throw new ProviderError('rejected', message, { provider: PROVIDER });
    },
    find: async () => null,
    page: (search, cursor, _limit, signal) => page(client, { search, cursor, signal }),
    end: async () => undefined,
  };
}

function shortcomings(search: MapsSearch): string[] {
  const said: string[] = [];
  if (search.startUrls.length > 0) said.push('Google Places cannot search by startUrls');
  if (search.placeIds.length > 0) said.push('Google Places cannot search by placeIds');
  if (search.searchStrings.length > 0 && search.maxPlacesPerSearch > MAX_PER_QUERY) {
    said.push(`Google Places gives at most ${MAX_PER_QUERY} places per search`);
  }
  return said;
}

async function page(
  client: JsonClient,
  asked: { search: MapsSearch; cursor: string; signal: AbortSignal | undefined },
): Promise<PlacePage> {
  const { search, signal } = asked;
  const { query, taken, pageToken } = readCursor(asked.cursor);
  const searchString = search.searchStrings[query]!;
  const answer = await client.send({
    method: 'POST',
    path: '/v1/places:searchText',
    body: { ...parameters(search, searchString), ...(pageToken !== '' && { pageToken }) },
    repeatable: true,
    answer: searchAnswer,
    signal,
  });
  const found = (answer.places ?? [])
    .flatMap((one) => placeOf(one, searchString))
    .filter((one) => fits(one, search) && isOfCategory(one, search))
    .slice(0, search.maxPlacesPerSearch - taken);
  const total = taken + found.length;
  const goesOn = answer.nextPageToken !== undefined && total < search.maxPlacesPerSearch;
  const processedQueries = goesOn ? query : query + 1;
  const isEnd = processedQueries === search.searchStrings.length;
  return {
    places: found.map(({ types: _types, ...one }) => one),
    cursor: isEnd ? null : goesOn ? `${query}:${total}:${answer.nextPageToken}` : `${query + 1}:0:`,
    isRunning: false,
    processedQueries,
    endedEarly: null,
  };
}

/** The same on every page of a query, or the vendor refuses the page's token. */
function parameters(search: MapsSearch, searchString: string): object {
  const { minimumStars, locationQuery, language, countryCode } = search;
  return {
    textQuery: [searchString, locationQuery].filter(Boolean).join(' '),
    languageCode: language,
    regionCode: countryCode.toUpperCase(),
    pageSize: PAGE_SIZE,
    // The vendor rounds up to half stars; rounded down, nothing is lost, and filtered exactly later.
    ...((minimumStars ?? 0) > 0 && { minRating: Math.floor(minimumStars! * 2) / 2 }),
  };
}

function readCursor(cursor: string): { query: number; taken: number; pageToken: string } {
  const [query, taken, ...token] = cursor.split(':');
  return { query: Number(query), taken: Number(taken), pageToken: token.join(':') };
}

/** The vendor filters no categories: a place fits when one of the words is in its name or a type. */
function isOfCategory(one: Place & { types: string[] }, { categoryFilterWords }: MapsSearch) {
  if (categoryFilterWords.length === 0) return true;
  const names = [one.category ?? '', ...one.types].map((name) => name.toLowerCase());
  return categoryFilterWords.some((word) =>
    names.some((name) => name.includes(word.trim().toLowerCase())),
  );
}

function placeOf(item: unknown, searchString: string): (Place & { types: string[] })[] {
  const parsed = place.safeParse(item);
  if (!parsed.success) return [];
  const { data } = parsed;
  const part = (type: string, form: 'longText' | 'shortText' = 'longText') =>
    data.addressComponents?.find(({ types }) => types.includes(type))?.[form] ?? null;
  const types = (data.types ?? []).map((type) => type.replaceAll('_', ' '));
  return [
    {
      placeId: data.id,
      title: data.displayName.text,
      category: data.primaryTypeDisplayName?.text ?? types[0] ?? null,
      address: data.formattedAddress ?? null,
      city: part('locality') ?? part('postal_town'),
      state: part('administrative_area_level_1'),
      postalCode: part('postal_code'),
      countryCode: part('country', 'shortText')?.toUpperCase() ?? null,
      website: data.websiteUri ?? null,
      phone: data.internationalPhoneNumber ?? null,
      rating: data.rating ?? null,
      reviewsCount: data.userRatingCount ?? null,
      isClosed: (data.businessStatus ?? 'OPERATIONAL') !== 'OPERATIONAL',
      mapsUrl: data.googleMapsUri ?? null,
      searchString,
      latitude: data.location?.latitude ?? null,
      longitude: data.location?.longitude ?? null,
      types,
    },
  ];
}

const errorBody = z.object({
  error: z.object({
    message: z.string(),
    status: z.string(),
    details: z.array(z.looseObject({ reason: z.string().optional() })).optional(),
  }),
});
const AUTH_HINT =
  'Check GOOGLE_PLACES_KEY: Places API (New) and billing must be on in its project.';

/** google.rpc errors. An invalid key comes as 400 INVALID_ARGUMENT. */
function placesRefusal(refusal: Refusal): ProviderError {
  const parsed = errorBody.safeParse(refusal.body);
  const code = parsed.success ? parsed.data.error.status : String(refusal.status);
  const text = parsed.success ? `${code}: ${parsed.data.error.message}` : 'no explanation';
  const message = refusalMessage(PROVIDER, refusal, text);
  const facts = refusalFacts(PROVIDER, refusal, code);
  const reasons = parsed.success ? (parsed.data.error.details ?? []) : [];
  if (reasons.some(({ reason }) => reason === 'API_KEY_INVALID')) {
    return new ProviderError('auth', message, { ...facts, operatorHint: AUTH_HINT });
  }
  return (
    commonRefusal(PROVIDER, refusal, { code, text, authHint: AUTH_HINT }) ??
    new ProviderError('rejected', message, facts)
  );
}
