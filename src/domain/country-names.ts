/** Country codes from what people write: `Germany`, `Deutschland`, `DE`, `USA`. */
import { COUNTRY_CODES, isCountryCode } from './countries.ts';

/** Languages of our users' files; of a name with two meanings the first one's counts. */
const LANGUAGES = (
  'en de fr es it pt nl pl sv da nb tr cs fi hu ro sk sl hr et lv lt el ru uk bg sr ' +
  'zh zh-Hant ja ko th vi id ar he fa hi'
).split(' ');

/** Common names that are not official. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  usa: 'US',
  'u.s.a.': 'US',
  'u.s.': 'US',
  'united states of america': 'US',
  uk: 'GB',
  'u.k.': 'GB',
  'great britain': 'GB',
  england: 'GB',
  scotland: 'GB',
  wales: 'GB',
  'northern ireland': 'GB',
  holland: 'NL',
  'the netherlands': 'NL',
  'czech republic': 'CZ',
  turkey: 'TR',
  brd: 'DE',
  // In the European Union's papers.
  el: 'GR',
  الإمارات: 'AE',
};

/** Two letters, upper case; undefined for a text that is no country's name. */
export function countryCodeOf(text: string): string | undefined {
  if (text === '') return undefined;
  const name = folded(text.trim());
  if (name === '') return undefined;
  const code = name.toUpperCase();
  if (Object.hasOwn(OTHER_NAMES, name)) return OTHER_NAMES[name];
  return isCountryCode(code) ? code : namesOfAll().get(name);
}

let names: Map<string, string> | undefined;

/** Built at the first lookup: some thousand names from the platform's own tables. */
function namesOfAll(): Map<string, string> {
  if (names) return names;
  names = new Map();
  for (const language of LANGUAGES) {
    const displayNames = new Intl.DisplayNames([language], { type: 'region' });
    for (const code of COUNTRY_CODES) {
      const name = folded(displayNames.of(code) ?? '');
      if (name !== '' && !names.has(name)) names.set(name, code);
    }
  }
  return names;
}

/** `İ` has a dot of its own in lower case, which nobody types. */
const folded = (name: string): string =>
  name.normalize('NFC').toLowerCase().replaceAll('\u0307', '');
