/** Texts as keys are made of them. */

/** NFKC, case-folded as far as the platform can: `ß` is `ss`, and a sigma is `σ` wherever it stands. */
export const foldCase = (text: string): string =>
  // Most texts are plain ASCII, where the rest would only cost time.
  PLAIN.test(text)
    ? text.toLowerCase().trim()
    : text
        .normalize('NFKC')
        .toLowerCase()
        .toUpperCase()
        .toLowerCase()
        .normalize('NFKC')
        .replaceAll('ς', 'σ')
        .trim();

/** Keys are indexed; Postgres limits an index entry to a third of a page. */
export const bounded = (key: string): string => (key.length > 500 ? key.slice(0, 500) : key);

const PLAIN = /^[\x20-\x7e]*$/;
