/**
 * Orders a server: at most one alive per cluster, at whichever vendor gives one.
 * docs/workflow-rules.md#intent-before-purchase. Each vendor that is asked gets an intent of its own
 * generation; the next one is asked only when the last has certainly made nothing.
 */
import type { Context } from '../../src/context.ts';
import { getCluster, updateCluster } from '../../src/db/clusters/clusters.ts';
import { getDomain } from '../../src/db/domains/domains.ts';
import { getOperation } from '../../src/db/operations/operations.ts';
import {
  claimIntent,
  endRequest,
  findResource,
  settleIntent,
  settleRefused,
  type ProviderResource,
} from '../../src/db/operations/provider-resources.ts';
import {
  findOrInsertServer,
  findServerByIntent,
  updateServer,
  type Server,
} from '../../src/db/clusters/servers.ts';
import { MAIL_LABEL } from '../../src/domain/domains/dns-plan.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import type { RentedServer, VpsProvider } from '../../src/providers/vps/port.ts';
import { clientKeyBinding, hostKeyBinding, vpsOf } from '../engine/access.ts';
import {
  assertConsistencyLagIsOver,
  isConsistencyLagOver,
  latestEnd,
  nothingUnderWay,
} from '../engine/consistency-lag.ts';
import { nextGeneration } from './lost-servers.ts';
import { isOpen, newToken, SERVER_STEP } from './server-tokens.ts';

type OrdersContext = Pick<Context, 'db' | 'vps' | 'config' | 'clock' | 'cipher' | 'mailHost'>;

/** Input of every activity on a cluster. */
export interface ClusterStep {
  operationId: number;
  clusterId: number;
}

/** An order that is about to be placed. */
interface Order {
  operationId: number;
  clusterId: number;
  domain: string;
  vps: VpsProvider;
  intent: ProviderResource;
  server: Server;
  /** An earlier request for the same intent whose effect may still appear. */
  unclear: ProviderResource | undefined;
}

export const serverOrderActivities = (context: OrdersContext) => ({
  /** Orders the server, or finds the one that was ordered before. */
  async orderServer({
    operationId,
    clusterId,
    vendor,
  }: ClusterStep & { vendor?: string }): Promise<void> {
    const order = await beginOrder(context, { operationId, clusterId, vendor });
    const { vps, intent, server } = order;
    const rented = await place(context, order).catch((error: unknown) =>
      noteRefusal(context, order, error),
    );
    await updateServer(context.db, server.id, { external_id: rented.id });
    const settled = { state: 'created', externalId: rented.id } as const;
    if (await settleIntent(context.db, intent.id, settled)) return;
    // This attempt was given up and undone while it was still running.
    await vps.destroy(intent.token);
    throw settledMeanwhile(vps.name);
  },

  /** After an interrupted order: waits until a check can tell the outcome. The next run checks first. */
  async settleServerOrder({ operationId }: ClusterStep): Promise<void> {
    const intent = await findResource(context.db, operationId, SERVER_STEP);
    if (intent?.state !== 'creating') return;
    if (await vpsOf(context, intent.provider).findByName(intent.token)) return;
    assertConsistencyLagIsOver(context, intent);
  },
});

/** Writes the intent and the server's row before any request; of two tokens the first one stays. */
async function beginOrder(
  context: OrdersContext,
  { operationId, clusterId, vendor }: ClusterStep & { vendor: string | undefined },
): Promise<Order> {
  const { db, config } = context;
  const cluster = await getCluster(db, clusterId);
  const domain = await getDomain(db, cluster.domain_id);
  const earlier = await findResource(db, operationId, SERVER_STEP);
  const open = earlier && isOpen(earlier) ? earlier : undefined;
  // Whatever was chosen: while one vendor's order is open no other may be asked.
  const vps = vpsOf(context, open?.provider ?? vendor ?? config.DEFAULT_VPS);
  const unclear = open && !isConsistencyLagOver(context, open) ? open : undefined;
  if (unclear && !vps.namesAreUnique && !(await vps.findByName(unclear.token))) {
    // A second order there would create a second server.
    assertConsistencyLagIsOver(context, unclear);
  }
  const generation = await nextGeneration(context, { operationId, domain, vps, earlier });
  const token = open?.token ?? newToken(await getOperation(db, operationId), generation);
  const asked = { operationId, step: SERVER_STEP, generation, provider: vps.name, token };
  // A worker that has lost Temporal works on while the next attempt begins: one of the two asks the vendor.
  const intent = await claimIntent(db, { ...asked, askedUntil: latestEnd(context) }, earlier);
  if (!intent) throw askedMeanwhile(vps.name);
  if (!isOpen(intent)) throw settledMeanwhile(vps.name);
  const server = await prepareServer(context, cluster.user_id, {
    provider: vps.name,
    intentName: intent.token,
    hostName: `${MAIL_LABEL}.${domain.name}`,
  });
  await updateCluster(db, clusterId, { server_id: server.id });
  return { operationId, clusterId, domain: domain.name, vps, intent, server, unclear };
}

const place = (
  context: OrdersContext,
  { vps, intent, server, domain, clusterId }: Order,
): Promise<RentedServer> => {
  const hostKey = {
    privateKey: context.cipher.open(server.host_private_key, hostKeyBinding(intent.token)),
    publicKey: server.host_public_key,
  };
  return vps.create({
    name: intent.token,
    sshPublicKey: server.client_public_key,
    userData: context.mailHost.userData({ hostName: server.host_name, hostKey }),
    labels: labelsOf(domain, clusterId),
  });
};

/** A person has to act, or another vendor; nothing was made. */
const REFUSALS: readonly string[] = ['quota', 'auth', 'rejected'];

/** Records how the request ended, and gives the intent up where it cannot have made anything. */
async function noteRefusal(context: OrdersContext, order: Order, error: unknown): Promise<never> {
  const { db, clock } = context;
  const { vps, intent, unclear } = order;
  if (!(error instanceof ProviderError)) throw error;
  if (error.kind === 'outcome_unknown') {
    const now = clock.now();
    const until = unclear && unclear.asked_until > now ? unclear.asked_until : now;
    await endRequest(db, intent.id, until);
    throw error;
  }
  const isRefusal = REFUSALS.includes(error.kind);
  if (isRefusal && !unclear) {
    if (await giveUp(context, order)) throw error;
    if (intent.state === 'creating') throw settledMeanwhile(vps.name);
  }
  // Nothing of this request is under way; an earlier one may be, until its own deadline.
  await endRequest(db, intent.id, unclear?.asked_until ?? nothingUnderWay(context));
  if (!isRefusal || error.kind === 'auth') throw error;
  if (!unclear) throw error;
  // No other vendor may be asked before the outcome of that order is known.
  throw new ProviderError('not_ready', `${error.message}; an earlier order may still appear`, {
    ...error.facts,
  });
}

/** Ends the refused intent and its row; false where another attempt is using it. */
async function giveUp({ db }: OrdersContext, order: Order): Promise<boolean> {
  const { vps, intent, server, clusterId } = order;
  const given = await db.transaction().execute(async (trx) => {
    if (!(await settleRefused(trx, intent))) return false;
    await updateServer(trx, server.id, { status: 'deleted' });
    await updateCluster(trx, clusterId, { server_id: null });
    return true;
  });
  // Its SSH key costs nothing: if this fails, the undo of the operation removes it.
  if (given) await vps.destroy(intent.token).catch(() => undefined);
  return given;
}

const settledMeanwhile = (provider: string) =>
  new ProviderError('unavailable', 'The order was undone meanwhile', { provider });

const askedMeanwhile = (provider: string) =>
  new ProviderError('not_ready', 'Another attempt is ordering it', { provider });

/** Labels are for people; providers take values of at most 63 characters (RFC 1123 labels). */
const labelsOf = (domain: string, clusterId: number) => ({
  cluster: String(clusterId),
  'managed-by': 'outreach',
  ...(domain.length <= 63 && { domain }),
});

/** Writes the row with fresh keys before the order: the keys must outlive a crash. */
async function prepareServer(
  context: OrdersContext,
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
