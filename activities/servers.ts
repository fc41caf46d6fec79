/** Renting a server, at most one for an intent, and giving it back. Workflows: W6. */
import type { Context } from '../src/context.ts';
import { getCluster, updateCluster } from '../src/db/clusters.ts';
import { getDomain } from '../src/db/domains.ts';
import { getOperation } from '../src/db/operations.ts';
import {
  findResource,
  listResources,
  settleIntent,
  upsertIntent,
} from '../src/db/provider-resources.ts';
import {
  findOrInsertServer,
  findServerByIntent,
  getServer,
  lockServer,
  updateServer,
  type Server,
} from '../src/db/servers.ts';
import { ProviderError } from '../src/domain/errors.ts';
import { clientKeyBinding, hostKeyBinding, vpsOf } from './access.ts';
import { asking, assertLagIsOver, latestEnd } from './lag.ts';
import { capturePart, refundPart } from './wallet.ts';

const STEP = 'server_create';

type ServersContext = Pick<Context, 'db' | 'vps' | 'config' | 'clock' | 'cipher' | 'mailHost'>;

/** What every activity on a cluster gets. */
export interface ClusterStep {
  operationId: number;
  clusterId: number;
}

export const serverActivities = (context: ServersContext) => ({
  /** Orders the server, or finds the one that was ordered before. */
  async orderServer({ operationId, clusterId }: ClusterStep): Promise<void> {
    const { db } = context;
    const cluster = await getCluster(db, clusterId);
    const domain = await getDomain(db, cluster.domain_id);
    const provider = context.config.DEFAULT_VPS;
    const vps = vpsOf(context, provider);
    const earlier = await findResource(db, operationId, STEP);
    const isGone = earlier?.state === 'absent' || earlier?.state === 'deleted';
    const generation = (earlier?.generation ?? 1) + (isGone ? 1 : 0);
    const intent = await upsertIntent(db, {
      operationId,
      step: STEP,
      generation,
      provider,
      token: `outreach-${operationId}-${generation}`,
      askedUntil: latestEnd(context),
    });
    const server = await prepareServer(context, cluster.user_id, {
      provider,
      intentName: intent.token,
      hostName: `mail.${domain.name}`,
    });
    await updateCluster(db, clusterId, { server_id: server.id });
    const hostKey = {
      privateKey: context.cipher.open(server.host_private_key, hostKeyBinding(intent.token)),
      publicKey: server.host_public_key,
    };
    const rented = await asking(context, intent, () =>
      vps.create({
        name: intent.token,
        sshPublicKey: server.client_public_key,
        userData: context.mailHost.userData({ hostName: server.host_name, hostKey }),
        labels: labelsOf(domain.name, clusterId),
      }),
    );
    await updateServer(db, server.id, { external_id: rented.id });
    const settled = { state: 'created', externalId: rented.id } as const;
    if (await settleIntent(db, intent.id, settled)) return;
    // This attempt was given up and undone while it was still at work.
    await vps.destroy(intent.token);
    throw new ProviderError('unavailable', 'The order was undone meanwhile', {
      provider: vps.name,
    });
  },

  /** After an order that broke off: waits until a look can tell. The next run looks first. */
  async settleServerOrder({ operationId }: ClusterStep): Promise<void> {
    const intent = await findResource(context.db, operationId, STEP);
    if (intent?.state !== 'creating') return;
    if (await vpsOf(context, intent.provider).findByName(intent.token)) return;
    assertLagIsOver(context, intent);
  },

  /** Throws `not_ready` until the server runs and has an address; then its price is captured. */
  async awaitServer({ operationId, clusterId }: ClusterStep): Promise<void> {
    const server = await serverOf(context, clusterId);
    if (server.status === 'active') return;
    const facts = { provider: server.provider };
    const rented = await vpsOf(context, server.provider).get(server.external_id ?? '');
    if (!rented) throw new ProviderError('unavailable', 'The server is not listed', facts);
    if (rented.state !== 'running' || rented.ipv4 === null) {
      throw new ProviderError('not_ready', `The server is ${rented.state}`, facts);
    }
    const { ipv4 } = rented;
    await context.db.transaction().execute(async (trx) => {
      const operation = await getOperation(trx, operationId);
      // An attempt that was given up must not revive, or charge for, what has been deleted.
      if ((await lockServer(trx, server.id)).status !== 'creating') return;
      await updateServer(trx, server.id, { ipv4, status: 'active' });
      await capturePart(trx, operation, 'server', `Server ${server.host_name}`);
    });
  },

  /** Undo: deletes every server that this operation asked for and refunds. Safe to repeat. */
  async destroyServer({ operationId, clusterId }: ClusterStep): Promise<void> {
    for (const intent of await listResources(context.db, operationId, STEP)) {
      if (intent.state === 'deleted') continue;
      const vps = vpsOf(context, intent.provider);
      // A lost order may appear late: deleting too early would forget that server.
      if (intent.state === 'creating' && !(await vps.findByName(intent.token))) {
        assertLagIsOver(context, intent);
      }
      await vps.destroy(intent.token);
      const server = await findServerByIntent(context.db, intent.token);
      await context.db.transaction().execute(async (trx) => {
        const operation = await getOperation(trx, operationId);
        if (server) await lockServer(trx, server.id);
        if (server) await updateServer(trx, server.id, { status: 'deleted' });
        await updateCluster(trx, clusterId, { server_id: null });
        await refundPart(trx, operation, 'server', 'Server deleted');
        await settleIntent(trx, intent.id, { state: 'deleted' });
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

/** Labels are for people; providers take values of at most 63 characters (RFC 1123 labels). */
const labelsOf = (domain: string, clusterId: number) => ({
  cluster: String(clusterId),
  'managed-by': 'outreach',
  ...(domain.length <= 63 && { domain }),
});

/** Writes the row with fresh keys before the order: the keys must outlive a crash. */
async function prepareServer(
  context: ServersContext,
  userId: string,
  order: { provider: string; intentName: string; hostName: string },
): Promise<Server> {
  const existing = await findServerByIntent(context.db, order.intentName);
  if (existing) return existing;
  const keys = context.mailHost.makeKeys();
  const { cipher } = context;
  return findOrInsertServer(context.db, {
    userId,
    ...order,
    clientPrivateKey: cipher.seal(keys.client.privateKey, clientKeyBinding(order.intentName)),
    clientPublicKey: keys.client.publicKey,
    hostPrivateKey: cipher.seal(keys.host.privateKey, hostKeyBinding(order.intentName)),
    hostPublicKey: keys.host.publicKey,
  });
}
