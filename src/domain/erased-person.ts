/** Somebody who asked to be forgotten, and whether a text speaks of him. GDPR, article 17. */
import { emailKey, personNameKey, phoneKey, profileKey, type PersonKeys } from './lead-keys.ts';

/** Everything that is known of the person, as keys (lead-keys.ts); several leads may be one person. */
export interface ErasedPerson {
  emails: string[];
  profiles: string[];
  phones: string[];
  /** Name keys, `ada lovelace`. */
  names: string[];
}

export function erasedPerson(keys: readonly PersonKeys[]): ErasedPerson {
  const known = (values: (string | null)[]) =>
    [...new Set(values)].filter((value) => value !== null && value !== '') as string[];
  return {
    emails: known(keys.map((each) => each.emailKey)),
    profiles: known(keys.map((each) => each.profileKey)),
    phones: known(keys.map((each) => each.phoneKey)),
    names: known(keys.map((each) => each.nameKey)),
  };
}

export const isErasedEmail = (person: ErasedPerson, email: string | null | undefined): boolean =>
  includes(person.emails, emailKey(email));

export const isErasedProfile = (person: ErasedPerson, url: string | null | undefined): boolean =>
  includes(person.profiles, profileKey(url));

/** Also without the country: `030 123456` is `4930123456`. */
export function isErasedPhone(person: ErasedPerson, phone: string | null | undefined): boolean {
  const key = phoneKey(phone);
  if (key === null) return false;
  const national = key.replace(/^0+/, '');
  return person.phones.some(
    (each) => each === key || (national.length >= MIN_NATIONAL_DIGITS && each.endsWith(national)),
  );
}

/** A shorter number may be anybody's in another town. */
const MIN_NATIONAL_DIGITS = 7;

/** Whether one of the cells is the person's address, profile or telephone number. */
export const mentionsKey = (cells: readonly string[], person: ErasedPerson): boolean =>
  cells.some(
    (cell) =>
      isErasedPhone(person, cell) ||
      cell
        .split(/[\s;,|<>"()]+/)
        .some((word) => isErasedEmail(person, word) || isErasedProfile(person, word)),
  );

/** Whether all words of the person's name stand in the text, which may be the path of a page. */
export function mentionsName(text: string, person: ErasedPerson): boolean {
  const words = new Set(personNameKey(text, '').split(' '));
  return person.names.some((name) => {
    const parts = name.split(' ');
    // A single word is no name to know somebody by.
    return parts.length > 1 && parts.every((part) => words.has(part));
  });
}

const includes = (keys: readonly string[], key: string | null): boolean =>
  key !== null && keys.includes(key);
