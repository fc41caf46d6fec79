/** What the product has to know of the world's certificate authority (`acme/stand-in.ts`). */

/** What the authority of the world calls itself in CAA records. */
export const SANDBOX_ISSUER = 'ca.sandbox.test';

/** `sandboxUrl` is where the stand-ins listen. */
export const authorityVariables = (sandboxUrl: string) => ({
  ACME_DIRECTORY_URL: `${sandboxUrl}/acme/directory`,
  ACME_CAA_ISSUER: SANDBOX_ISSUER,
});
