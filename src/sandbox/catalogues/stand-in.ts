/** What the vendors' stand-ins know of the outside, as the control door tells it. */
import { Router } from 'express';
import { z } from 'zod';
import type { SandboxCore, StandIn } from '../core.ts';
import { checked } from '../door.ts';
import { openPlaces, placeSchema, type Places } from './places.ts';

export interface Catalogues {
  places: Places;
}

export const openCatalogues = (core: SandboxCore): Catalogues => ({
  places: openPlaces(core.store, []),
});

export function createCatalogues(catalogues: Catalogues): StandIn {
  return { name: 'catalogues', door: catalogueDoor(catalogues) };
}

const placesBody = z.strictObject({ places: z.array(placeSchema) });

function catalogueDoor({ places }: Catalogues): Router {
  const door = Router();
  door.get('/places', (_request, response) => void response.json({ places: places.told() }));
  door.put('/places', (request, response) => {
    places.put(checked(placesBody, request.body).places);
    response.json({ places: places.told().length });
  });
  door.delete('/places', (_request, response) => {
    places.clear();
    response.json({ places: 0 });
  });
  return door;
}
