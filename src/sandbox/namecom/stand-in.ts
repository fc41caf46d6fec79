/** Stand-in of the Name.com Core API (v1), mounted at /namecom/core/v1. */
import { Router, type NextFunction, type Request, type Response } from 'express';
import { accountOf } from '../accounts.ts';
import type { SandboxCore, StandIn } from '../core.ts';
import { createIdempotencyKeys } from '../idempotency.ts';
import { createRateLimit } from '../rate-limit.ts';
import type { Store } from '../store.ts';
import { send, vendorRouter } from '../vendor-router.ts';
import { namecomZone, openNamecomRecords, type NamecomRecords } from './vendor-records.ts';
import { domainRoutes } from './domains.ts';
import { orderRoutes } from './orders.ts';
import { dollars } from './prices.ts';
import { recordRoutes } from './records.ts';
import { renewalRoutes } from './renewals.ts';
import {
  CALLS_PER_SECOND,
  failure,
  NAMECOM_TOKEN,
  NAMECOM_USERNAME,
  namecomWire,
  rateLimited,
} from './wire.ts';

/** "Caches are cleared after 1 hour", says the vendor. */
const IDEMPOTENCY_WINDOW_MS = 3_600_000;
const CREDENTIALS = `Basic ${Buffer.from(`${NAMECOM_USERNAME}:${NAMECOM_TOKEN}`).toString('base64')}`;

export function createNamecom(core: SandboxCore): StandIn {
  const vendorRecords = openNamecomRecords(core.store);
  const keys = createIdempotencyKeys(core.store, {
    vendor: 'namecom',
    windowMs: IDEMPOTENCY_WINDOW_MS,
  });
  core.zone.addSource(namecomZone(vendorRecords, core.store));
  const routes = Router();
  routes.use(limitRate(core.limitPace), authenticate, allowAddress(core.store), requireJson);
  routes.use((_request, _response, next) => {
    vendorRecords.rejectDue();
    next();
  });
  routes.use(accountRoutes(vendorRecords));
  routes.use(domainRoutes({ core, vendorRecords, keys }));
  routes.use(renewalRoutes(core.store, vendorRecords));
  routes.use(recordRoutes(vendorRecords));
  routes.use(orderRoutes(vendorRecords, keys));
  routes.use((_request, response) => send(response, failure(404, 'Not Found')));
  return {
    name: 'namecom',
    mount: { path: '/namecom/core/v1', router: vendorRouter(core, namecomWire, routes) },
    vendorRecords: () => ({ registrars: { namecom: vendorRecords.shown() } }),
  };
}

function accountRoutes(vendorRecords: NamecomRecords): Router {
  const router = Router();
  router.get('/hello', (_request, response) => {
    response.json({
      motd: 'This is the sandbox: nothing is really bought.',
      serverName: 'sandbox',
      serverTime: new Date().toISOString(),
      username: NAMECOM_USERNAME,
    });
  });
  router.get('/accountinfo/balance', (_request, response) => {
    response.json({ balance: dollars(vendorRecords.balanceCents()) });
  });
  return router;
}

function authenticate(request: Request, response: Response, next: NextFunction): void {
  if (request.get('authorization') === CREDENTIALS) next();
  else send(response, failure(401, 'Unauthorized'));
}

/** Where the API settings of the account restrict addresses. */
const allowAddress =
  (store: Store) =>
  (_request: Request, response: Response, next: NextFunction): void => {
    if (accountOf(store, 'namecom').addressAllowed !== false) return next();
    send(response, failure(403, 'Permission denied', 'Failed authentication'));
  };

function requireJson(request: Request, response: Response, next: NextFunction): void {
  const hasBody = request.method !== 'GET' && request.method !== 'DELETE';
  if (!hasBody || request.is('application/json')) next();
  else send(response, failure(415, 'Unsupported Media Type'));
}

/** Twenty calls in any second of world time. */
function limitRate(pace: number) {
  const limit = createRateLimit({ calls: CALLS_PER_SECOND, perMs: 1_000 / pace });
  return (_request: Request, response: Response, next: NextFunction): void => {
    if (limit.admits()) next();
    else send(response, rateLimited());
  };
}
