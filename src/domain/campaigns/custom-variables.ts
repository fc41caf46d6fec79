/** Values of custom fields as a message has them, written as the campaign's language writes them. Choice 99. */
import { customVariable, type CustomVariable, type TypedValue } from '../leads/custom-fields.ts';
import { pageLanguageOf, type PageLanguage } from '../sending/page-words.ts';

/** By variable: `{'custom.employees': '1,200'}`. */
export const writtenValues = (
  values: readonly TypedValue[] | null | undefined,
  language: string,
): Record<CustomVariable, string> =>
  Object.fromEntries(
    (values ?? []).map((each) => [customVariable(each.name), writtenValue(each, language)]),
  );

function writtenValue({ type, value }: TypedValue, language: string): string {
  if (type === 'number') return writersOf(language).number.format(Number(value));
  if (type === 'date')
    return writersOf(language).day.format(new Date(`${String(value)}T00:00:00Z`));
  if (type !== 'boolean') return String(value);
  const [yes, no] = FLAGS[pageLanguageOf(language)];
  return value === true ? yes : no;
}

/** Yes and no. */
const FLAGS: Readonly<Record<PageLanguage, readonly [string, string]>> = {
  en: ['yes', 'no'],
  de: ['ja', 'nein'],
  fr: ['oui', 'non'],
  es: ['sí', 'no'],
  it: ['sì', 'no'],
  pt: ['sim', 'não'],
  nl: ['ja', 'nee'],
  pl: ['tak', 'nie'],
  sv: ['ja', 'nej'],
  da: ['ja', 'nej'],
  nb: ['ja', 'nei'],
  fi: ['kyllä', 'ei'],
  cs: ['ano', 'ne'],
  hu: ['igen', 'nem'],
  ro: ['da', 'nu'],
  tr: ['evet', 'hayır'],
  el: ['ναι', 'όχι'],
  ru: ['да', 'нет'],
  uk: ['так', 'ні'],
  ja: ['はい', 'いいえ'],
  zh: ['是', '否'],
  'zh-Hant': ['是', '否'],
  ar: ['نعم', 'لا'],
  he: ['כן', 'לא'],
};

interface Writers {
  number: Intl.NumberFormat;
  day: Intl.DateTimeFormat;
}

/** They take longer to make than all else of a message. */
const cache = new Map<string, Writers>();
const MAX_CACHED = 100;

function writersOf(language: string): Writers {
  const known = cache.get(language);
  if (known) return known;
  if (cache.size >= MAX_CACHED) cache.clear();
  const fresh = makeWriters(supported(language));
  cache.set(language, fresh);
  return fresh;
}

/** A year is a number, too: digits are grouped from five on. */
const makeWriters = (locale: string): Writers => ({
  number: new Intl.NumberFormat(locale, { maximumFractionDigits: 15, useGrouping: 'min2' }),
  day: new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }),
});

/** English for what is no language, or none that is known here. */
function supported(language: string): string {
  try {
    return Intl.NumberFormat.supportedLocalesOf(language)[0] ?? 'en';
  } catch {
    return 'en';
  }
}
