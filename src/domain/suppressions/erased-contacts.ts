/** What tombstones forbid of the contacts of a place. GDPR, article 17. */
import { emailKey, phoneKey, profileKey } from '../leads/lead-keys.ts';
import type { PlaceContacts } from '../maps/maps.ts';

/** Tombstone keys by which a contact would be recognised as an erased person. */
export const contactKeys = (contacts: PlaceContacts, countryCode: string | null): string[] => [
  ...contacts.emails.map(({ email }) => emailWord(email)),
  ...contacts.phones.map(({ phone }) => phoneWord(phone, countryCode)),
  ...contacts.profiles.map(({ url }) => profileWord(url)),
];

export const phoneWord = (phone: string, countryCode: string | null): string =>
  `phone:${phoneKey(phone, countryCode) ?? ''}`;

const emailWord = (email: string): string => `email:${emailKey(email) ?? ''}`;
const profileWord = (url: string): string => `profile:${profileKey(url) ?? ''}`;

/** The contacts without those whose key is `erased`. */
export const withoutErased = (
  contacts: PlaceContacts,
  countryCode: string | null,
  erased: ReadonlySet<string>,
): PlaceContacts => ({
  ...contacts,
  emails: contacts.emails.filter(({ email }) => !erased.has(emailWord(email))),
  phones: contacts.phones.filter(({ phone }) => !erased.has(phoneWord(phone, countryCode))),
  profiles: contacts.profiles.filter(({ url }) => !erased.has(profileWord(url))),
  checks: Object.fromEntries(
    Object.entries(contacts.checks).filter(([email]) => !erased.has(emailWord(email))),
  ),
});
