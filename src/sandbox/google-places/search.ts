/** Text Search (New): words in, twenty places a page, sixty in all. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { countryNames, type KnownPlace, type Places } from '../catalogues/places.ts';
import { fold, wordsOf } from '../catalogues/words.ts';
import type { Mask } from './field-mask.ts';
import { shownPlace, typesOf, wordsAbout } from './shown-place.ts';
import { invalidArgument } from './wire.ts';

const MAX_PAGE_SIZE = 20;
const MAX_PLACES = 60;
/** Words between a kind of business and a place. */
const FILLERS = new Set('in near at around bei nahe en a de la le el the und and et y'.split(' '));

const point = z.object({ latitude: z.number(), longitude: z.number() });
const rectangle = z.object({ low: point, high: point });
const searchBody = z.strictObject({
  textQuery: z.string(),
  languageCode: z.string().optional(),
  regionCode: z.string().optional(),
  rankPreference: z.enum(['RANK_PREFERENCE_UNSPECIFIED', 'DISTANCE', 'RELEVANCE']).optional(),
  includedType: z.string().optional(),
  strictTypeFiltering: z.boolean().optional(),
  openNow: z.boolean().optional(),
  minRating: z.number().optional(),
  maxResultCount: z.int().optional(),
  pageSize: z.int().optional(),
  pageToken: z.string().optional(),
  priceLevels: z.array(z.string()).optional(),
  locationBias: z.object({}).loose().optional(),
  locationRestriction: z.strictObject({ rectangle }).optional(),
  includePureServiceAreaBusinesses: z.boolean().optional(),
});
type Search = z.infer<typeof searchBody>;

export function searchText(places: Places, body: unknown, mask: Mask): object {
  const search = readSearch(body);
  const offset = offsetOf(search);
  const asked = (place: KnownPlace) => isAskedFor(place, search.textQuery);
  const found = places
    .where(asked)
    .filter((place) => passes(place, search))
    .slice(0, MAX_PLACES);
  const end = offset + pageSizeOf(search);
  const language = search.languageCode ?? 'en';
  const shown = found.slice(offset, end).map((place) => shownPlace(place, { mask, language }));
  // Google omits empty fields from every answer.
  return {
    ...(shown.length > 0 && { places: shown }),
    ...(end < found.length && mask.nextPageToken && { nextPageToken: tokenOf(search, end) }),
  };
}

function readSearch(body: unknown): Search {
  const parsed = searchBody.safeParse(body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue!.path.join('.');
    if (issue!.code === 'unrecognized_keys') {
      const name = `Unknown name "${issue!.keys[0]}"`;
      throw invalidArgument(`Invalid JSON payload received. ${name}: Cannot find field.`);
    }
    throw invalidArgument(`Invalid value at '${where || 'body'}': ${issue!.message}`);
  }
  const { textQuery, minRating = 0, pageSize = 0 } = parsed.data;
  if (textQuery.trim() === '') throw invalidArgument('Empty text_query.');
  if (minRating < 0 || minRating > 5) throw invalidArgument('min_rating must be between 0 and 5.');
  if (pageSize < 0) throw invalidArgument('page_size must not be negative.');
  return parsed.data;
}

const pageSizeOf = ({ pageSize, maxResultCount }: Search): number =>
  Math.min(MAX_PAGE_SIZE, (pageSize || maxResultCount) ?? MAX_PAGE_SIZE) || MAX_PAGE_SIZE;

/** Whether each word is about the place or its location. */
function isAskedFor(place: KnownPlace, textQuery: string): boolean {
  const about = wordsAbout(place);
  const there = placeWords(place);
  const words = wordsOf(textQuery).filter((word) => !FILLERS.has(word));
  const isAbout = (word: string) => about.includes(word);
  const isThere = (word: string) => there === undefined || there.has(word);
  return words.some(isAbout) && words.every((word) => isAbout(word) || isThere(word));
}

/** Undefined: its location is unknown, so it may be anywhere. */
function placeWords(place: KnownPlace): Set<string> | undefined {
  const { city, state, postalCode, address, countryCode, country } = place;
  const known = [city, state, postalCode, address, countryCode, country].filter((p) => p != null);
  if (known.length === 0) return undefined;
  return new Set([...known, ...countryNames(countryCode)].flatMap(wordsOf));
}

function passes(place: KnownPlace, search: Search): boolean {
  const { minRating = 0, includedType, strictTypeFiltering, locationRestriction } = search;
  // Rounded up to the next half.
  if (minRating > 0 && (place.totalScore ?? 0) < Math.ceil(minRating * 2) / 2) return false;
  if (strictTypeFiltering === true && includedType !== undefined) {
    if (!typesOf(place).includes(fold(includedType))) return false;
  }
  if (locationRestriction === undefined || place.location == null) return true;
  const { low, high } = locationRestriction.rectangle;
  const { lat, lng } = place.location;
  const isBetween = (value: number, from: number, to: number) => value >= from && value <= to;
  return (
    isBetween(lat, low.latitude, high.latitude) && isBetween(lng, low.longitude, high.longitude)
  );
}

/** What must not change between pages. */
function fingerprint({ pageToken: _t, pageSize: _s, maxResultCount: _m, ...rest }: Search): string {
  const sorted = Object.entries(rest).toSorted(([a], [b]) => a.localeCompare(b));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex').slice(0, 16);
}

const tokenOf = (search: Search, offset: number): string =>
  Buffer.from(`${fingerprint(search)}:${offset}`).toString('base64url');

function offsetOf(search: Search): number {
  if (search.pageToken === undefined || search.pageToken === '') return 0;
  const [asked, offset] = Buffer.from(search.pageToken, 'base64url').toString().split(':');
  if (!/^\d+$/.test(offset ?? '')) throw invalidArgument('Invalid page token.');
  if (asked === fingerprint(search)) return Number(offset);
  throw invalidArgument(
    'Request parameters must match the parameters of the request that returned the page token.',
  );
}
