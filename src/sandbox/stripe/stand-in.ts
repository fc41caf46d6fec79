/** Stand-in of Stripe's API v1 at the sandbox's root, for the official client. */
import { Router, type NextFunction, type Request, type Response } from 'express';
import type { SandboxCore, StandIn } from '../core.ts';
import { createIdempotencyKeys } from '../idempotency.ts';
import { send, vendorRouter } from '../vendor-router.ts';
import { accountRoutes } from './account-routes.ts';
import { openStripeRecords } from './vendor-records.ts';
import { paymentsControl } from './control-api.ts';
import { intentRoutes } from './intents.ts';
import { moneyRoutes } from './money-routes.ts';
import { checkoutPage } from './page.ts';
import { sessionRoutes, settle, type Repeat } from './sessions.ts';
import { createWebhookSender } from './webhooks.ts';
import { failure, newId, STRIPE_KEY, STRIPE_VERSION, stripeWire } from './wire.ts';

/** Stripe forgets a key after a day at the earliest. */
const IDEMPOTENCY_WINDOW_MS = 24 * 3_600_000;
/** How often due sessions are searched. */
const EXPIRY_INTERVAL_MS = 30_000;

export function createStripe(core: SandboxCore): StandIn {
  const vendorRecords = openStripeRecords(core.store);
  const till = { core, vendorRecords };
  const sender = createWebhookSender(core, vendorRecords);
  const repeatable = createRepeat(core);
  const routes = Router();
  routes.use(introduce, authenticate);
  routes.use(sessionRoutes(till, sender, repeatable), moneyRoutes(till, sender, repeatable));
  routes.use(intentRoutes(till, sender, repeatable), accountRoutes(core));
  routes.use((request, response) => {
    const asked = `${request.method}: ${request.path}`;
    send(response, failure(404, `Unrecognized request URL (${asked}).`));
  });
  let expiry: NodeJS.Timeout | undefined;
  return {
    name: 'stripe',
    mount: { path: '/v1', router: vendorRouter(core, stripeWire, routes) },
    pages: checkoutPage(till),
    control: paymentsControl(till, sender),
    vendorRecords: () => ({ payments: vendorRecords.shown() }),
    start() {
      sender.resume();
      expiry = setInterval(() => settle(till, sender), EXPIRY_INTERVAL_MS).unref();
      return Promise.resolve();
    },
    close() {
      clearInterval(expiry);
      return Promise.resolve();
    },
  };
}

function introduce(_request: Request, response: Response, next: NextFunction): void {
  response.set({ 'Request-Id': newId('req'), 'Stripe-Version': STRIPE_VERSION });
  next();
}

function authenticate(request: Request, response: Response, next: NextFunction): void {
  const key = /^Bearer (.+)$/.exec(request.get('authorization') ?? '')?.[1];
  if (key === STRIPE_KEY) return next();
  const message =
    key === undefined
      ? 'You did not provide an API key.'
      : `Invalid API Key provided: ${key.slice(0, 8)}***`;
  send(response, failure(401, message));
}

/** The same key with the same parameters answers as before; with others it is an error. */
function createRepeat(core: SandboxCore): Repeat {
  const keys = createIdempotencyKeys(core.store, {
    vendor: 'stripe',
    windowMs: IDEMPOTENCY_WINDOW_MS,
  });
  return (request, work) => {
    const key = request.get('idempotency-key');
    const asked = { path: request.path, body: request.body as unknown };
    if (key === undefined) return keys.keep(key, asked, work);
    const kept = keys.find(key, asked);
    if (kept === 'mismatch') {
      return failure(
        400,
        'Keys for idempotent requests can only be used with the same parameters they were first ' +
          "used with. Try using a key other than '" +
          `${key}' if you meant to execute a different request.`,
        { type: 'idempotency_error' },
      );
    }
    if (kept !== undefined) {
      return { ...kept, headers: { 'Idempotency-Key': key, 'Idempotent-Replayed': 'true' } };
    }
    const answer = keys.keep(key, asked, work);
    return { ...answer, headers: { 'Idempotency-Key': key } };
  };
}
