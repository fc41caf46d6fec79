/** Finds the messages that may be from, to or about a person who is being erased. */
import { sql, type Kysely, type Transaction } from 'kysely';
import type { Database } from '../../db/tables.ts';
import type { ErasedPerson } from '../../domain/suppressions/erased-person.ts';
import {
  byIndexes,
  nameQueries,
  pageQueries,
  portionsFound,
  searchedTexts,
  writtenEmails,
} from './erasure-search.ts';

/**
 * Messages with the person's address, and those whose text or files may name them: each by an index of its own, one word
 * after the other.
 */
export async function findMessagesOf(
  db: Kysely<Database>,
  userId: string,
  person: ErasedPerson,
): Promise<number[]> {
  const addressed = await findAddressed(db, userId, person);
  const named = await byIndexes(db, (trx) => findNaming(trx, userId, person));
  const files = await findByFiles(db, userId, person);
  return [...new Set([...addressed, ...named, ...files])].toSorted((one, other) => one - other);
}

async function findAddressed(
  db: Kysely<Database>,
  userId: string,
  person: ErasedPerson,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select m.id from unnest(${writtenEmails(person)}::text[]) as address, lateral (
      select id from messages where user_id = ${userId} and lower(from_address) = address
      union all
      select id from messages where user_id = ${userId} and lower(reply_to) = address
      union all
      select id from messages where user_id = ${userId}
        and letter_recipients(to_addresses, cc_addresses) @> array[address]) as m`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * By their texts, of which the index has the first 20,000 characters. A number is found beside a name alone, also beside one of
 * a single word; an address that stands in a tag is not found.
 */
async function findNaming(
  trx: Transaction<Database>,
  userId: string,
  person: ErasedPerson,
): Promise<number[]> {
  const { emails, names } = searchedTexts(person);
  const pages = person.profiles.map(pageQueries);
  const words = emails.flatMap((email) => [email, email.replace('@', ' ')]);
  const besideNumbers = person.phones.length > 0 ? person.names.flatMap(nameQueries) : [];
  const parsed = [...names, ...besideNumbers, ...pages.flatMap((each) => each.parsed)];
  const queries = sql`
    select plainto_tsquery('simple', words) as query from unnest(${words}::text[]) as words
    union
    select to_tsquery('simple', parsed) from unnest(${parsed}::text[]) as parsed
    union
    select lower(exact)::tsquery from unnest(${pages.flatMap((each) => each.exact)}::text[]) as exact`;
  const texts = sql<{ id: number; user_id: string }>`
    select id, user_id from messages where search @@ query`;
  const ids: number[] = [];
  for await (const found of portionsFound(trx, queries, texts)) {
    ids.push(...found.flatMap(({ id, user_id: of }) => (of === userId ? [id] : [])));
  }
  return ids;
}

async function findByFiles(
  db: Kysely<Database>,
  userId: string,
  person: ErasedPerson,
): Promise<number[]> {
  const { profiles, shared, names } = person;
  const pages = [...profiles, ...shared.profiles].map((page) => page.split('/').at(-1)!);
  const words = [...writtenEmails(person), ...names, ...pages];
  const patterns = [...new Set(words.map((word) => `%${lastWord(word)}%`))];
  const { rows } = await sql<{ id: number }>`
    select m.id from unnest(${patterns}::text[]) as pattern
      cross join lateral (
        select message_id from attachments where lower(filename) like pattern offset 0) as named
      join messages as m on m.id = named.message_id and m.user_id = ${userId}`.execute(db);
  return rows.map(({ id }) => id);
}

/** For `like`. */
export const lastWord = (words: string) =>
  words
    .split(' ')
    .at(-1)!
    .replaceAll(/[\\%_]/g, String.raw`\$&`);
