/** The businesses of the generated world: their data, and how their website is built. */
import { fold } from '../../catalogues/words.ts';
import { CITIES, type City } from './cities.ts';
import { LANGUAGES, TRADES, type Language, type Trade } from './languages.ts';
import { WRITINGS, type Writing } from './writings.ts';

/** The peculiarity of a site: see docs/world.md. */
export type Quirk = 'robots' | 'slow' | 'www' | 'down' | 'latin1' | 'sitemap';

export interface Business {
  /** 0, 1, 2 ...: chooses what varies. */
  number: number;
  name: string;
  host: string;
  trade: Trade;
  city: City;
  language: Language;
  languageCode: string;
  street: string;
  owner: { firstName: string; lastName: string };
  /** As people there write it, and E.164. */
  phone: { shown: string; e164: string };
  /** null: it has none. */
  fax: { shown: string; e164: string } | null;
  /** `info@`, on the contact page. */
  email: string;
  /** Every second one shows it on the about page. */
  ownerEmail: string;
  showsOwnerEmail: boolean;
  writing: Writing;
  profiles: string[];
  quirk: Quirk | undefined;
}

/** By number: one of each kind, spread over countries. */
const QUIRKS: Record<number, Quirk> = {
  5: 'robots',
  10: 'slow',
  17: 'www',
  23: 'down',
  14: 'latin1',
  28: 'sitemap',
};

export const BUSINESSES: Business[] = CITIES.flatMap((city, cityNumber) =>
  TRADES.map((trade, place) => toBusiness(city, { trade, place, number: cityNumber * 3 + place })),
);

interface Placing {
  trade: Trade;
  /** Of the three in a city. */
  place: number;
  number: number;
}

function toBusiness(city: City, { trade, place, number }: Placing): Business {
  const language: Language = LANGUAGES[city.language];
  const [firstName, lastName] = city.owners[place]!;
  const name = language.names[trade].replace('{x}', lastName);
  const host = `${slug(name)}.test`;
  const handle = slug(name).replaceAll('-', '');
  return {
    number,
    name,
    host,
    trade,
    city,
    language,
    languageCode: city.language,
    street: city.streets[place]!,
    owner: { firstName, lastName },
    phone: line(city, `0${place + 1}`),
    fax: trade === 'dentist' ? line(city, `1${place + 1}`) : null,
    email: `info@${host}`,
    ownerEmail: `${slug(firstName)}.${slug(lastName)}@${host}`,
    showsOwnerEmail: number % 2 === 0,
    writing: WRITINGS[number % WRITINGS.length]!,
    profiles: [
      `https://www.facebook.com/${handle}`,
      ...(number % 2 === 0 ? [`https://www.instagram.com/${handle}`] : []),
      ...(number % 4 === 3 ? [`https://www.linkedin.com/company/${slug(name)}`] : []),
    ],
    quirk: QUIRKS[number],
  };
}

/** `Café Île-Öl` -> `cafe-ile-ol`. */
function slug(text: string): string {
  const folded = fold(text.replaceAll('ł', 'l'));
  return folded.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, '');
}

/** A leading zero is for calls inside the country, except in Italy, where it stays. */
function line({ dialling, countryCode, lines }: City, digits: string) {
  const shown = lines + digits;
  const national = shown.replaceAll(/\D/g, '');
  const international = countryCode === 'IT' ? national : national.replace(/^0/, '');
  return { shown, e164: `+${dialling}${international}` };
}
