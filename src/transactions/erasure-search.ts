/** Finds the rows that may mention a person who is being erased. */
import { sql } from 'kysely';
import type { ErasedPerson } from '../domain/suppressions/erased-person.ts';

/** Candidate rows: one of the person's words is in the text, in any case. */
export function speaksOf(text: ReturnType<typeof sql>, person: ErasedPerson) {
  const lastWords = person.names.flatMap((name) => name.split(' ').at(-1) ?? []);
  const profiles = [...person.profiles, ...person.shared.profiles].map((profile) =>
    profile.split('/').at(-1)!,
  );
  const words = [...person.emails, ...profiles, ...lastWords].map(
    (word) => `%${word.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`,
  );
  // Phone numbers have many notations; their last digits are the same in all.
  const digits = [...person.phones, ...person.shared.phones].map((phone) => `%${phone.slice(-6)}%`);
  const isNamed = sql<boolean>`lower(${text}) like any (${words})`;
  if (digits.length === 0) return isNamed;
  return sql<boolean>`(${isNamed}
    or regexp_replace(${text}, '\\D', '', 'g') like any (${digits}))`;
}
