/** The port of vendors whose mailboxes are used by OAuth 2.0, with OpenID Connect. Adapters obey each MUST. */
import type { OauthProvider } from '../../domain/mailboxes/oauth.ts';
import type { AskableAccount } from '../../domain/operations/account-questions.ts';

/** What a person is asked, in the browser. */
export interface ConsentRequest {
  redirectUri: string;
  /** Comes back with the answer. */
  state: string;
  /** Comes back within the id token. */
  nonce: string;
  /** RFC 7636, S256. */
  codeChallenge: string;
  loginHint: string | undefined;
}

/** The tokens of one answer. */
export interface OauthTokens {
  accessToken: string;
  expiresInSeconds: number;
  /** The one that is valid from now on; undefined: that of before. */
  refreshToken: string | undefined;
}

/** A consent that was given. */
export interface Consent extends OauthTokens {
  refreshToken: string;
  /** The vendor's own name of the account, whatever addresses it has: `sub` of the id token. */
  subject: string;
  /** Whom it is of: the address first, then other names of the same account. Lower case. */
  addresses: readonly [string, ...string[]];
  /** By which mail servers know the account. */
  username: string;
}

/** As `providerCode` of an error: the owner has to give another consent. */
export const CONSENT_GONE = 'invalid_grant';

/**
 * Errors: `rejected` with `CONSENT_GONE` where a code or a refresh token is not taken (any more), `rejected` with
 * `scope_missing` where not all was allowed, `rejected` with `id_token` where the vendor's word about the person does
 * not hold; `auth` where our own registration is refused; else `unavailable` or `rate_limited`. No token, code or
 * secret may be in any of them, nor the vendor's description, which may repeat one.
 */
export interface MailboxOauth extends AskableAccount {
  readonly name: OauthProvider;
  /** Where the browser goes. MUST ask for a refresh token, also of somebody who has consented before. */
  consentUrl(request: ConsentRequest): Promise<string>;
  /**
   * MUST verify the id token: signature by the vendor's keys, issuer, audience, expiry and nonce. MUST throw where a
   * scope of mail or the refresh token is missing.
   */
  exchange(answer: {
    code: string;
    codeVerifier: string;
    redirectUri: string;
    nonce: string;
  }): Promise<Consent>;
  refresh(refreshToken: string): Promise<OauthTokens>;
  /**
   * Takes the consent back at the vendor (RFC 7009), and with it all that its account has allowed us. False where the
   * vendor publishes no way to. MUST succeed where the vendor does not know the token any more: it may be asked twice.
   */
  revoke(refreshToken: string): Promise<boolean>;
}
