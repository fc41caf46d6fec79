/** Finds the rows that may mention a person who is being erased. */
import { domainToUnicode } from 'node:url';
import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely';
import type { Database } from '../../db/tables.ts';
import { isPersonalProfile } from '../../domain/leads/profile-keys.ts';
import type { ErasedPerson } from '../../domain/suppressions/erased-person.ts';

/**
 * The person's addresses as rows may have them, in lower case: keys have domains in ASCII, messages have them as they
 * were written (`zelda@müller.de`).
 */
export function writtenEmails({ emails }: Pick<ErasedPerson, 'emails'>): string[] {
  const written = emails.flatMap((email) => {
    const at = email.lastIndexOf('@') + 1;
    return [email, email.slice(0, at) + (domainToUnicode(email.slice(at)) || email.slice(at))];
  });
  return [...new Set(written)];
}

/** Searches by indexes alone: of an expression the planner does not know how rare it is, and would read all rows. */
export const byIndexes = <T>(
  db: Kysely<Database>,
  search: (trx: Transaction<Database>) => Promise<T>,
): Promise<T> =>
  db.transaction().execute(async (trx) => {
    await sql`set local enable_seqscan = off`.execute(trx);
    return search(trx);
  });

/** What a text by or to somebody else is searched for by its index. */
export interface SearchedTexts {
  emails: string[];
  /** Those that the person shares with others are not redacted in texts. */
  pages: string[];
  /** Names of several words, since no other is redacted: queries of `to_tsquery`. */
  names: string[];
}

export const searchedTexts = (person: ErasedPerson): SearchedTexts => ({
  emails: writtenEmails(person),
  pages: person.profiles.flatMap(writtenPages),
  names: person.names.filter((name) => name.includes(' ')).flatMap(nameQueries),
});

/** Rows read in one statement: each takes far less than it may. */
export const LOOKED_AT_ONCE = 1_000;

/**
 * What `found` selects for each `query`, in portions. The words of all accounts are in one index: read through a cursor,
 * since where words are common no single statement would come to its end.
 */
export async function* portionsFound<T>(
  trx: Transaction<Database>,
  queries: RawBuilder<unknown>,
  found: RawBuilder<T>,
): AsyncGenerator<T[]> {
  await sql`
    declare found no scroll cursor for
    select found.* from (${queries}) as searched cross join lateral (${found} offset 0) as found`.execute(
    trx,
  );
  for (;;) {
    const { rows } = await sql<T>`fetch ${sql.lit(LOOKED_AT_ONCE)} from found`.execute(trx);
    if (rows.length === 0) return;
    yield rows;
  }
}

const OTHER_HOSTS: Record<string, string> = { 'x.com': 'twitter.com', 'facebook.com': 'fb.com' };

/** The page of a `profileKey` as texts may have it. A personal one is known by its last part. */
function writtenPages(key: string): string[] {
  const host = hostOf(key);
  const rest = isPersonalProfile(key) ? `/${key.split('/').at(-1)!}` : key.slice(host.length);
  const hosts = [host, OTHER_HOSTS[host] ?? (domainToUnicode(host) || host)];
  return [...new Set(hosts.flatMap((each) => asWritten(rest).map((path) => each + path)))];
}

const hostOf = (key: string): string => key.split(/[/?]/, 1)[0]!;

/** A path with its letters, and as addresses have to have it. RFC 3986. */
const asWritten = (path: string): string[] => [
  ...new Set([path, encodeURI(path.replaceAll(/\p{Surrogate}/gu, ''))]),
];

/** Queries of an index that keeps hosts and paths as words. */
export interface PageQueries {
  /** Queries of `to_tsquery`. */
  parsed: string[];
  /** Queries as they are, in any case: of words in ASCII, which may be the beginning of what the index has. */
  exact: string[];
}

/** The page of a `profileKey`: by its path, and by its host where that is all there is. */
export function pageQueries(key: string): PageQueries {
  const host = hostOf(key);
  const place = key.slice(host.length).split('?')[0]!.replace('/sales/lead/', '/sales/');
  if (place.length < SHORTEST_PATH) {
    const hosts = [host, domainToUnicode(host) || host].flatMap((each) => [each, `www.${each}`]);
    return { parsed: [...new Set(hosts)].map(quoted).filter(isOperand), exact: [] };
  }
  const places = place.startsWith('/sales/')
    ? ['lead', 'people'].map((part) => place.replace('/sales/', `/sales/${part}/`))
    : [place];
  const paths = [...new Set(places.flatMap(asWritten))];
  const isForeign = !/^[!-~]*$/.test(domainToUnicode(host) || host);
  const inAscii = paths.filter((path) => /^[!-~]+$/.test(path));
  return {
    // An address with letters beyond ASCII is in the index as several words.
    parsed: paths
      .filter((path) => isForeign || !inAscii.includes(path))
      .map((path) => `${quoted(path)}:*`),
    exact: inAscii.flatMap((path) =>
      path.length > LONGEST_PATH
        ? [`${quoted(path.slice(0, LONGEST_PATH))}:*`]
        : [quoted(path), ...'/ ? # ,'.split(' ').map((next) => `${quoted(path + next)}:*`)],
    ),
  };
}

/** A shorter path is that of too many other pages. */
const SHORTEST_PATH = 3;
/** Postgres has words of 2,046 bytes at most. */
const LONGEST_PATH = 500;

const isOperand = (operand: string): boolean => /[\p{L}\p{N}]/u.test(operand);

/**
 * All words of a name key, each in any notation that has this key: `dangelo` is also `d` and `angelo`, since the index
 * splits `D'Angelo` where the key is without the apostrophe, and `jr` also `j.r` and `j` and `r`. Empty for a name without
 * letters.
 */
export function nameQueries(name: string): string[] {
  const words = name.split(' ').filter(isOperand);
  if (words.length === 0) return [];
  return [
    words
      .map((word) => `(${[...new Set(spellings(word).flatMap(divisions))].join(' | ')})`)
      .join(' & '),
  ];
}

/** Words that become this one where a key folds them. */
function spellings(word: string): string[] {
  const unfolded = [word, word.replace(/σ$/, 'ς'), word.replaceAll('i\u0307', 'İ')];
  return [...unfolded, ...unfolded.map((each) => each.replaceAll('ss', 'ß'))].flatMap((each) => [
    each,
    each.normalize('NFD'),
  ]);
}

/**
 * The word, undivided, at each place in two, and as initials. Where the database's locale is `C`, the index takes `’` and
 * quotation marks for letters.
 */
function divisions(word: string): string[] {
  const letters = word.match(/\P{M}\p{M}*/gu) ?? [];
  if (letters.length > LONGEST_DIVIDED || letters.length === 0) return [quoted(word)];
  const pairs = letters
    .slice(1)
    .map((_letter, at) => [letters.slice(0, at + 1).join(''), letters.slice(at + 1).join('')]);
  const initials = letters.length <= MOST_INITIALS ? initialsOf(letters) : [];
  const marked = [word, ...pairs.map((pair) => pair.join('’'))].flatMap((each) => [
    [each],
    ...'“ „ ‘ «'.split(' ').map((mark) => [mark + each]),
    ...'” “ ’ » …'.split(' ').map((mark) => [each + mark]),
  ]);
  return [...marked, ...pairs, ...initials].map((parts) => `(${parts.map(quoted).join(' & ')})`);
}

/** `j` and `r`, `j.r`, and after a quotation mark `“j` and `r`. */
const initialsOf = (letters: readonly string[]): string[][] => [
  [...letters],
  [letters.join('.')],
  ...'“ „ ‘ «'.split(' ').map((mark) => [mark + letters[0]!, ...letters.slice(1)]),
];

const LONGEST_DIVIDED = 30;
const MOST_INITIALS = 4;

/** As one operand. */
const quoted = (word: string): string => `'${word.replaceAll(/['\\\0]/g, '')}'`;

/** A final sigma, and what keys of names leave out. */
const FOLDED = "ς'’`´.";

/** Without what keys of names leave out, and with its letters: both of a text and of what is searched in it. */
const folded = (text: ReturnType<typeof sql>) =>
  sql`replace(translate(lower(${text}), ${FOLDED}, 'σ'), 'ß', 'ss')`;

const foldedWord = (word: string): string =>
  word
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replaceAll(/['’`´.]/g, '')
    .replaceAll('ß', 'ss');

/** Candidate rows: one of the person's words is in the text, in any case. */
export function speaksOf(text: ReturnType<typeof sql>, person: ErasedPerson) {
  const lastWords = person.names.flatMap((name) => name.split(' ').at(-1) ?? []);
  const profiles = [...person.profiles, ...person.shared.profiles].map((profile) =>
    profile.split('/').at(-1)!,
  );
  const words = [...writtenEmails(person), ...profiles, ...lastWords].map(
    (word) => `%${foldedWord(word).replaceAll(/[\\%_]/g, String.raw`\$&`)}%`,
  );
  // Phone numbers have many notations; their last digits are the same in all.
  const digits = [...person.phones, ...person.shared.phones].map((phone) => `%${phone.slice(-6)}%`);
  const isNamed = sql<boolean>`${folded(text)} like any (${words})`;
  if (digits.length === 0) return isNamed;
  return sql<boolean>`(${isNamed}
    or regexp_replace(${text}, '\\D', '', 'g') like any (${digits}))`;
}
