/** Stand-in of the Vultr API (v2), mounted at /vultr/v2. */
import { Router, type Request } from 'express';
import type { SandboxCore, StandIn } from '../core.ts';
import type { Hosts } from '../servers/hosts.ts';
import { send, vendorRouter } from '../vendor-router.ts';
import { accountRoutes, allowAddress } from './account.ts';
import { openVultrRecords, shownRecords, vultrZone, type VultrRecords } from './vendor-records.ts';
import { catalogueRoutes } from './catalogue.ts';
import { domainOf, instanceRoutes } from './instances.ts';
import { reinstallRoutes } from './reinstall.ts';
import { sshKeyRoutes } from './ssh-keys.ts';
import { authenticate, failure, limitRate, vultrWire } from './wire.ts';

/** `hosts` runs the machines that are rented here. */
export function createVultr(core: SandboxCore, hosts: Hosts): StandIn {
  const vendorRecords = openVultrRecords(core.store);
  core.zone.addSource(vultrZone(vendorRecords));
  const routes = Router();
  routes.use(limitRate(core.limitPace));
  // The catalogue needs no authentication.
  routes.use(catalogueRoutes(), authenticate, allowAddress(core.store));
  routes.use(accountRoutes(core.store));
  routes.use(sshKeyRoutes(vendorRecords), instanceRoutes({ core, vendorRecords, hosts }));
  routes.use(reinstallRoutes({ core, vendorRecords, hosts }));
  routes.use((_request, response) => send(response, failure(404, 'Invalid API endpoint.')));
  const wire = vultrWire((request) => subjectOf(vendorRecords, request));
  return {
    name: 'vultr',
    mount: { path: '/vultr/v2', router: vendorRouter(core, wire, routes) },
    vendorRecords: () => ({ vps: { vultr: shownRecords(vendorRecords) } }),
  };
}

/** The domain that a call is about: in the order, or of the instance that it names. */
function subjectOf(vendorRecords: VultrRecords, request: Request): string | undefined {
  const id = /\/instances\/([\w-]+)/.exec(request.path)?.[1];
  const { label, tag } = request.query;
  const name = typeof label === 'string' ? label : String(typeof tag === 'string' ? tag : '');
  const known = vendorRecords
    .instances()
    .find((each) => (id === undefined ? each.tags.includes(name) : each.id === id));
  if (known !== undefined) return domainOf(known.tags);
  const isOrder = request.method === 'POST' && /\/instances\/?$/.test(request.path);
  return isOrder ? domainOf((request.body as { tags?: unknown } | undefined)?.tags) : undefined;
}
