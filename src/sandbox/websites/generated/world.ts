/** The generated businesses as the vendors know them: on the map, in ad libraries, at finders. */
import type { KnownAd } from '../../catalogues/ads.ts';
import type { KnownContact } from '../../catalogues/contacts.ts';
import type { KnownPlace } from '../../catalogues/places.ts';
import type { Site } from '../site-records.ts';
import { BUSINESSES, type Business } from './businesses.ts';
import { CITIES, type City } from './cities.ts';
import type { Trade } from './languages.ts';
import { sitesOf } from './pages.ts';
import { truthOf, websiteOf } from './truth.ts';

export const GENERATED_SITES: Site[] = BUSINESSES.flatMap(sitesOf);

export const SITE_TRUTHS = BUSINESSES.map(truthOf);

const ON_THE_MAP: Record<Trade, { category: string; keywords: string }> = {
  cafe: { category: 'Coffee shop', keywords: 'coffee cafe café kaffee' },
  dentist: { category: 'Dentist', keywords: 'dentist dental clinic zahnarzt dentiste' },
  roofer: { category: 'Roofing contractor', keywords: 'roofer roofing dachdecker couvreur' },
};

export const GENERATED_PLACES: KnownPlace[] = [
  ...BUSINESSES.map(toPlace),
  // In each city a bakery without a website, in every second one closed for good.
  ...CITIES.map(toBakery),
];

function toPlace(business: Business): KnownPlace {
  const { number, trade, city, street, phone, name } = business;
  const { category, keywords } = ON_THE_MAP[trade];
  return {
    ...whereabouts(city, street, number),
    placeId: `ChIJsandbox${String(number).padStart(4, '0')}`,
    title: name,
    categoryName: category,
    categories: [category],
    website: websiteOf(business),
    phone: phone.e164,
    phoneUnformatted: phone.e164,
    totalScore: (36 + (number % 14)) / 10,
    reviewsCount: 12 + number * 7,
    searchString: keywords,
  };
}

function toBakery(city: City, number: number): KnownPlace {
  const category = 'Bakery';
  return {
    ...whereabouts(city, city.streets[0]!.replace(/\d+/, '99'), number),
    placeId: `ChIJsandbox9${String(number).padStart(3, '0')}`,
    title: `Bakery ${city.name}`,
    categoryName: category,
    categories: [category],
    website: null,
    totalScore: (30 + (number % 10)) / 10,
    reviewsCount: number,
    permanentlyClosed: number % 2 === 1,
    searchString: 'bakery bread',
  };
}

function whereabouts(city: City, street: string, number: number) {
  return {
    address: `${street}, ${city.postalCode} ${city.name}`,
    street,
    city: city.name,
    state: city.state,
    postalCode: city.postalCode,
    countryCode: city.countryCode,
    location: { lat: city.lat + (number % 7) / 1_000, lng: city.lng + (number % 5) / 1_000 },
  };
}

/** Cafés and dentists advertise; an American ad is in the actor's library only. */
export const GENERATED_ADS: KnownAd[] = BUSINESSES.filter(({ trade }) => trade !== 'roofer').map(
  (business) => {
    const { number, name, host, city, trade, language } = business;
    return {
      id: String(700_000_000_000_000 + number),
      page_id: String(100_000_000_000 + number),
      page_name: name,
      countries: [city.countryCode],
      ad_creative_bodies: [`${language.offers[trade]} (${ON_THE_MAP[trade].keywords})`],
      ad_creative_link_titles: [name],
      ad_creative_link_captions: [host],
      ad_delivery_start_time: `2026-0${1 + (number % 9)}-15`,
      publisher_platforms: ['facebook', 'instagram'],
      languages: [business.languageCode],
    };
  },
);

/** Owners of cafés are known at Hunter, dentists at Apollo, roofers nowhere. */
export const GENERATED_CONTACTS: KnownContact[] = BUSINESSES.filter(
  ({ trade }) => trade !== 'roofer',
).map(({ number, trade, host, owner, ownerEmail, language, phone }) => ({
  ...owner,
  domain: host,
  email: ownerEmail,
  position: language.words.owner,
  confidence: 80 + (number % 20),
  phone: phone.e164,
  finders: [trade === 'cafe' ? 'hunter' : 'apollo'],
}));
