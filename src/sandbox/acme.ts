/**
 * The certificate authority's directory (RFC 8555, section 7.1.1), for those who look whether it answers. The
 * simulated hosts have their certificates from certificate-authority.ts directly and order nothing here.
 */
import { Router } from 'express';
import type { SandboxCore, StandIn } from './core.ts';

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
      meta: { termsOfService: at('terms') },
    });
  });
  return { name: 'acme', mount: { path: '/acme', router } };
}
