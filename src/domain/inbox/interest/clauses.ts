/** The parts of an answer, each of which says something: `Yes, but not now.` are two. */

/** Longer texts are judged by their beginning. */
const MAX_CHARS = 1_200;
const MAX_CLAUSES = 24;

/** Sentences, lines, and what commas, colons and long dashes part. Without a letter or digit it says nothing. */
export const clausesOf = (text: string): string[] =>
  text
    .slice(0, MAX_CHARS)
    .split(/(?<=[.!?,;:–—])\s+|\n+/u)
    .filter((clause) => /[\p{L}\p{N}]/u.test(clause))
    .slice(0, MAX_CLAUSES);
