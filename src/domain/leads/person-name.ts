/** Splits a name that stands in one cell. */

/** Before a name; `Dr.` is no first name to greet somebody by. */
const TITLE =
  'mr|mrs|ms|miss|mx|dr|mudr|judr|phdr|rndr|mvdr|prof|ing|dipl|mag|sir|herrn?|frau|fräulein|hr|fr|mme|mlle|monsieur|' +
  'madame|sr|sra|srta|señor|señora|don|doña|sig|sig\\.ra|dott|dott\\.ssa|pan|pani';
/** Behind or between them, and only with a full stop: `Dr. med. dent.`, while Med and Nat are names. */
const FIELD =
  'med|dent|vet|rer|nat|phil|jur|iur|oec|pol|habil|techn|mult|theol|agr|sc|h\\.\\s?c|univ|lic|ir';
/** The subject of a diploma is abbreviated in any way: `Dipl.-Kfm.`, `Dipl.-Betriebsw. (BA)`. */
const DIPLOMA = `dipl\\.?[\\s-]+(?!(?:${TITLE}|${FIELD})\\b)\\p{L}{2,12}\\.(?:\\s+\\([bfu][ah]\\))?[\\s-]+`;
const SCHOOL = '\\([bfu][ah]\\)\\s+';
const TITLES = new RegExp(
  `^(?:${DIPLOMA}|(?:${TITLE})\\.?[\\s-]+(?:(?:${FIELD})\\.[\\s-]*)*(?:${SCHOOL})?|(?:univ|lic|ir)\\.[\\s-]+)+(?=\\S)`,
  'iu',
);
/** Behind a name. */
const DEGREES =
  /(?:,?\s+(?:jr|sr|ii|iii|iv|ph\.?\s?d|m\.?d|mba|msc|m\.sc|bsc|b\.sc|ll\.?m|esq|cpa|pe|dds)\.?)+$/i;
/** Behind a name of two words: behind one they are initials, as in `Suresh M.A.`. */
const ARTS = /^(\S+ \S.*?),? [bm]\. ?(?:a|ed|eng)\.?$/i;
/** They begin a last name: `Ludwig van Beethoven`. */
const PARTICLES = new Set(
  (
    'van von vom zu zum zur der den de del della delle dello degli dei di da das do dos du des la ' +
    'le les lo el al bin ibn ben ter ten te op af av mac st'
  ).split(' '),
);

/**
 * `'Dr. Ada Lovelace'` -> Ada, Lovelace; `'Lovelace, Ada'` the same; `'Ludwig van Beethoven'` ->
 * Ludwig, van Beethoven. A single word is the first name, whom one would greet by it.
 */
export function splitFullName(fullName: string): { firstName: string; lastName: string } {
  const name = fullName.trim().replaceAll(/\s+/g, ' ').replace(DEGREES, '').replace(ARTS, '$1');
  const comma = name.indexOf(',');
  if (comma > 0) {
    const firstName = withoutTitles(name.slice(comma + 1));
    if (firstName !== '') return { firstName, lastName: withoutTitles(name.slice(0, comma)) };
  }
  const words = withoutTitles(name.replaceAll(',', '')).split(' ');
  if (words.length < 2) return { firstName: words[0] ?? '', lastName: '' };
  const particle = words.findIndex((word, at) => at > 0 && PARTICLES.has(word.toLowerCase()));
  const last = particle > 0 && particle < words.length - 1 ? particle : words.length - 1;
  return { firstName: words.slice(0, last).join(' '), lastName: words.slice(last).join(' ') };
}

const withoutTitles = (name: string): string => name.trim().replace(TITLES, '');
