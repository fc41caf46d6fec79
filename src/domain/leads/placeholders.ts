/** What files have where a column had to be filled: it says nothing, and nobody is greeted by it. */

/** "N. A." and "K. A." are initials as well. */
const WORDS = [
  '#?n\\/a|null|undefined|unknown|not (known|available|applicable|provided)',
  'unbekannt|keine angabe|inconnue?|non renseigné|desconocid[oa]|sconosciut[oa]|onbekend',
].join('|');

/** Such a value as a whole, or marks alone. Written for JavaScript and for Postgres, in any case. */
export const PLACEHOLDER = `^\\s*([(<[]?(${WORDS})[)>\\]]?|[-–—.?*_#/\\s]*)\\s*$`;

const SIGNS = new RegExp(PLACEHOLDER, 'i');

/** The value, or nothing where it only fills its place. */
export const saying = (value: string | null | undefined): string =>
  value && !SIGNS.test(value) ? value : '';
