/** Stand-in of the Apify platform (API v2) with the actors that we use, mounted at /apify. */
import { Router } from 'express';
import type { Catalogues } from '../catalogues/stand-in.ts';
import type { SandboxCore, StandIn } from '../core.ts';
import { send, vendorRouter } from '../vendor-router.ts';
import { createAdsActor } from './ads-actor.ts';
import { createMapsActor } from './maps-actor.ts';
import { apifyRoutes } from './routes.ts';
import { openRunRecords } from './runs.ts';
import { apifyWire, authenticate, failure, limitRate } from './wire.ts';

export function createApify(core: SandboxCore, catalogues: Catalogues): StandIn {
  const book = openRunRecords(core);
  const actors = [createMapsActor(catalogues.places), createAdsActor(catalogues.ads)];
  const routes = Router();
  routes.use(authenticate, limitRate(core.limitPace));
  routes.use(apifyRoutes(book, actors));
  routes.use((_request, response) =>
    send(response, failure(404, 'page-not-found', 'We have bad news: there is no API here.')),
  );
  return {
    name: 'apify',
    mount: { path: '/apify', router: vendorRouter(core, apifyWire, routes) },
    vendorRecords: () => ({ apify: book.shown() }),
  };
}
