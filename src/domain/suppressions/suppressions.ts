/** Who must not be written to: an address, or everybody at a domain and below it. */
import { normalDomainName } from '../domains/domain-name.ts';
import { readEmailAddress } from '../email-validation/email-address.ts';
import { emailKey } from '../leads/lead-keys.ts';

export const SUPPRESSION_KINDS = ['email', 'domain'] as const;
export type SuppressionKind = (typeof SUPPRESSION_KINDS)[number];

export const SUPPRESSION_REASONS = [
  'unsubscribe',
  'bounce',
  'complaint',
  'manual',
  'erasure',
] as const;
export type SuppressionReason = (typeof SUPPRESSION_REASONS)[number];

/** An entry before it is stored; `value` as leads are compared with it. */
export interface NewSuppression {
  kind: SuppressionKind;
  value: string;
  reason: SuppressionReason;
  note: string | null;
  /** Made by the recipient with the link of a message, who may take it back. */
  byLink?: boolean;
}

/** How long a recipient may take an unsubscription back: whoever has read a message late is not surprised by mail. */
export const TAKE_BACK_DAYS = 30;

/** `' Ann@Müller.DE '` -> `'ann@xn--mller-kva.de'`; undefined for what is no address. */
export function suppressedEmail(text: string): string | undefined {
  const address = readEmailAddress(text);
  return address && (emailKey(address.email) ?? undefined);
}

/** `'@Acme.com'` -> `'acme.com'`; undefined for what is no domain. */
export const suppressedDomain = (text: string): string | undefined =>
  normalDomainName(text.trim().replace(/^@/, ''));

/** `'ann@mail.acme.com'` -> `mail.acme.com`, `acme.com`, `com`: what would suppress the address. */
export function domainsAbove(key: string): string[] {
  const labels = key.slice(key.lastIndexOf('@') + 1).split('.');
  return labels.map((_label, at) => labels.slice(at).join('.'));
}
