/** Stripe's account: its balance, and the webhook endpoints that are registered. */
import { Router } from 'express';
import { accountOf } from '../accounts.ts';
import type { SandboxCore } from '../core.ts';
import { listOf, listQuery } from './lists.ts';
import { parseForm } from './form.ts';

/** When the endpoints were made: before the world began. */
const MADE = 1_760_000_000;

export function accountRoutes({ store, options }: SandboxCore): Router {
  const router = Router();
  router.get('/balance', (_request, response) => {
    const nothing = [{ amount: 0, currency: 'usd', source_types: { card: 0 } }];
    response.json({ object: 'balance', available: nothing, pending: nothing, livemode: false });
  });
  router.get('/webhook_endpoints', (request, response) => {
    const own = { url: options.webhookUrl, events: ['*'], status: 'enabled' as const };
    const endpoints = accountOf(store, 'stripe').endpoints ?? [own];
    const objects = endpoints.map(({ url, events, status }, at) => ({
      id: `we_sandbox${at}`,
      object: 'webhook_endpoint',
      api_version: null,
      application: null,
      created: MADE + at,
      description: null,
      enabled_events: events,
      livemode: false,
      metadata: {},
      status,
      url,
    }));
    response.json(listOf('/v1/webhook_endpoints', objects, parseForm(listQuery, request)));
  });
  return router;
}
