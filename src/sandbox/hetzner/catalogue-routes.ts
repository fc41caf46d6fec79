/** The lists of what can be ordered, and their prices. */
import { Router } from 'express';
import type { Store } from '../store.ts';
import { IMAGES, LOCATIONS, pricing, serverTypes } from './catalogue.ts';
import { idOf, notFound, paged } from './wire.ts';

export function catalogueRoutes(store: Store): Router {
  const router = Router();
  list(router, { path: 'server_types', one: 'server_type', all: () => serverTypes(store) });
  list(router, { path: 'locations', one: 'location', all: () => LOCATIONS });
  list(router, { path: 'images', one: 'image', all: () => IMAGES });
  router.get('/pricing', (_request, response) => {
    response.json({ pricing: pricing() });
  });
  return router;
}

interface Listed {
  path: string;
  one: string;
  all: () => { id: number; name: string }[];
}

function list(router: Router, { path, one, all }: Listed): void {
  router.get(`/${path}`, (request, response) => {
    const { name } = request.query;
    const found = all().filter((each) => name === undefined || each.name === name);
    response.json(paged(path, found, request));
  });
  router.get(`/${path}/:id`, (request, response) => {
    const id = idOf(request, one);
    const found = all().find((each) => each.id === id);
    if (found === undefined) throw notFound(one, id);
    response.json({ [one]: found });
  });
}
