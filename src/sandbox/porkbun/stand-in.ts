/** Stand-in of the Porkbun API (v3), mounted at /porkbun/api/json/v3. */
import { Router, type NextFunction, type Request, type Response } from 'express';
import type { SandboxCore, StandIn } from '../core.ts';
import { createIdempotencyKeys } from '../idempotency.ts';
import { send, vendorRouter } from '../vendor-router.ts';
import { openPorkbunRecords, porkbunZone } from './vendor-records.ts';
import type { StandInContext } from './context.ts';
import { domainRoutes } from './domains.ts';
import { createLimit } from './limits.ts';
import { orderRoutes } from './orders.ts';
import { recordRoutes } from './records.ts';
import { failure, PORKBUN_API_KEY, PORKBUN_SECRET_API_KEY, porkbunWire, success } from './wire.ts';

/** "Replays the stored response for 24 hours", says the vendor. */
const IDEMPOTENCY_WINDOW_MS = 24 * 3_600_000;

export function createPorkbun(core: SandboxCore): StandIn {
  const { store, limitPace } = core;
  const vendorRecords = openPorkbunRecords(store);
  const keys = createIdempotencyKeys(store, { vendor: 'porkbun', windowMs: IDEMPOTENCY_WINDOW_MS });
  const limit = (noun: string, count: number, windowSeconds: number) =>
    createLimit({ noun, limit: count, windowSeconds, pace: limitPace });
  const context: StandInContext = {
    core,
    vendorRecords,
    keys,
    checks: limit('checks', 10, 10),
    creates: limit('create attempts', 1, 1),
    renewals: limit('renew attempts', 1, 1),
  };
  core.zone.addSource(porkbunZone(vendorRecords, store));
  const routes = Router();
  routes.post('/ping', (request, response) => {
    const { key, secret } = keysOf(request);
    const yourIp = request.ip ?? '127.0.0.1';
    if (key === undefined && secret === undefined) return send(response, success({ yourIp }));
    const areValid = key === PORKBUN_API_KEY && secret === PORKBUN_SECRET_API_KEY;
    send(response, areValid ? success({ yourIp, credentialsValid: true }) : badKeys());
  });
  routes.use(authenticate);
  routes.use(domainRoutes(context), orderRoutes(context), recordRoutes(vendorRecords));
  routes.use((_request, response) => response.status(404).type('html').send('<h1>404</h1>'));
  return {
    name: 'porkbun',
    mount: { path: '/porkbun/api/json/v3', router: vendorRouter(core, porkbunWire, routes) },
    vendorRecords: () => ({ registrars: { porkbun: vendorRecords.shown() } }),
  };
}

/** The keys come in the headers, or in the body from older programs. */
function authenticate(request: Request, response: Response, next: NextFunction): void {
  const { key, secret } = keysOf(request);
  if (key === undefined || secret === undefined) {
    return send(response, failure('API_KEY_REQUIRED', 'An API key is required.'));
  }
  if (key === PORKBUN_API_KEY && secret === PORKBUN_SECRET_API_KEY) return next();
  send(response, badKeys());
}

const badKeys = () => failure('INVALID_API_KEYS_001', 'Invalid API key. (001)');

function keysOf(request: Request): { key: unknown; secret: unknown } {
  const body = (request.body ?? {}) as { apikey?: unknown; secretapikey?: unknown };
  return {
    key: body.apikey ?? request.get('x-api-key'),
    secret: body.secretapikey ?? request.get('x-secret-api-key'),
  };
}
