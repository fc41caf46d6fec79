/** A person who asked for erasure, and whether a text mentions them. GDPR, article 17. */
import {
  emailKey,
  personNameKey,
  phoneKey,
  profileKey,
  type PersonKeys,
} from '../leads/lead-keys.ts';
import { isPersonalProfile } from '../leads/profile-keys.ts';

/** Everything that is known of the person, as keys (lead-keys.ts); several leads may be one person. */
export interface ErasedPerson {
  emails: string[];
  profiles: string[];
  phones: string[];
  /**
   * Numbers and pages that other people have, too: they identify the person only together with their name.
   */
  shared: { profiles: string[]; phones: string[] };
  /** Name keys, `ada lovelace`. */
  names: string[];
}

/** `shared`: phone and profile keys that others have as well. */
export function erasedPerson(
  keys: readonly PersonKeys[],
  shared: ReadonlySet<string> = new Set(),
): ErasedPerson {
  const known = (values: (string | null)[]) =>
    [...new Set(values)].filter((value) => value !== null && value !== '') as string[];
  const isShared = (key: string) => shared.has(key);
  const isOwn = (key: string) => !isShared(key);
  const profiles = known(keys.map((each) => each.profileKey));
  const phones = known(keys.map((each) => each.phoneKey));
  return {
    emails: known(keys.map((each) => each.emailKey)),
    profiles: profiles.filter((key) => isPersonalProfile(key) || isOwn(key)),
    phones: phones.filter(isOwn),
    shared: {
      profiles: profiles.filter((key) => !isPersonalProfile(key) && isShared(key)),
      phones: phones.filter(isShared),
    },
    names: known(keys.map((each) => each.nameKey)),
  };
}

export const isErasedEmail = (person: ErasedPerson, email: string | null | undefined): boolean =>
  includes(person.emails, emailKey(email));

export const isErasedProfile = (person: ErasedPerson, url: string | null | undefined): boolean =>
  includes(person.profiles, profileKey(url));

/** Also without the country: `030 123456` is `4930123456`. */
export const isErasedPhone = (person: ErasedPerson, phone: string | null | undefined): boolean =>
  isOneOf(person.phones, phone);

function isOneOf(phones: readonly string[], phone: string | null | undefined): boolean {
  const key = phoneKey(phone);
  if (key === null) return false;
  const national = key.replace(/^0+/, '');
  return phones.some(
    (each) => each === key || (national.length >= MIN_NATIONAL_DIGITS && each.endsWith(national)),
  );
}

/** A shorter number may belong to another person in another town. */
const MIN_NATIONAL_DIGITS = 7;

/**
 * Whether a row is about the person: by their address or profile; by a number or page only together with
 * their name, where that is known, since a colleague may have the same.
 */
export function isRowOf(cells: readonly string[], person: ErasedPerson): boolean {
  const words = cells.flatMap((cell) => cell.split(/[\s;,|<>"()]+/));
  const isKnown = (word: string) =>
    isErasedEmail(person, word) ||
    person.profiles.some((key) => isPersonalProfile(key) && key === profileKey(word));
  if (words.some(isKnown)) return true;
  const { phones, profiles } = person.shared;
  const mentions = (numbers: readonly string[], pages: readonly string[]) =>
    cells.some((cell) => isOneOf(numbers, cell)) ||
    words.some((word) => includes(pages, profileKey(word)));
  if (person.names.length === 0) return mentions(person.phones, person.profiles);
  return (
    hasName(cells, person) &&
    mentions([...person.phones, ...phones], [...person.profiles, ...profiles])
  );
}

/** A single word counts where it is the whole cell. */
const hasName = (cells: readonly string[], person: ErasedPerson): boolean =>
  mentionsName(cells.join(' '), person) ||
  cells.some((cell) => includes(person.names, personNameKey(cell, '')));

/** Whether the text contains all words of the person's name; it may be the path of a page. */
export function mentionsName(text: string, person: ErasedPerson): boolean {
  const words = new Set(personNameKey(text, '').split(' '));
  return person.names.some((name) => {
    const parts = name.split(' ');
    // A single word does not identify a person.
    return parts.length > 1 && parts.every((part) => words.has(part));
  });
}

const includes = (keys: readonly string[], key: string | null): boolean =>
  key !== null && keys.includes(key);
