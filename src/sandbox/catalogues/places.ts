/** The businesses on the map, as the map vendors' stand-ins know them. */
import { z } from 'zod';
import type { Store } from '../store.ts';
import { allOccur, fold, wordsOf } from './words.ts';

const text = z.string().nullish();

/** A row of the maps actor's output; omitted fields are null in answers, unknown ones are kept. */
export const placeSchema = z.looseObject({
  placeId: z.string().min(1),
  title: z.string().min(1),
  categoryName: text,
  categories: z.array(z.string()).nullish(),
  address: text,
  street: text,
  city: text,
  state: text,
  postalCode: text,
  countryCode: text,
  country: text,
  website: text,
  phone: text,
  phoneUnformatted: text,
  location: z.object({ lat: z.number(), lng: z.number() }).nullish(),
  totalScore: z.number().nullish(),
  reviewsCount: z.number().nullish(),
  permanentlyClosed: z.boolean().nullish(),
  temporarilyClosed: z.boolean().nullish(),
  url: text,
  searchString: text,
});
export type KnownPlace = z.infer<typeof placeSchema>;

export interface Places {
  put(places: KnownPlace[]): void;
  clear(): void;
  /** Places from the control API. */
  given(): KnownPlace[];
  byId(placeId: string): KnownPlace | undefined;
  /** The place that a map's address names by its id, or that has the very address. */
  byUrl(url: string): KnownPlace | undefined;
  /** All that `matches`: from the control API if any of its places does, else the world's own. */
  where(matches: (place: KnownPlace) => boolean): KnownPlace[];
}

const COLLECTION = 'places';

export function openPlaces(store: Store, generated: KnownPlace[]): Places {
  const given = () => store.list<KnownPlace>(COLLECTION);
  const all = () => [...given(), ...generated];
  return {
    given,
    put: (places) =>
      store.batch(() => {
        for (const place of places) store.put(COLLECTION, place.placeId, place);
      }),
    clear: () =>
      store.batch(() => {
        for (const { placeId } of given()) store.delete(COLLECTION, placeId);
      }),
    byId: (placeId) => all().find((place) => place.placeId === placeId),
    byUrl: (url) =>
      all().find((place) => place.url === url || decodeURIComponent(url).includes(place.placeId)),
    where(matches) {
      const own = given().filter(matches);
      return own.length > 0 ? own : generated.filter(matches);
    },
  };
}

/** The map's address of a place that came without one. */
export const mapUrlOf = (place: KnownPlace): string =>
  place.url ??
  `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(place.title)}&query_place_id=${place.placeId}`;

/** Each word of the search occurs in title, category or the place's own search string. */
export const isAbout = (place: KnownPlace, search: string): boolean =>
  allOccur(search, [
    place.title,
    place.categoryName,
    ...(place.categories ?? []),
    place.searchString,
  ]);

/** Whether one word of the location is in city, state, postal code, address or country. */
export function isAt(place: KnownPlace, location: string): boolean {
  const { city, state, postalCode, address, countryCode, country } = place;
  const known = [city, state, postalCode, address, countryCode, country].filter((p) => p != null);
  const asked = wordsOf(location);
  if (known.length === 0 || asked.length === 0) return true;
  const there = new Set(known.flatMap(wordsOf));
  return asked.some((word) => there.has(word)) || isCountry(place, location);
}

/** `Germany` alone matches wherever the country code is DE. */
export const isCountry = (place: KnownPlace, location: string): boolean =>
  countryNames(place.countryCode).includes(fold(location).trim());

const english = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

export function countryNames(code: string | null | undefined): string[] {
  if (code == null || !/^[a-z]{2}$/i.test(code)) return [];
  const name = english.of(code.toUpperCase());
  const more = { US: ['usa'], GB: ['uk'] }[code.toUpperCase()] ?? [];
  return [...(name === undefined ? [] : [fold(name)]), ...more];
}
