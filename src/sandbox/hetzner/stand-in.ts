/** Stand-in of the Hetzner Cloud API (v1), mounted at /hetzner/v1. */
import { Router, type NextFunction, type Request, type Response } from 'express';
import { accountOf } from '../accounts.ts';
import type { SandboxCore, StandIn } from '../core.ts';
import type { Hosts } from '../servers/hosts.ts';
import type { Store } from '../store.ts';
import { send, vendorRouter } from '../vendor-router.ts';
import { actionRoutes } from './actions.ts';
import {
  hetznerZone,
  openHetznerRecords,
  shownRecords,
  type HetznerRecords,
} from './vendor-records.ts';
import { catalogueRoutes } from './catalogue-routes.ts';
import { powerRoutes } from './real-power.ts';
import { rebuildRoutes } from './rebuild.ts';
import { serverRoutes, subjectOfOrder } from './servers.ts';
import { firewallRoutes, portFilter } from './firewalls.ts';
import { sshKeyRoutes } from './ssh-keys.ts';
import { authenticate, failure, hetznerWire, limitRate } from './wire.ts';

/** `hosts` runs the machines that are rented here. */
export function createHetzner(core: SandboxCore, hosts: Hosts): StandIn {
  const vendorRecords = openHetznerRecords(core.store);
  core.zone.addSource(hetznerZone(vendorRecords));
  core.hosts.addFilter(portFilter(vendorRecords));
  const routes = Router();
  routes.use(authenticate, limitRate(), requireWrite(core.store));
  routes.use(actionRoutes(vendorRecords), sshKeyRoutes(vendorRecords), catalogueRoutes(core.store));
  routes.use(firewallRoutes({ core, vendorRecords }));
  routes.use(
    serverRoutes({ core, vendorRecords, hosts }),
    powerRoutes({ core, vendorRecords, hosts }),
    rebuildRoutes({ core, vendorRecords, hosts }),
  );
  routes.use((_request, response) => send(response, failure(404, 'not_found', 'not found')));
  const wire = hetznerWire((request) => subjectOf(vendorRecords, request));
  return {
    name: 'hetzner',
    mount: { path: '/hetzner/v1', router: vendorRouter(core, wire, routes) },
    vendorRecords: () => ({ vps: { hetzner: shownRecords(vendorRecords) } }),
  };
}

/** What a token that may only read is told, whatever it sends. */
const requireWrite =
  (store: Store) =>
  (request: Request, response: Response, next: NextFunction): void => {
    if (request.method === 'GET' || !accountOf(store, 'hetzner').readOnly) return next();
    send(response, failure(403, 'token_readonly', 'token is readonly'));
  };

/** The domain that a call is about: in the order, or of the server that it names. */
function subjectOf(vendorRecords: HetznerRecords, request: Request): string | undefined {
  const id = /\/servers\/(\d+)/.exec(request.path)?.[1];
  const name = request.query['name'];
  const known = vendorRecords
    .servers()
    .find((server) => (id === undefined ? server.name === name : String(server.id) === id));
  if (known !== undefined) return subjectOfOrder(known);
  const isOrder = request.method === 'POST' && /\/servers\/?$/.test(request.path);
  return isOrder ? subjectOfOrder((request.body ?? {}) as object) : undefined;
}
