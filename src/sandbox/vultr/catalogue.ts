/** What Vultr sells in this world: systems, regions and plans, as its lists show them. */
import { Router } from 'express';
import { paged, refuse } from './wire.ts';

export const SYSTEMS = [
  system(477, 'Debian 11 x64 (bullseye)', 'debian'),
  system(2136, 'Debian 12 x64 (bookworm)', 'debian'),
  system(1743, 'Ubuntu 22.04 LTS x64', 'ubuntu'),
  system(2284, 'Ubuntu 24.04 LTS x64', 'ubuntu'),
];

export const REGIONS = [
  region('fra', { city: 'Frankfurt', country: 'DE', continent: 'Europe' }),
  region('ams', { city: 'Amsterdam', country: 'NL', continent: 'Europe' }),
  region('ewr', { city: 'New Jersey', country: 'US', continent: 'North America' }),
];

export const PLANS = [
  plan('vc2-1c-1gb', { vcpu_count: 1, ram: 1_024, disk: 25, bandwidth: 1_024, monthly_cost: 5 }),
  plan('vc2-1c-2gb', { vcpu_count: 1, ram: 2_048, disk: 55, bandwidth: 2_048, monthly_cost: 10 }),
  plan('vc2-2c-4gb', { vcpu_count: 2, ram: 4_096, disk: 80, bandwidth: 3_072, monthly_cost: 20 }),
];

/** Plans by region that are listed and cannot be ordered. */
export const SOLD_OUT = ['vc2-1c-2gb ewr'];

/** The lists of what can be ordered. */
export function catalogueRoutes(): Router {
  const router = Router();
  router.get('/os', (request, response) => {
    response.json(paged('os', SYSTEMS, request));
  });
  router.get('/regions', (request, response) => {
    response.json(paged('regions', REGIONS, request));
  });
  router.get('/regions/:id/availability', (request, response) => {
    const region = REGIONS.find(({ id }) => id === request.params.id);
    if (region === undefined) throw refuse(404, 'Invalid region.');
    const sold = PLANS.filter(({ id, locations }) => {
      const isThere = locations.includes(region.id);
      return isThere && !SOLD_OUT.includes(`${id} ${region.id}`);
    });
    response.json({ available_plans: sold.map(({ id }) => id) });
  });
  router.get('/plans', (request, response) => {
    response.json(paged('plans', PLANS, request));
  });
  return router;
}

function system(id: number, name: string, family: string) {
  return { id, name, arch: 'x64', family };
}

function region(id: string, place: { city: string; country: string; continent: string }) {
  return { id, ...place, options: ['ddos_protection', 'block_storage_high_perf'] };
}

function plan(
  id: string,
  size: { vcpu_count: number; ram: number; disk: number; bandwidth: number; monthly_cost: number },
) {
  return { id, ...size, type: 'vc2', locations: REGIONS.map((each) => each.id), disk_count: 1 };
}
