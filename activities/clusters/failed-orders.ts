/**
 * Orders that a vendor accepted and that are not taken (the server was not made, or its address is on a
 * blocklist): it is deleted before anything else is ordered.
 */
import type { Context } from '../../src/context.ts';
import { getCluster, updateCluster } from '../../src/db/clusters/clusters.ts';
import {
  findServerByIntent,
  lockServer,
  updateServer,
  type Server,
} from '../../src/db/clusters/servers.ts';
import { noteListedAddress } from '../../src/db/clusters/sending-holds.ts';
import {
  ADDRESS_LISTED,
  listingsInWords,
  type Listing,
} from '../../src/domain/clusters/sending-hold.ts';
import { findResource, settleIntent } from '../../src/db/operations/provider-resources.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { vpsOf } from '../engine/access.ts';
import type { ClusterStep } from './server-orders.ts';
import { SERVER_STEP } from './server-tokens.ts';

type OrdersContext = Pick<Context, 'db' | 'vps'>;

/** Why the order was not taken: the vendor failed to make it, or its address is on these lists. */
type Why = { failure: string } | { ipv4: string; listings: readonly Listing[] };

/**
 * Deletes the server at the vendor, then forgets the order; its money stays held for the next one. Always
 * throws: `quota` once nothing is left. Safe to repeat.
 */
export async function abandonOrder(
  context: OrdersContext,
  { operationId, clusterId, server }: ClusterStep & { server: Server },
  why: Why,
): Promise<never> {
  const intent = await findResource(context.db, operationId, SERVER_STEP);
  await vpsOf(context, server.provider).destroy(server.intent_name);
  await context.db.transaction().execute(async (trx) => {
    // An attempt that was undone meanwhile has settled all of this.
    if ((await lockServer(trx, server.id)).status !== 'creating') return;
    await updateServer(trx, server.id, { status: 'deleted' });
    // An attempt whose answer is lost finds the reason here.
    if ('listings' in why) await noteListedAddress(trx, server.id, why);
    await updateCluster(trx, clusterId, { server_id: null });
    if (intent?.token === server.intent_name)
      await settleIntent(trx, intent.id, { state: 'deleted' });
  });
  throw notTaken(server.provider, why);
}

/** Throws the same again where the answer of `abandonOrder` was lost. */
export async function assertNotAbandoned(
  { db }: OrdersContext,
  { operationId, clusterId }: ClusterStep,
): Promise<void> {
  if ((await getCluster(db, clusterId)).server_id !== null) return;
  const intent = await findResource(db, operationId, SERVER_STEP);
  if (intent?.state !== 'deleted') return;
  const server = await findServerByIntent(db, intent.token);
  const isListed = server !== undefined && server.listings.length > 0;
  const why: Why = isListed
    ? { ipv4: server.ipv4!, listings: server.listings }
    : { failure: 'it was deleted' };
  throw notTaken(intent.provider, why);
}

const notTaken = (provider: string, why: Why) =>
  'listings' in why
    ? new ProviderError(
        'quota',
        `${provider}: the server was given back: its address ${why.ipv4} is on ${listingsInWords(why.listings)}`,
        {
          provider,
          providerCode: ADDRESS_LISTED,
          clientCode: 'NO_CAPACITY',
          operatorHint:
            `${provider} hands out addresses that are on blocklists: try again later, set another location, ` +
            'or take the list out of DNSBL_ZONES where such a listing does no harm.',
        },
      )
    : new ProviderError(
        'quota',
        `${provider}: the server was ordered, and could not be made: ${why.failure}`,
        {
          provider,
          clientCode: 'NO_CAPACITY',
          operatorHint: `The vendor failed to make it: wait, or set another type or location of ${provider}.`,
        },
      );
