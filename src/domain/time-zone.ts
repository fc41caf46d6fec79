/** IANA time zones: which names are known, and their one spelling. */

/** `'europe/berlin'` -> `'Europe/Berlin'`; undefined for what is no zone, offsets included. */
export function canonicalTimeZone(name: string): string | undefined {
  // '+02:00' is refused by some versions of Node and accepted by others.
  if (!/^[a-z]/i.test(name)) return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
