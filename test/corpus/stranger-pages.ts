/** Legal and privacy pages of many countries, with the numbers of the business and of another one. */

export interface Stranger {
  name: string;
  country: string;
  language: string;
  page: { path: string; word: string };
  html: string;
  /** Whether the contacts in it are the business's own. */
  isOwn: boolean;
}

/** The business's own data, and those of others, by country: as it is written, and as E.164. */
const NUMBERS: Record<string, { own: [string, string]; other: [string, string] }> = {
  DE: { own: ['030 23125014', '+493023125014'], other: ['0341 5550177', '+493415550177'] },
  AT: { own: ['01 5120014', '+4315120014'], other: ['0316 555017', '+43316555017'] },
  FR: { own: ['01 99 00 12 34', '+33199001234'], other: ['04 72 00 55 17', '+33472005517'] },
  ES: { own: ['912 345 012', '+34912345012'], other: ['934 555 017', '+34934555017'] },
  IT: { own: ['06 5550 1234', '+390655501234'], other: ['02 4871 4236', '+390248714236'] },
  GB: { own: ['020 7946 0123', '+442079460123'], other: ['0161 496 0177', '+441614960177'] },
  NL: { own: ['020 555 0123', '+31205550123'], other: ['070 555 0177', '+31705550177'] },
  PL: { own: ['22 555 01 23', '+48225550123'], other: ['12 555 01 77', '+48125550177'] },
  PT: { own: ['212 345 012', '+351212345012'], other: ['222 345 017', '+351222345017'] },
  CZ: { own: ['224 555 012', '+420224555012'], other: ['541 555 017', '+420541555017'] },
  TR: { own: ['0212 555 01 23', '+902125550123'], other: ['0312 555 01 77', '+903125550177'] },
  RU: { own: ['8 (495) 555-01-23', '+74955550123'], other: ['8 (812) 555-01-77', '+78125550177'] },
  FI: { own: ['09 5550 123', '+35895550123'], other: ['03 5550 177', '+35835550177'] },
  JP: { own: ['03-5550-1234', '+81355501234'], other: ['06-5550-0177', '+81655500177'] },
  HU: { own: ['06 1 555 0123', '+3615550123'], other: ['06 52 555 017', '+3652555017'] },
  SE: { own: ['08-555 012 34', '+46855501234'], other: ['031-755 01 77', '+46317550177'] },
  DK: { own: ['33 55 01 23', '+4533550123'], other: ['86 55 01 77', '+4586550177'] },
  HR: { own: ['01 5550 123', '+38515550123'], other: ['021 555 017', '+38521555017'] },
};
export const numbersOf = (country: string): (typeof NUMBERS)[string] => NUMBERS[country]!;

export const OWN_MAIL = 'info@ahornhof.test';
export const OTHER_MAIL = 'office@weidenbund.test';

/** `{tel}`, `{mail}` and `{web}` are those of the other one. */
const fill = (text: string, country: string): string =>
  text
    .replaceAll('{tel}', numbersOf(country).other[0])
    .replaceAll('{mail}', OTHER_MAIL)
    .replaceAll('{web}', 'www.weidenbund.test');

export type Page = [language: string, country: string, path: string, word: string];
export const IMPRESSUM: Page = ['de', 'DE', '/impressum', 'Impressum'];
export const DATENSCHUTZ: Page = ['de', 'DE', '/datenschutz', 'Datenschutzerklärung'];
export const KONTAKT: Page = ['de', 'DE', '/kontakt', 'Kontakt'];
export const OESTERREICH: Page = ['de', 'AT', '/impressum', 'Impressum'];
export const LEGAL: Page = ['en', 'GB', '/legal-notice', 'Legal notice'];
export const PRIVACY: Page = ['en', 'GB', '/privacy-policy', 'Privacy policy'];
export const MENTIONS: Page = ['fr', 'FR', '/mentions-legales', 'Mentions légales'];
export const CONFIDENTIALITE: Page = [
  'fr',
  'FR',
  '/politique-de-confidentialite',
  'Confidentialité',
];
export const AVISO: Page = ['es', 'ES', '/aviso-legal', 'Aviso legal'];
export const PRIVACIDAD: Page = ['es', 'ES', '/politica-de-privacidad', 'Política de privacidad'];
export const NOTE: Page = ['it', 'IT', '/note-legali', 'Note legali'];
export const INFORMATIVA: Page = ['it', 'IT', '/privacy', 'Privacy'];
export const COLOFON: Page = ['nl', 'NL', '/colofon', 'Colofon'];
export const PRIVACYVERKLARING: Page = ['nl', 'NL', '/privacyverklaring', 'Privacyverklaring'];
export const PRYWATNOSC: Page = ['pl', 'PL', '/polityka-prywatnosci', 'Polityka prywatności'];
export const PRIVACIDADE: Page = [
  'pt',
  'PT',
  '/politica-de-privacidade',
  'Política de privacidade',
];
export const OCHRANA: Page = ['cs', 'CZ', '/ochrana-osobnich-udaju', 'Ochrana osobních údajů'];
export const KVKK: Page = ['tr', 'TR', '/kvkk', 'KVKK'];
export const POLITIKA: Page = ['ru', 'RU', '/privacy', 'Политика конфиденциальности'];
export const TIETOSUOJA: Page = ['fi', 'FI', '/tietosuoja', 'Tietosuoja'];
export const TOKUSHOHO: Page = ['ja', 'JP', '/tokushoho', '特定商取引法に基づく表記'];
export const IMPRESSZUM: Page = ['hu', 'HU', '/impresszum', 'Impresszum'];
export const ADATVEDELEM: Page = ['hu', 'HU', '/adatvedelem', 'Adatvédelem'];
export const INTEGRITET: Page = ['sv', 'SE', '/integritetspolicy', 'Integritetspolicy'];
export const PERSONDATA: Page = ['da', 'DK', '/privacy', 'Privatlivspolitik'];
export const IMPRESUM: Page = ['hr', 'HR', '/impresum', 'Impresum'];

export const stranger = (
  [language, country, path, word]: Page,
  name: string,
  html: string,
  isOwn = false,
): Stranger => {
  const page = { path, word };
  return {
    name: `${name} (${language})`,
    country,
    language,
    page,
    html: fill(html, country),
    isOwn,
  };
};
