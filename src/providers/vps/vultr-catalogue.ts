/** Whether Vultr sells the configured server now (https://www.vultr.com/api/#tag/region). */
import { z } from 'zod';
import type { JsonClient } from '../http-client.ts';
import type { OrderProblem } from './port.ts';
import { listAll } from './vultr-lists.ts';

/** What is ordered, by the names of its settings. */
export interface VultrOrder {
  VULTR_REGION: string;
  VULTR_PLAN: string;
}

const availability = z.object({ available_plans: z.array(z.string()) });
const named = z.object({ id: z.string() });

/** Requests that change nothing. The catalogue is public: that the key is taken shows a list of servers. */
export async function orderProblems(
  client: JsonClient,
  { VULTR_REGION: region, VULTR_PLAN: plan }: VultrOrder,
): Promise<OrderProblem[]> {
  const servers = { method: 'GET', path: '/instances', query: { per_page: 1 } } as const;
  await client.send({ ...servers, repeatable: true, answer: z.unknown() });
  const regions = await listAll(client, '/regions', { name: 'regions', item: named });
  if (!regions.some(({ id }) => id === region)) {
    const there = regions.map(({ id }) => id).join(', ');
    return [prevents('VULTR_REGION', `${region} is no region; there are ${there}`)];
  }
  const { available_plans: sold } = await client.send({
    method: 'GET',
    path: `/regions/${encodeURIComponent(region)}/availability`,
    repeatable: true,
    answer: availability,
  });
  if (sold.includes(plan)) return [];
  const plans = await listAll(client, '/plans', { name: 'plans', item: named });
  const what = plans.some(({ id }) => id === plan) ? `is sold out in ${region}` : 'is no plan';
  return [
    prevents('VULTR_PLAN', `${plan} ${what}; sold there now: ${sold.join(', ') || 'nothing'}`),
  ];
}

const prevents = (variable: string, message: string): OrderProblem => ({
  variable,
  message,
  prevents: true,
});
