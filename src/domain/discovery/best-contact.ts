/** The preferred contact of a place, and why. */
import { chooseContacts } from './contact-choice.ts';
import { scoresOf, type PlaceContacts } from '../maps/maps.ts';

export interface BestContact {
  type: 'email' | 'phone' | 'profile';
  value: string;
  /** For people, one sentence without full stop. */
  why: string;
}

/** E-mail before telephone before profile; null where nothing was found. */
export function bestContact(contacts: PlaceContacts, website: string): BestContact | null {
  const options = { website, includeGeneric: true, validationScores: scoresOf(contacts), max: 1 };
  const [email] = chooseContacts(contacts, options);
  if (email) return { type: 'email', value: email.email, why: email.reason };
  const phone = contacts.phones.find(({ isFax }) => !isFax);
  if (phone) return { type: 'phone', value: phone.phone, why: `no e-mail; found on ${phone.page}` };
  const [profile] = contacts.profiles;
  if (!profile) return null;
  const why = `neither e-mail nor telephone; linked from ${profile.page}`;
  return { type: 'profile', value: profile.url, why };
}
