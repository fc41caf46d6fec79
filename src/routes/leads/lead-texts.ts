/** Schemas of a lead's texts; an empty text counts as missing. */
import { z } from 'zod';
import { readEmailAddress } from '../../domain/email-validation/email-address.ts';
import { phoneKey } from '../../domain/leads/lead-keys.ts';
import { canonicalTimeZone } from '../../domain/time-zone.ts';

const optionalText = (isValid: (text: string) => boolean, problem: string, max = 255) =>
  z
    .string()
    .trim()
    .max(max)
    .refine((text) => text === '' || isValid(text), problem)
    .transform((text) => (text === '' ? null : text))
    .nullish();

export const textUpTo = (max: number) => optionalText(() => true, '', max);

export const anyText = textUpTo(255);

/** Choice 59. */
export const email = optionalText(
  (text) => readEmailAddress(text) !== undefined,
  'must be an e-mail address',
);

export const phone = optionalText((text) => phoneKey(text) !== null, 'must be a phone number');

/** IANA name, in any case. */
export const timezone = optionalText(
  (text) => canonicalTimeZone(text) !== undefined,
  'must be an IANA time zone',
  64,
);

/** With or without a protocol. */
export const webAddress = optionalText(isWebAddress, 'must be the address of a page');

function isWebAddress(text: string): boolean {
  try {
    const address = /^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `https://${text}`;
    const { protocol, hostname } = new URL(address);
    return /^https?:$/.test(protocol) && hostname.includes('.') && !/\s/.test(text);
  } catch {
    return false;
  }
}
