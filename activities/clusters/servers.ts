/**
 * A rented server: waited for, named in reverse DNS, deleted.
 * docs/workflow-rules.md#intent-before-purchase.
 */
import type { Context } from '../../src/context.ts';
import { getCluster, updateCluster } from '../../src/db/clusters/clusters.ts';
import { getOperation } from '../../src/db/operations/operations.ts';
import {
  listResources,
  settleIntent,
  type ProviderResource,
} from '../../src/db/operations/provider-resources.ts';
import {
  findServerByIntent,
  getServer,
  lockServer,
  updateServer,
  type Server,
} from '../../src/db/clusters/servers.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { lookUpAddress } from '../../src/domain/clusters/blocklists.ts';
import { vpsOf } from '../engine/access.ts';
import { assertConsistencyLagIsOver } from '../engine/consistency-lag.ts';
import { abandonOrder, assertNotAbandoned } from './failed-orders.ts';
import type { ClusterStep } from './server-orders.ts';
import { isOpen, SERVER_STEP } from './server-tokens.ts';
import { capturePart, refundPart } from '../wallet/wallet.ts';

export type { ClusterStep } from './server-orders.ts';

type ServersContext = Pick<Context, 'db' | 'vps' | 'config' | 'clock' | 'dns'>;

export const serverActivities = (context: ServersContext) => ({
  /**
   * Throws `not_ready` until the server runs and has an address; then its price is captured. Throws `quota`,
   * with nothing left at the vendor, where the order has failed after its answer, or where a blocklist has the
   * address (`ADDRESS_LISTED`): another server may be ordered.
   */
  async awaitServer({ operationId, clusterId }: ClusterStep): Promise<void> {
    await assertNotAbandoned(context, { operationId, clusterId });
    const server = await serverOf(context, clusterId);
    if (server.status === 'active') return;
    const facts = { provider: server.provider };
    const rented = await vpsOf(context, server.provider).get(server.external_id ?? '');
    if (!rented) throw new ProviderError('unavailable', 'The server is not listed', facts);
    if (rented.failure !== undefined) {
      const why = { failure: rented.failure };
      return abandonOrder(context, { operationId, clusterId, server }, why);
    }
    if (rented.state !== 'running' || rented.ipv4 === null) {
      throw new ProviderError('not_ready', `The server is ${rented.state}`, facts);
    }
    const { ipv4 } = rented;
    const { listings } = await lookUpAddress(context.dns, context.config.DNSBL_ZONES, ipv4);
    if (listings.length > 0) {
      return abandonOrder(context, { operationId, clusterId, server }, { ipv4, listings });
    }
    await context.db.transaction().execute(async (trx) => {
      const operation = await getOperation(trx, operationId);
      // An attempt that was given up must not revive, or charge for, what has been deleted.
      if ((await lockServer(trx, server.id)).status !== 'creating') return;
      await updateServer(trx, server.id, { ipv4, status: 'active' });
      await capturePart(trx, operation, 'server', `Server ${server.host_name}`);
    });
  },

  /** The vendors that were asked, each once: where an undo has to check. */
  async listAskedVps({ operationId }: { operationId: number }): Promise<{ vendors: string[] }> {
    const asked = await listResources(context.db, operationId, SERVER_STEP);
    const open = asked.filter(({ state }) => state !== 'deleted');
    return { vendors: [...new Set(open.map(({ provider }) => provider))] };
  },

  /**
   * Undo: deletes every server that this operation asked for (at one vendor, where it is named). The money
   * comes back with the last of them: what one vendor refused says nothing of another's server. Safe to repeat.
   */
  async destroyServer({
    operationId,
    clusterId,
    vendor,
  }: ClusterStep & { vendor?: string }): Promise<void> {
    for (const intent of await listResources(context.db, operationId, SERVER_STEP)) {
      if (intent.state === 'deleted') continue;
      if (vendor !== undefined && intent.provider !== vendor) continue;
      await destroyAtVendor(context, intent);
      const server = await findServerByIntent(context.db, intent.token);
      await context.db.transaction().execute(async (trx) => {
        const operation = await getOperation(trx, operationId);
        if (server) await lockServer(trx, server.id);
        if (server) await updateServer(trx, server.id, { status: 'deleted' });
        await settleIntent(trx, intent.id, { state: 'deleted' });
        if ((await listResources(trx, operationId, SERVER_STEP)).some(isOpen)) return;
        await updateCluster(trx, clusterId, { server_id: null });
        await refundPart(trx, operation, 'server', 'Server deleted');
      });
    }
  },

  /** PTR = HELO = A: receivers check that the address and the host name agree. */
  async setReverseDns({ clusterId }: ClusterStep): Promise<void> {
    const { provider, external_id, ipv4, host_name } = await serverOf(context, clusterId);
    await vpsOf(context, provider).setReverseDns(external_id!, ipv4!, host_name);
  },
});

/** The server of a cluster; throws while it has none. */
export async function serverOf(context: Pick<Context, 'db'>, clusterId: number): Promise<Server> {
  const { server_id } = await getCluster(context.db, clusterId);
  if (server_id === null) throw new Error(`cluster ${clusterId} has no server`);
  return getServer(context.db, server_id);
}

async function destroyAtVendor(context: ServersContext, intent: ProviderResource): Promise<void> {
  const { provider, token, state } = intent;
  if (state === 'absent') {
    // The vendor refused: at most a key is left there, and a refused token must not block the undo.
    return Promise.resolve()
      .then(() => vpsOf(context, provider).destroy(token))
      .catch((error: unknown) => {
        if (!(error instanceof ProviderError && error.kind === 'auth')) throw error;
      });
  }
  const vps = vpsOf(context, provider);
  // A lost order may appear late: deleting too early would forget that server.
  if (state === 'creating' && !(await vps.findByName(token)))
    assertConsistencyLagIsOver(context, intent);
  await vps.destroy(token);
}
