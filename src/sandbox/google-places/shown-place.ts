/** A place as Google's Places API (New) shows it, and only what the field mask names of it. */
import { countryNames, mapUrlOf, type KnownPlace } from '../catalogues/places.ts';
import { fold, wordsOf } from '../catalogues/words.ts';
import type { Mask } from './field-mask.ts';

type Shown = Record<string, unknown>;

/** All that is known; what is not known is left out, as Google does. */
function wholePlace(place: KnownPlace, languageCode: string): Shown {
  const closed = place.permanentlyClosed === true ? 'CLOSED_PERMANENTLY' : 'CLOSED_TEMPORARILY';
  const isOpen = place.permanentlyClosed !== true && place.temporarilyClosed !== true;
  const category = place.categoryName ?? undefined;
  const text = (value: string | null | undefined) =>
    value == null ? undefined : { text: value, languageCode };
  return {
    name: `places/${place.placeId}`,
    id: place.placeId,
    types: typesOf(place),
    primaryType: category === undefined ? undefined : typeName(category),
    primaryTypeDisplayName: text(category),
    displayName: text(place.title),
    formattedAddress: addressOf(place),
    shortFormattedAddress: place.street ?? undefined,
    addressComponents: componentsOf(place, languageCode),
    location: place.location && {
      latitude: place.location.lat,
      longitude: place.location.lng,
    },
    rating: place.totalScore ?? undefined,
    userRatingCount: place.reviewsCount ?? undefined,
    websiteUri: place.website ?? undefined,
    internationalPhoneNumber: place.phone ?? undefined,
    nationalPhoneNumber: place.phoneUnformatted ?? undefined,
    businessStatus: isOpen ? 'OPERATIONAL' : closed,
    googleMapsUri: mapUrlOf(place),
  };
}

export const shownPlace = (
  place: KnownPlace,
  { mask, language }: { mask: Mask; language: string },
) =>
  Object.fromEntries(
    Object.entries(wholePlace(place, language)).filter(
      ([name, value]) => value != null && (mask.place?.has(name) ?? true),
    ),
  );

/** `Coffee shop` -> `coffee_shop`. */
export const typeName = (category: string): string => wordsOf(category).join('_');

export const typesOf = (place: KnownPlace): string[] => {
  const categories = [place.categoryName, ...(place.categories ?? [])].filter((c) => c != null);
  return [...new Set(categories.map(typeName)), 'point_of_interest', 'establishment'];
};

const addressOf = (place: KnownPlace): string | undefined => {
  const town = [place.postalCode, place.city].filter((part) => part != null).join(' ');
  const parts = [place.street, town, countryOf(place)].filter(
    (part) => part != null && part !== '',
  );
  return place.address ?? (parts.length === 0 ? undefined : parts.join(', '));
};

const english = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
const countryOf = ({ country, countryCode }: KnownPlace): string | undefined =>
  country ??
  (countryNames(countryCode).length > 0 ? english.of(countryCode!.toUpperCase()) : undefined);

function componentsOf(place: KnownPlace, languageCode: string): object[] | undefined {
  const code = place.countryCode?.toUpperCase();
  const parts: [string | null | undefined, string[], string | undefined][] = [
    [place.street, ['route'], undefined],
    [place.city, ['locality', 'political'], undefined],
    [place.state, ['administrative_area_level_1', 'political'], undefined],
    [countryOf(place), ['country', 'political'], code],
    [place.postalCode, ['postal_code'], undefined],
  ];
  const components = parts.flatMap(([longText, types, shortText]) =>
    longText == null ? [] : [{ longText, shortText: shortText ?? longText, types, languageCode }],
  );
  return components.length === 0 ? undefined : components;
}

/** All words under which a place may be asked for, folded. */
export const wordsAbout = (place: KnownPlace): string =>
  fold(
    [place.title, place.categoryName, ...(place.categories ?? []), place.searchString].join('\n'),
  );
