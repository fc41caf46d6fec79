/** Conditions that find a text within columns, by the trigram index (pg_trgm). */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Database } from './tables.ts';

/** Whether a column, or an expression, has the text in it, in any case. */
export type TextMatch = (column: RawBuilder<unknown>) => RawBuilder<boolean>;

/** A `like` pattern for texts that contain this one. */
export const containing = (text: string): string =>
  `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

/** Filters rows that another condition has selected; on its own it uses the index from three letters on. */
export function matching(text: string): TextMatch {
  const pattern = containing(text);
  return (column) => sql<boolean>`${column} ilike ${pattern}`;
}

/**
 * The same rows, with the index for two letters, too: at each occurrence they are the start of the text or
 * follow another letter, and Postgres looks up the trigrams that end with the two.
 */
export const findable = async (db: Kysely<Database>, text: string): Promise<TextMatch> =>
  (await findableBy(db, text)).search;

/** The same, and whether the index is any use: it has three letters or digits in a row of each text. */
export async function findableBy(
  db: Kysely<Database>,
  text: string,
): Promise<{ search: TextMatch; isIndexed: boolean }> {
  const exactly = matching(text);
  if (Array.from(text).length !== 2) {
    return { search: exactly, isIndexed: THREE_LETTERS.test(text) };
  }
  const known = db.selectFrom('search_letters').select('letter');
  const rows = await known.limit(MAX_LETTERS + 1).execute();
  // With ideographs there are too many trigrams.
  if (rows.length > MAX_LETTERS) return { search: exactly, isIndexed: false };
  const pair = text.replaceAll(/[^\p{L}\p{N}]/gu, String.raw`\$&`);
  const letters = rows.map(({ letter }) => letter);
  const places = [String.raw`(^|[\x01-\x7f])${pair}`];
  for (let at = 0; at < letters.length; at += EXPANDED_LETTERS) {
    places.push(`[${letters.slice(at, at + EXPANDED_LETTERS).join('')}]${pair}`);
  }
  const search: TextMatch = (column) => {
    const found = places.map((place) => sql`${column} ~* ${place}`);
    // Not by the index, of which two letters alone select nothing.
    const selected = exactly(sql`(${column} || '')`);
    return sql<boolean>`((${sql.join(found, sql` or `)}) and ${selected})`;
  };
  return { search, isIndexed: TWO_LETTERS.test(text) };
}

/** Which others are letters depends on the locale of the database. */
const THREE_LETTERS = /[a-z\d]{3}/i;
const TWO_LETTERS = /^[a-z\d]{2}$/i;

/** pg_trgm looks up to 256 trigrams per expression; a letter may have two cases. */
const EXPANDED_LETTERS = 120;
const MAX_LETTERS = 1_200;
