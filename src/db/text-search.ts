/** Conditions that find a text within columns, by the index over their triples of letters (pg_trgm). */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Database } from './tables.ts';

/** Whether a column, or an expression, has the text in it, in any case. */
export type TextMatch = (column: RawBuilder<unknown>) => RawBuilder<boolean>;

/** A pattern of `like` for a text that has this one in it. */
export const containing = (text: string): string =>
  `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

/** Says so of rows that have been chosen otherwise; by itself it finds texts of three letters and more. */
export function matching(text: string): TextMatch {
  const pattern = containing(text);
  return (column) => sql<boolean>`${column} ilike ${pattern}`;
}

/**
 * The same rows, and two letters by the index, too: each place where they can stand is the start of the
 * text or comes after another letter, and Postgres looks up the triples that end with the two.
 */
export async function findable(db: Kysely<Database>, text: string): Promise<TextMatch> {
  const exactly = matching(text);
  if (Array.from(text).length !== 2) return exactly;
  const known = db.selectFrom('search_letters').select('letter');
  const rows = await known.limit(MAX_LETTERS + 1).execute();
  // Ideographs have too many triples.
  if (rows.length > MAX_LETTERS) return exactly;
  const pair = text.replaceAll(/[^\p{L}\p{N}]/gu, String.raw`\$&`);
  const letters = rows.map(({ letter }) => letter);
  const places = [String.raw`(^|[\x01-\x7f])${pair}`];
  for (let at = 0; at < letters.length; at += EXPANDED_LETTERS) {
    places.push(`[${letters.slice(at, at + EXPANDED_LETTERS).join('')}]${pair}`);
  }
  return (column) => {
    const found = places.map((place) => sql`${column} ~* ${place}`);
    return sql<boolean>`((${sql.join(found, sql` or `)}) and ${exactly(column)})`;
  };
}

/** pg_trgm looks up to 256 triples of an expression; a letter may stand in two cases. */
const EXPANDED_LETTERS = 120;
const MAX_LETTERS = 1_200;
