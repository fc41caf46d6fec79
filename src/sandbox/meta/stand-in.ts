/** Stand-in of Meta's Ad Library API, mounted at /meta. */
import { Router } from 'express';
import type { Catalogues } from '../catalogues/stand-in.ts';
import type { SandboxCore, StandIn } from '../core.ts';
import { send, vendorRouter } from '../vendor-router.ts';
import { answer } from './archive.ts';
import { readQuestion } from './parameters.ts';
import { authenticate, failure, limitRate, metaWire } from './wire.ts';

export function createMeta(core: SandboxCore, { ads }: Catalogues): StandIn {
  const routes = Router();
  routes.use(authenticate, limitRate(core.limitPace));
  routes.get('/:version/ads_archive', (request, response, next) => {
    if (!/^v\d+\.\d+$/.test(request.params.version)) return next();
    const query = request.originalUrl.replace(/^[^?]*/, '');
    const address = new URL(`https://graph.facebook.com${request.path}${query}`);
    response.json(answer(ads, readQuestion(request), address));
  });
  routes.use((request, response) => {
    const message = `Unknown path components: ${request.path}`;
    send(response, failure(message, { code: 2_500 }));
  });
  return {
    name: 'meta',
    mount: { path: '/meta', router: vendorRouter(core, metaWire, routes) },
  };
}
