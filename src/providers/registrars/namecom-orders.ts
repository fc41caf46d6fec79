/**
 * Name.com's orders: what our account asked for, and what became of it. The vendor has no idempotency key
 * for renewals, so this list and the end of the term are all that tells a lost answer from nothing done.
 */
import { z } from 'zod';
import { DAY_MS } from '../../domain/day.ts';
import type { JsonClient } from '../http-client.ts';
import { centsFromDollars } from './dollars.ts';
import type { RegistrarOrder } from './port.ts';

/** The vendor's largest page is 1000; the bound on pages only stops an endless loop. */
const PER_PAGE = 500;
const MAX_PAGES = 1_000;

const KINDS: Readonly<Record<string, RegistrarOrder['kind']>> = {
  registration: 'registration',
  renewal: 'renewal',
};

const itemAnswer = z.object({
  name: z.string().nullish(),
  type: z.string(),
  status: z.string(),
  price: z.number().nullish(),
});
const orderAnswer = z.object({
  id: z.int(),
  status: z.string().nullish(),
  createDate: z.string().nullish(),
  orderItems: z.array(itemAnswer).nullish(),
});
type OrderAnswer = z.infer<typeof orderAnswer>;
const answer = z.object({
  orders: z.array(orderAnswer).nullish(),
  nextPage: z.int().nullish(),
});

/** Registrations and renewals that were ordered at or after `since`, of one domain or of all. */
export async function listOrders(
  client: JsonClient,
  since: Date,
  domain?: string,
): Promise<RegistrarOrder[]> {
  // Days, one earlier: the vendor does not say in which zone its dates are.
  const createDateStart = new Date(since.getTime() - DAY_MS).toISOString().slice(0, 10);
  const found: RegistrarOrder[] = [];
  let page: number | null = 1;
  for (let read = 0; page !== null && read < MAX_PAGES; read += 1) {
    const shown: z.infer<typeof answer> = await client.send({
      method: 'GET',
      path: '/orders',
      query: {
        page,
        perPage: PER_PAGE,
        createDateStart,
        ...(domain !== undefined && { domainName: domain }),
      },
      repeatable: true,
      answer,
    });
    found.push(...(shown.orders ?? []).flatMap(partsOf));
    // `nextPage` is only there when there is more.
    page = shown.nextPage ?? null;
  }
  const isRecent = ({ placedAt }: RegistrarOrder) => new Date(placedAt) >= since;
  return found.filter((one) => isRecent(one) && (domain === undefined || one.domain === domain));
}

/** The registrations and renewals within one order. */
function partsOf(order: OrderAnswer): RegistrarOrder[] {
  return (order.orderItems ?? []).flatMap((item): RegistrarOrder[] => {
    const kind = KINDS[item.type];
    if (kind === undefined || !item.name) return [];
    return [
      {
        orderRef: String(order.id),
        domain: item.name.toLowerCase(),
        kind,
        state: stateOf(order.status, item.status),
        placedAt: latestTime(order.createDate),
        chargedCents: centsFromDollars(item.price) ?? 0,
      },
    ];
  });
}

/** Of orders: success, failed, initialized, review, started. Of their items: success, failed, refunded. */
function stateOf(order: string | null | undefined, item: string): RegistrarOrder['state'] {
  const failed = ['failed', 'refunded'];
  if (failed.includes(item) || failed.includes(order ?? '')) return 'failed';
  return order === 'success' && item === 'success' ? 'done' : 'pending';
}

/** The latest moment that the text can mean: a day is its end, and nothing is now. */
function latestTime(text: string | null | undefined): string {
  const ms = Date.parse(text ?? '');
  if (Number.isNaN(ms)) return new Date().toISOString();
  return new Date(/^\d{4}-\d\d-\d\d$/.test(text ?? '') ? ms + DAY_MS : ms).toISOString();
}
