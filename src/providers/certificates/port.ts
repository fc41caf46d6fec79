/**
 * The port of the authority that makes certificates for names which its caller's web server answers for.
 * Every operation throws only `ProviderError`, in which there is never a key.
 */

/** What the name's web server has to answer at /.well-known/acme-challenge/<token> (http-01; RFC 8555, 8.3). */
export interface Challenge {
  token: string;
  keyAuthorization: string;
}

/** `retryAfterMs`: for how long the authority wants not to be asked again, where it says so. */
export type OrderState =
  /** The authority has not been told to look, or has not looked yet. */
  | { state: 'waiting'; challenge: Challenge; retryAfterMs?: number }
  /** Proven: to be finalized. */
  | { state: 'ready' }
  /** The certificate is being made. */
  | { state: 'processing'; retryAfterMs?: number }
  /** The whole chain, the name's own certificate first. */
  | { state: 'issued'; certificatePem: string }
  /**
   * The authority's own words, and its problem type, such as `urn:ietf:params:acme:error:dns`. Nothing more comes of
   * the order. So is one that has expired, or that the authority does not know.
   */
  | { state: 'refused'; reason: string; code: string };

export interface CertificateAuthority {
  /** For an account or a certificate: EC P-256, PKCS#8, PEM. */
  newPrivateKey(): Promise<string>;
  /**
   * Makes an account of the key (or finds it) and an order for the name; answers the order's address. An order may be
   * `ready` at once, where the authority remembers the proof of an earlier one. A repeat may open another order.
   */
  openOrder(accountKeyPem: string, name: string): Promise<string>;

  /** Changes nothing. */
  readOrder(accountKeyPem: string, orderUrl: string): Promise<OrderState>;

  /** The challenge is served now: tells the authority to look. MUST be safe to repeat. */
  askToLook(accountKeyPem: string, orderUrl: string): Promise<void>;

  /**
   * Sends the request for a certificate for this private key. MUST be safe to repeat, and do nothing for an order that
   * is past it. Throws `not_ready` while the name is not proven.
   */
  finalize(
    accountKeyPem: string,
    orderUrl: string,
    name: string,
    privateKeyPem: string,
  ): Promise<void>;
}
