/**
 * The world's certificate authority (RFC 8555, http-01), mounted at /acme. The simulated mail hosts have their
 * certificates from certificate-authority.ts directly and order nothing here.
 */
import { Router } from 'express';
import type { SandboxCore, StandIn } from '../core.ts';
import { SANDBOX_ISSUER } from '../acme.ts';
import { vendorRouter } from '../vendor-router.ts';
import { createNonces } from './nonces.ts';
import type { Desk } from './jws.ts';
import { accountRoutes, orderRoutes, proofRoutes } from './routes.ts';
import { openAcmeRecords } from './records.ts';
import { refuse, wire } from './wire.ts';
import { createAcmeWork } from './work.ts';

export function createAcme(core: SandboxCore): StandIn {
  const records = openAcmeRecords(core.store);
  const desk: Desk = { core, records, nonces: createNonces() };
  const work = createAcmeWork(core, records);
  const routes = Router();
  routes.use(publicRoutes(desk), accountRoutes(desk), orderRoutes(desk, work));
  routes.use(proofRoutes(desk, work));
  routes.use(({ path }) => {
    throw refuse(404, 'malformed', `There is no ${path} here`);
  });
  const control = Router();
  control.delete('/certificates', (_request, response) => {
    records.expireAll();
    response.json(shown());
  });
  const shown = () => ({
    accounts: records.accounts().length,
    orders: records.orders().map((order) => {
      const { id, name, error } = order;
      return { id, name, status: records.statusOf(order), error: error?.type ?? null };
    }),
  });
  return {
    name: 'acme',
    mount: { path: '/acme', router: vendorRouter(core, wire, routes) },
    vendorRecords: () => ({ certificates: shown() }),
    control,
    start: async () => work.resume(),
  };
}

/** What needs no signature: the directory (RFC 8555, 7.1.1) and nonces (7.2). */
function publicRoutes({ core, nonces }: Desk): Router {
  const router = Router();
  router.get('/directory', (_request, response) => {
    const at = (path: string) => `${core.baseUrl()}/acme/${path}`;
    response.json({
      newNonce: at('new-nonce'),
      newAccount: at('new-account'),
      newOrder: at('new-order'),
      revokeCert: at('revoke-cert'),
      keyChange: at('key-change'),
      meta: { termsOfService: at('terms'), caaIdentities: [SANDBOX_ISSUER] },
    });
  });
  router.get('/new-nonce', ({ method }, response) => {
    response.set({ 'replay-nonce': nonces.fresh(), 'cache-control': 'no-store' });
    response.status(method === 'HEAD' ? 200 : 204).end();
  });
  return router;
}
