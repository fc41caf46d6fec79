/** Patterns as generators of clients read them: plain ECMA expressions without flags. */

/**
 * Schemas are written into the document as `source/flags`. Flag `i` becomes both cases of the classes, `\p{Cc}`
 * its two ranges; what else needs flag `u` is left out of the document, and checked all the same.
 */
export function plainPattern(written: string): string | undefined {
  const [, source = written, flags = ''] = /^(.*)\/([a-z]+)$/s.exec(written) ?? [];
  const cased = flags.includes('i') ? source.replaceAll('a-z', 'a-zA-Z') : source;
  const plain = cased.replaceAll(String.raw`\p{Cc}`, String.raw`\u0000-\u001f\u007f-\u009f`);
  return /\\[pPu]\{/.test(plain) ? undefined : plain;
}

/** A copy of the document with plain patterns alone. */
export function withPlainPatterns<T>(part: T): T {
  if (Array.isArray(part)) return part.map((each) => withPlainPatterns<unknown>(each)) as T;
  if (typeof part !== 'object' || part === null) return part;
  const entries = Object.entries(part).flatMap(([key, value]: [string, unknown]) => {
    const isPattern = key === 'pattern' && typeof value === 'string';
    const plain = isPattern ? plainPattern(value) : withPlainPatterns(value);
    return plain === undefined ? [] : [[key, plain]];
  });
  return Object.fromEntries(entries) as T;
}
