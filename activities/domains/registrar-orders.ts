/** What a registrar's own list of orders tells of a request whose answer was lost. */
import { CLOCK_SKEW_MS } from '../../src/domain/domains/name-claims.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import type { Registrar, RegistrarOrder } from '../../src/providers/registrars/port.ts';

interface Asked {
  domain: string;
  kind: RegistrarOrder['kind'];
  /** When we began to ask. */
  asked: Date;
}

const ordersFor = async (registrar: Registrar, { domain, kind, asked }: Asked) => {
  const since = new Date(asked.getTime() - CLOCK_SKEW_MS);
  const orders = (await registrar.listOrders?.(since, domain)) ?? [];
  return orders.filter((order) => order.kind === kind);
};

/**
 * Throws `not_ready` where the registrar has an order that it carries out, or has carried out and does not
 * show in the domain yet: asking again would be charged again. Nothing where it keeps no such list.
 */
export async function assertNoOrder(registrar: Registrar, asked: Asked): Promise<void> {
  const open = (await ordersFor(registrar, asked)).find(({ state }) => state !== 'failed');
  if (!open) return;
  const words = `${registrar.name}: order ${open.orderRef} for ${asked.domain} is ${open.state}`;
  throw new ProviderError('not_ready', `${words}, and the domain does not show it yet`, {
    provider: registrar.name,
    operatorHint: 'Look at the order in the console of the registrar; retry once it is clear.',
  });
}

/** The order behind what was found bought, where the registrar tells. */
export async function findOrder(
  registrar: Registrar,
  asked: Asked,
): Promise<{ orderRef: string; chargedCents: number } | undefined> {
  const orders = await ordersFor(registrar, asked).catch((error: unknown) => {
    // What was bought is recorded all the same.
    if (error instanceof ProviderError) return [];
    throw error;
  });
  const open = orders.filter(({ state }) => state !== 'failed');
  const newest = open.toSorted((a, b) => b.placedAt.localeCompare(a.placedAt))[0];
  return newest && { orderRef: newest.orderRef, chargedCents: newest.chargedCents };
}
