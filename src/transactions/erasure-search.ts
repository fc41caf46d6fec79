/** Finds the rows that may mention a person who is being erased. */
import { domainToUnicode } from 'node:url';
import { sql, type Kysely, type Transaction } from 'kysely';
import type { Database } from '../db/tables.ts';
import type { ErasedPerson } from '../domain/suppressions/erased-person.ts';

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

/**
 * What a text to somebody else is searched for by its index: addresses, pages, and names of several words, since no other
 * is redacted. All words of one must be in it.
 */
export function searchedWords(person: ErasedPerson): string[] {
  const pages = [...person.profiles, ...person.shared.profiles].map((page) =>
    page.split('/').at(-1)!,
  );
  const names = person.names.filter((name) => name.includes(' '));
  return [...writtenEmails(person), ...pages, ...names];
}

/** Candidate rows: one of the person's words is in the text, in any case. */
export function speaksOf(text: ReturnType<typeof sql>, person: ErasedPerson) {
  const lastWords = person.names.flatMap((name) => name.split(' ').at(-1) ?? []);
  const profiles = [...person.profiles, ...person.shared.profiles].map((profile) =>
    profile.split('/').at(-1)!,
  );
  const words = [...writtenEmails(person), ...profiles, ...lastWords].map(
    (word) => `%${word.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`,
  );
  // Phone numbers have many notations; their last digits are the same in all.
  const digits = [...person.phones, ...person.shared.phones].map((phone) => `%${phone.slice(-6)}%`);
  const isNamed = sql<boolean>`lower(${text}) like any (${words})`;
  if (digits.length === 0) return isNamed;
  return sql<boolean>`(${isNamed}
    or regexp_replace(${text}, '\\D', '', 'g') like any (${digits}))`;
}
