/** Stand-in of Google's Places API (New), its text search, mounted at /places. */
import { Router } from 'express';
import type { Catalogues } from '../catalogues/stand-in.ts';
import type { SandboxCore, StandIn } from '../core.ts';
import { send, vendorRouter } from '../vendor-router.ts';
import { readMask } from './field-mask.ts';
import { searchText } from './search.ts';
import { authenticate, failure, limitRate, placesWire } from './wire.ts';

export function createGooglePlaces(core: SandboxCore, { places }: Catalogues): StandIn {
  const routes = Router();
  routes.use(authenticate, limitRate(core.limitPace));
  routes.post('/v1/places\\:searchText', (request, response) => {
    const inQuery = request.query['$fields'] ?? request.query['fields'];
    const fields = request.get('x-goog-fieldmask') ?? inQuery;
    const mask = readMask(typeof fields === 'string' ? fields : undefined);
    response.json(searchText(places, request.body ?? {}, mask));
  });
  routes.use((_request, response) =>
    send(response, failure(404, 'NOT_FOUND', 'Requested entity was not found.')),
  );
  return {
    name: 'google-places',
    mount: { path: '/places', router: vendorRouter(core, placesWire, routes) },
  };
}
