/** The data about the outside that the vendors' stand-ins answer with, set by the control API. */
import { Router } from 'express';
import { z } from 'zod';
import type { SandboxCore, StandIn } from '../core.ts';
import { checked } from '../control-api.ts';
import {
  GENERATED_ADS,
  GENERATED_CONTACTS,
  GENERATED_PLACES,
} from '../websites/generated/world.ts';
import { adSchema, openAds, type Ads } from './ads.ts';
import { contactSchema, openContacts, type Contacts } from './contacts.ts';
import { openPlaces, placeSchema, type Places } from './places.ts';

export interface Catalogues {
  places: Places;
  ads: Ads;
  contacts: Contacts;
}

export const openCatalogues = (core: SandboxCore): Catalogues => ({
  places: openPlaces(core.store, GENERATED_PLACES),
  ads: openAds(core.store, GENERATED_ADS),
  contacts: openContacts(core.store, GENERATED_CONTACTS),
});

export function createCatalogues({ places, ads, contacts }: Catalogues): StandIn {
  const control = Router();
  control.use(
    shelf('places', placeSchema, places),
    shelf('ads', adSchema, ads),
    shelf('contacts', contactSchema, contacts),
  );
  return { name: 'catalogues', control };
}

/** One catalogue in the control API: GET shows it, PUT adds, DELETE clears. */
interface GivenCatalogue<T> {
  given: () => T[];
  put: (items: T[]) => void;
  clear: () => void;
}

function shelf<S extends z.ZodType>(
  noun: string,
  schema: S,
  catalogue: GivenCatalogue<z.infer<S>>,
): Router {
  const router = Router();
  const body = z.strictObject({ [noun]: z.array(schema) });
  router.get(`/${noun}`, (_request, response) => {
    response.json({ [noun]: catalogue.given() });
  });
  router.put(`/${noun}`, (request, response) => {
    catalogue.put(checked(body, request.body)[noun]!);
    response.json({ [noun]: catalogue.given().length });
  });
  router.delete(`/${noun}`, (_request, response) => {
    catalogue.clear();
    response.json({ [noun]: 0 });
  });
  return router;
}
