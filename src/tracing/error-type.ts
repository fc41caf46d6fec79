/** What kind of error it was, without its words: those may quote an address, a message or an answer. */

/** Names are short and of one word; anything else could be a text. */
const NAME = /^[A-Za-z][\w.-]{0,63}$|^[0-9A-Z]{5}$/;

/** `rate_limited` of a ProviderError, `INVALID_STATE` of an OutreachError, `23505` of Postgres, else the class. */
export function errorType(error: unknown): string {
  const { kind, type, code, name } = (error ?? {}) as Record<string, unknown>;
  const isOutreachError = name === 'OutreachError';
  const candidates = isOutreachError ? [code, kind, name] : [kind, type, code, name];
  const found = candidates.find((one) => typeof one === 'string' && NAME.test(one));
  return (found as string | undefined) ?? 'Error';
}
