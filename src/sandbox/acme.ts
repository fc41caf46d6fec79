/**
 * The certificate authority's directory (RFC 8555, section 7.1.1), for those who look whether it answers. The
 * simulated hosts have their certificates from certificate-authority.ts directly and order nothing here.
 */
import { Router } from 'express';
import type { SandboxCore, StandIn } from './core.ts';

/** What the authority of the world calls itself in CAA records. */
export const SANDBOX_ISSUER = 'ca.sandbox.test';

/** What the product has to know of it; `sandboxUrl` is where the stand-ins listen. */
export const authorityVariables = (sandboxUrl: string) => ({
  ACME_DIRECTORY_URL: `${sandboxUrl}/acme/directory`,
  ACME_CAA_ISSUER: SANDBOX_ISSUER,
});

export function createAcme({ baseUrl }: SandboxCore): StandIn {
  const router = Router();
  router.get('/directory', (_request, response) => {
    const at = (path: string) => `${baseUrl()}/acme/${path}`;
    response.json({
      newNonce: at('new-nonce'),
      newAccount: at('new-account'),
      newOrder: at('new-order'),
      revokeCert: at('revoke-cert'),
      keyChange: at('key-change'),
      meta: { termsOfService: at('terms'), caaIdentities: [SANDBOX_ISSUER] },
    });
  });
  return { name: 'acme', mount: { path: '/acme', router } };
}
