/**
 * Keys that identify people within an account. Equal keys mean the same address, number, profile or name, in
 * any notation. Of companies: company-keys.ts; of profiles: profile-keys.ts.
 */
import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js';
import { bounded, foldCase } from '../key-text.ts';
import { isPersonalProfile, sharedPageKey } from './profile-keys.ts';

export { companyNameKey, domainKey } from './company-keys.ts';
export { profileKey } from './profile-keys.ts';

/** `' Ann@Müller.DE '` -> `'ann@xn--mller-kva.de'`; null for what has no two sides. */
export function emailKey(email: string | null | undefined): string | null {
  if (!email) return null;
  const text = email.trim().toLowerCase();
  const at = text.lastIndexOf('@');
  if (at < 1 || at === text.length - 1) return null;
  const domain = text.slice(at + 1).replace(/\.$/, '');
  return bounded(`${text.slice(0, at).normalize('NFC')}@${asciiDomain(domain)}`);
}

/**
 * Digits of the international number, where it can be told with the country (two letters), else the
 * digits as they stand: `('030 123456', 'DE')` -> `'4930123456'`. Null under five digits.
 */
export function phoneKey(phone: string | null | undefined, country?: string | null): string | null {
  if (!phone) return null;
  const text = phone.trim().replace(/^00(?=[1-9])/, '+');
  // The usual case of what is E.164 but for its gaps: the parser costs a hundred times more.
  const plain = GROUPED.test(text) ? text.replaceAll(/[ .-]/g, '') : text;
  if (E164.test(plain)) return plain.slice(1);
  const parsed = parsePhoneNumberFromString(
    text,
    (country ?? undefined) as CountryCode | undefined,
  );
  if (parsed?.isPossible()) return parsed.number.slice(1) + (parsed.ext ? `x${parsed.ext}` : '');
  const digits = text.normalize('NFKC').replaceAll(/[^0-9]/g, '');
  return digits.length < 5 ? null : bounded(digits);
}

/** `('Ann-Marie', "O'Neil")` -> `'ann marie oneil'`; empty for somebody without a name. */
export function personNameKey(firstName: string, lastName: string): string {
  const folded = foldCase(`${firstName} ${lastName}`);
  return bounded(
    folded
      .replaceAll(/['’`´.]/g, '')
      .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
      .trim(),
  );
}

/** The keys of one person; null or empty: not known. */
export interface PersonKeys {
  emailKey: string | null;
  profileKey: string | null;
  phoneKey: string | null;
  nameKey: string;
}

/** Adds a key also for a person who only has a page that belongs to no individual. */
export function withSharedPage(keys: PersonKeys, url: string | null | undefined): PersonKeys {
  const hasKey = keys.emailKey !== null || keys.phoneKey !== null || keys.profileKey !== null;
  return hasKey || !url ? keys : { ...keys, profileKey: sharedPageKey(url, keys.nameKey) };
}

/**
 * What an erased person leaves as hashes, `kind:key`. A number or page may belong to many people, so its
 * tombstone also exists in combination with the name; the number also by its last digits, which are the same
 * with and without the country. Keys that other people have as well (`isShared`) are only kept in combination
 * with the name.
 */
export function tombstoneKeys(
  { emailKey: email, profileKey: profile, phoneKey: phone, nameKey: name }: PersonKeys,
  isShared: (key: string) => boolean = () => false,
): string[] {
  const bare = (kind: string, key: string) => (isShared(key) ? [] : [`${kind}:${key}`]);
  const words = email === null ? [] : [`email:${email}`];
  if (profile !== null && isPersonalProfile(profile)) words.push(`profile:${profile}`);
  else if (profile !== null) {
    words.push(...bare('profile', profile), `profile_name:${profile}|${name}`);
  }
  if (phone === null) return words;
  words.push(...bare('phone', phone), `phone_name:${phone}|${name}`);
  if (name !== '') words.push(...phoneEnd(phone, name));
  return words;
}

/**
 * Which tombstones forbid this person: those of the address, of an individual's profile, and of a number or
 * page in combination with the name. The bare number or page forbids a person without a name, and a number or
 * page of an erased person without a name forbids everyone; neither where an address identifies the person.
 */
export function forbiddenBy(person: PersonKeys): string[] {
  const { emailKey: email, profileKey: profile, phoneKey: phone, nameKey: name } = person;
  const words = email === null ? [] : [`email:${email}`];
  const isPersonal = profile !== null && isPersonalProfile(profile);
  const shared = (kind: string, key: string) => {
    if (name !== '') words.push(`${kind}_name:${key}|${name}`);
    if (email !== null || (kind === 'phone' && profile !== null)) return;
    words.push(`${kind}_name:${key}|`);
    if (name === '') words.push(`${kind}:${key}`);
  };
  if (isPersonal) words.push(`profile:${profile}`);
  else if (profile !== null) shared('profile', profile);
  if (phone === null) return words;
  shared('phone', phone);
  if (name !== '') words.push(...phoneEnd(phone, name));
  return words;
}

/** Without the country code, and without a leading zero; shorter ends are not distinctive. */
function phoneEnd(phone: string, name: string): string[] {
  const digits = phone.replace(/x.*$/, '').replace(/^0+/, '');
  return digits.length < END_DIGITS ? [] : [`phone_end:${digits.slice(-END_DIGITS)}|${name}`];
}

const END_DIGITS = 7;

const E164 = /^\+[1-9]\d{9,14}$/;

/** A country's code (ITU-T E.164, those of one and two digits first), and no trunk zero behind it. */
const SHORT_CODES = '1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]';
const GROUPED = new RegExp(
  String.raw`^\+(?:(?:${SHORT_CODES})|(?!${SHORT_CODES})\d{3})[ .-]?[1-9](?:[ .-]?\d)+$`,
);

function asciiDomain(domain: string): string {
  if (/^[a-z0-9.-]+$/.test(domain)) return domain;
  try {
    return new URL(`http://${domain}`).hostname;
  } catch {
    return domain;
  }
}
