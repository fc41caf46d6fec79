/** A written number as E.164, by the countries it may belong to. */
import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/max';
import { isSupportedCountry } from 'libphonenumber-js/max';

export interface ParsedPhone {
  /** E.164. */
  phone: string;
  /** Groups of digits as the country writes them, `030 123456` -> `030 123456`. */
  national: string;
}

const MAX_DIGITS = 17;

/** Countries whose ending is not their code, or that share one. */
const BY_ENDING: Record<string, string> = {
  uk: 'GB',
  eu: '',
  su: 'RU',
  ac: '',
  cat: 'ES',
  eus: 'ES',
  gal: 'ES',
  bzh: 'FR',
  berlin: 'DE',
  bayern: 'DE',
  koeln: 'DE',
  hamburg: 'DE',
  wien: 'AT',
  tirol: 'AT',
  swiss: 'CH',
  london: 'GB',
  wales: 'GB',
  cymru: 'GB',
  scot: 'GB',
  paris: 'FR',
  amsterdam: 'NL',
  tokyo: 'JP',
  nyc: 'US',
  istanbul: 'TR',
  moscow: 'RU',
  'xn--p1ai': 'RU',
  'xn--j1amh': 'UA',
};
/** Endings that are used everywhere, for their sound. */
const FOR_ANYBODY = new Set(
  'co io me tv ai cc ws fm gg to sh ly cf ga gq ml tk la pw su'.split(' '),
);

/** The country where most speakers of a language live; only where one stands out. */
const BY_LANGUAGE: Record<string, string> = {
  de: 'DE',
  fr: 'FR',
  it: 'IT',
  es: 'ES',
  nl: 'NL',
  pl: 'PL',
  cs: 'CZ',
  sk: 'SK',
  hu: 'HU',
  fi: 'FI',
  sv: 'SE',
  da: 'DK',
  nb: 'NO',
  no: 'NO',
  nn: 'NO',
  tr: 'TR',
  ru: 'RU',
  uk: 'UA',
  ja: 'JP',
  ko: 'KR',
  el: 'GR',
  ro: 'RO',
  bg: 'BG',
  hr: 'HR',
  sl: 'SI',
  sr: 'RS',
  lt: 'LT',
  lv: 'LV',
  et: 'EE',
  he: 'IL',
  th: 'TH',
  fa: 'IR',
  hi: 'IN',
  bn: 'BD',
  km: 'KH',
  my: 'MM',
  ka: 'GE',
  hy: 'AM',
  vi: 'VN',
  id: 'ID',
  eu: 'ES',
  ca: 'ES',
  gl: 'ES',
};

/** In order of trial: where the business is, the site's ending, the page's language. */
export function countriesOf(
  countryCode: string | null,
  host: string,
  language: string | null,
): CountryCode[] {
  const ending = host.slice(host.lastIndexOf('.') + 1);
  const byEnding =
    BY_ENDING[ending] ??
    (ending.length === 2 && !FOR_ANYBODY.has(ending) ? ending.toUpperCase() : '');
  const candidates = [countryCode?.toUpperCase() ?? '', byEnding];
  // A language is only a guess, used where nothing better is known.
  if (!candidates.some(Boolean)) candidates.push(BY_LANGUAGE[language ?? ''] ?? '');
  const known = candidates.filter(
    (code): code is CountryCode => code !== '' && isSupportedCountry(code),
  );
  return [...new Set(known)];
}

/** The number, when it is a valid one of a country it may belong to. */
export function parsePhone(raw: string, countries: CountryCode[]): ParsedPhone | null {
  const text = tidy(raw);
  const digits = text.replaceAll(/\D/g, '');
  if (digits.length < 5 || digits.length > MAX_DIGITS || isMadeUp(digits)) return null;
  if (text.startsWith('+')) {
    const parsed = tryParse(text, undefined);
    if (parsed) return parsed;
    // `+8902...`: a plus before a national number.
    return firstOf(countries, digits);
  }
  const national = firstOf(countries, text);
  if (national) return national;
  if (/^00[1-9]/.test(digits)) return tryParse(`+${digits.slice(2)}`, undefined);
  return null;
}

/** A number whose plus was left out: `49 30 123456`. */
export function parseWithoutPlus(raw: string, countries: CountryCode[]): ParsedPhone | null {
  const digits = raw.replaceAll(/\D/g, '');
  if (digits.length < 10 || isMadeUp(digits)) return null;
  const parsed = tryParse(`+${digits}`, undefined);
  return parsed &&
    (countries.length === 0 || parsed.country === undefined || countries.includes(parsed.country))
    ? parsed
    : null;
}

function firstOf(countries: CountryCode[], text: string): ParsedPhone | null {
  for (const country of countries) {
    const parsed = tryParse(text, country);
    if (parsed) return parsed;
  }
  return null;
}

type Parsed = ParsedPhone & { country: CountryCode | undefined };

/** Headers and footers repeat on each page of a site, so parsed numbers are cached. */
const remembered = new Map<string, Parsed | null>();
const MAX_REMEMBERED = 500;

function tryParse(text: string, country: CountryCode | undefined): Parsed | null {
  const key = `${country ?? ''}${text}`;
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const parsed = parseAnew(text, country);
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(key, parsed);
  return parsed;
}

function parseAnew(text: string, country: CountryCode | undefined): Parsed | null {
  const parsed = parsePhoneNumberFromString(text, {
    ...(country ? { defaultCountry: country } : {}),
    extract: false,
  });
  if (!parsed?.isValid()) return null;
  return { phone: parsed.number, national: parsed.formatNational(), country: parsed.country };
}

/** `+49 (0)30`: the zero is for callers from within the country. */
const tidy = (raw: string): string =>
  raw
    .replaceAll(/[^\d+()/.\- ]+/g, ' ')
    .trim()
    .replace(/^\(\s*\+/, '+')
    .replace(/^\(\s*(00\d)/, '$1')
    .replace(/^(\+\s*\d[\d ]{0,5}\)?\s*)[([]\s*0\s*[)\]]/, '$1')
    .replace(/^\+\+?\s*/, '+')
    .replace(/^\+00/, '+');

const RISING = '01234567890123456789';

/** 777777777, 123456789: examples of forms and themes; no real number is like that. */
export function isMadeUp(digits: string): boolean {
  if (/(\d)\1{6,}/.test(digits) || /^(\d)\1+$/.test(digits)) return true;
  if (/9876543/.test(digits)) return true;
  const tail = digits.slice(-7);
  return (
    tail.length === 7 &&
    (RISING.includes(tail) || /^0?1?(?:123){2}/.test(digits) || digits.includes('12345678'))
  );
}
