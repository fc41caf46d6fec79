/** Orders that a vendor accepted and could not carry out: the server is deleted before another vendor is asked. */
import type { Context } from '../../src/context.ts';
import { getCluster, updateCluster } from '../../src/db/clusters/clusters.ts';
import { lockServer, updateServer, type Server } from '../../src/db/clusters/servers.ts';
import { findResource, settleIntent } from '../../src/db/operations/provider-resources.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { vpsOf } from '../engine/access.ts';
import { SERVER_STEP, type ClusterStep } from './server-orders.ts';

type OrdersContext = Pick<Context, 'db' | 'vps'>;

/**
 * Deletes the server at the vendor, then forgets the order; its money stays held for the next vendor. Always
 * throws: `quota` once nothing is left. Safe to repeat.
 */
export async function abandonOrder(
  context: OrdersContext,
  { operationId, clusterId, server }: ClusterStep & { server: Server },
  failure: string,
): Promise<never> {
  const intent = await findResource(context.db, operationId, SERVER_STEP);
  await vpsOf(context, server.provider).destroy(server.intent_name);
  await context.db.transaction().execute(async (trx) => {
    // An attempt that was undone meanwhile has settled all of this.
    if ((await lockServer(trx, server.id)).status !== 'creating') return;
    await updateServer(trx, server.id, { status: 'deleted' });
    await updateCluster(trx, clusterId, { server_id: null });
    if (intent?.token === server.intent_name)
      await settleIntent(trx, intent.id, { state: 'deleted' });
  });
  throw notMade(server.provider, failure);
}

/** Throws the same again where the answer of `abandonOrder` was lost. */
export async function assertNotAbandoned(
  { db }: OrdersContext,
  { operationId, clusterId }: ClusterStep,
): Promise<void> {
  if ((await getCluster(db, clusterId)).server_id !== null) return;
  const intent = await findResource(db, operationId, SERVER_STEP);
  if (intent?.state === 'deleted') throw notMade(intent.provider, 'it was deleted');
}

const notMade = (provider: string, failure: string) =>
  new ProviderError(
    'quota',
    `${provider}: the server was ordered, and could not be made: ${failure}`,
    {
      provider,
      clientCode: 'NO_CAPACITY',
      operatorHint: `The vendor failed to make it: wait, or set another type or location of ${provider}.`,
    },
  );
