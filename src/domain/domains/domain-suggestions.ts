/** Suggested names for senders of mail about a keyword. Deterministic. Choice 25. */

/** The default: suffixes that are cheap and that receivers know. */
export const SUGGESTED_TLDS = ['com', 'net', 'org', 'co', 'io'] as const;

/** Prefixes for taken names, as senders of mail use them. */
const PREFIXES = ['get', 'try', 'go', 'use', 'hello', 'meet', 'with', 'my'];
const SUFFIXES = ['hq', 'mail', 'team', 'app', 'now', 'online', 'group', 'works'];

/** The maximum length of a label (RFC 1035, 2.3.4). */
const MAX_LABEL = 63;

/**
 * Candidates for a keyword, best first, at most `limit`: the bare name under every suffix, its hyphenated
 * form, then the name with one more word. `"Müller & Söhne"` -> `mullersohne.com`, ... Empty where the
 * keyword has no characters allowed in a name. `tlds` are lower case, without dot.
 */
export function suggestDomains(
  keyword: string,
  { tlds = SUGGESTED_TLDS, limit }: { tlds?: readonly string[]; limit: number },
): string[] {
  const words = wordsOf(keyword);
  if (words.length === 0) return [];
  const bare = words.join('');
  const plain = [bare, ...(words.length > 1 ? [words.join('-')] : [])];
  const longer = SUFFIXES.flatMap((suffix, at) => [`${PREFIXES[at]}${bare}`, `${bare}${suffix}`]);
  const names = [...plain, ...longer].filter((label) => label.length <= MAX_LABEL);
  const candidates = names.flatMap((label) => tlds.map((tld) => `${label}.${tld}`));
  return [...new Set(candidates)].slice(0, limit);
}

/** Letters and digits of the Latin alphabet, without accents: what everybody can type. */
function wordsOf(keyword: string): string[] {
  const ascii = keyword
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '');
  return ascii.match(/[a-z0-9]+/g) ?? [];
}
