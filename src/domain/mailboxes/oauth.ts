/** Mailboxes that their owners let us use by OAuth, without a password. Choice 132. */
import { parseUrl } from '../url.ts';

export const OAUTH_PROVIDERS = ['google', 'microsoft'] as const;
export type OauthProvider = (typeof OAUTH_PROVIDERS)[number];

/** A consent that was given: its tokens are in `oauth_grants`, sealed. */
export interface OauthGrant {
  provider: OauthProvider;
  grantId: string;
}

/** What a person brings back from the vendor's page where the mailbox is not being connected. */
export const OAUTH_ERRORS = {
  CONSENT_REFUSED: 'The access to the mailbox was not allowed.',
  CONSENT_INCOMPLETE:
    'Not everything that is needed was allowed: sending and reading mail, also later. Please allow all of it.',
  ADDRESS_MISMATCH: 'Another mailbox than the wanted one was chosen at the vendor.',
  CODE_REFUSED: 'The vendor did not confirm the consent. Please try again.',
  STATE_USED: 'This consent was brought back before. Please start again.',
  STATE_EXPIRED: 'This took too long. Please start again.',
  MAILBOX_EXISTS: 'The address exists already, on a cluster or in another account.',
  INVALID_STATE: 'The mailbox is being worked on. Please try again shortly.',
  UNAVAILABLE: 'The vendor, or something of ours, does not answer. Please start again shortly.',
} as const;
export type OauthError = keyof typeof OAUTH_ERRORS;

/** What the owner of a mailbox does when its consent is gone. */
export const OAUTH_GUIDANCE =
  'Connect it again: POST /v1/mailboxes/connect/oauth with the same address, and allow all that is asked.';

/** Where somebody takes a consent back by themselves; the vendors' own pages. */
export const REVOKED_BY_OWNER: Readonly<Record<OauthProvider, string>> = {
  google: 'https://myaccount.google.com/connections',
  microsoft:
    'https://myapps.microsoft.com (an account of work or school) or https://account.microsoft.com/privacy',
};

/** Where vendors send browsers back to, as it is registered there. `publicUrl`: `PUBLIC_URL`. */
export const redirectAddress = (publicUrl: string): string =>
  `${publicUrl.replace(/\/+$/, '')}/oauth/callback`;

const LOOPBACK = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;

/** Whether a browser may be sent there with the result: by https, or to the machine that it runs on. */
export function isReturnUrl(text: string): boolean {
  const url = parseUrl(text);
  if (!url || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname));
}

/** The address with the result in its query. */
export function returnAddress(returnUrl: string, result: Readonly<Record<string, string>>): string {
  const url = new URL(returnUrl);
  for (const [name, value] of Object.entries(result)) url.searchParams.set(name, value);
  return url.toString();
}
