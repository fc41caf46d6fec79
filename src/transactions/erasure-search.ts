/** Finds the rows that may mention a person who is being erased. */
import { domainToUnicode } from 'node:url';
import { sql } from 'kysely';
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
