/** Search-box input, in the form of Postgres' full text search. */

export interface SearchWords {
  /** For `websearch_to_tsquery`: quotes, `or`, `-without`. */
  whole: string;
  /** The last word where it may be incomplete: messages with words that start so are found, too. */
  prefix: string | null;
}

/** The last word is a beginning, unless it is quoted, left out, or an operator. */
export function searchWords(text: string): SearchWords {
  const trimmed = text.trim();
  const last = /(?:^|\s)([\p{L}\p{N}][\p{L}\p{N}@._+-]*)$/u.exec(trimmed)?.[1];
  const isInQuotes = trimmed.split('"').length % 2 === 0;
  if (last === undefined || isInQuotes || last.toLowerCase() === 'or') {
    return { whole: trimmed, prefix: null };
  }
  const before = trimmed.slice(0, trimmed.length - last.length).trimEnd();
  // `a or b`: the word belongs to the operator before it.
  if (/(?:^|\s)or$/i.test(before)) return { whole: trimmed, prefix: null };
  return { whole: before, prefix: last };
}
