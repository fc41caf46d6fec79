/** IANA time zones: which names are known, and their one spelling. */

/**
 * Ids that ICU keeps from Java's early days and nobody means: `BST` is Dhaka there, `AST` Anchorage. They are none of
 * the tz database's, and Temporal refuses them.
 */
const ABBREVIATIONS =
  /^(?:AC|AE|AG|AR|AS|BE|BS|CA|CN|CS|CT|EA|EC|IE|IS|JS|MI|NE|NS|PL|PN|PR|PS|SS|VS)T$/i;

/** Zones of Java's early days, `SystemV/AST4`, that ICU keeps as well. Temporal knows none of them. */
const SYSTEM_V = /^SystemV\//i;

/** `'europe/berlin'` -> `'Europe/Berlin'`; undefined for what is no zone, offsets included. */
export function canonicalTimeZone(name: string): string | undefined {
  // '+02:00' is refused by some versions of Node and accepted by others.
  if (!/^[a-z]/i.test(name) || ABBREVIATIONS.test(name) || SYSTEM_V.test(name)) return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
