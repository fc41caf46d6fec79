/** What differs from vendor to vendor, and what each publishes and says. */
import { z } from 'zod';
import type { OauthProvider } from '../../domain/mailboxes/oauth.ts';

export interface OpenIdVendor {
  name: OauthProvider;
  issuer: string;
  clientId: string;
  clientSecret: string;
  timeoutMs: number;
  scopes: readonly string[];
  /** Those without which the mailbox cannot be used. */
  neededScopes: readonly string[];
  /** Of the vendor's own, in the address that the browser opens. */
  parameters: Readonly<Record<string, string>>;
  /** The address first, then other names of the account. */
  namesOf(claims: IdClaims): string[];
  usernameOf(names: readonly [string, ...string[]]): string;
}

export const discovered = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  /** RFC 8414: not every vendor takes consents back. */
  revocation_endpoint: z.url().optional(),
});
export type Discovered = z.infer<typeof discovered>;

/** Of an id token. */
export const claims = z.object({
  iss: z.string(),
  sub: z.string(),
  nonce: z.string(),
  email: z.string().optional(),
  email_verified: z
    .union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')])
    .optional(),
  preferred_username: z.string().optional(),
  /** The tenant of a Microsoft account. */
  tid: z.string().optional(),
});
export type IdClaims = z.infer<typeof claims>;
