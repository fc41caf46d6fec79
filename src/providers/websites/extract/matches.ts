/** All matches of an expression that is used for every page. */

/**
 * As `text.matchAll(pattern)`, but without its copy of the expression, which V8 may compile anew each
 * time: for long ones that costs more than the search. `pattern` is a global one that never matches the
 * empty string, and MUST NOT be used elsewhere meanwhile.
 */
export function* matchesOf(pattern: RegExp, text: string): Generator<RegExpExecArray> {
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) yield match;
}
