/** One attempt at provisioning a cluster: claim, price, hold and the intent to start, together. */
import type { Transaction } from 'kysely';
import type { Context } from '../../context.ts';
import { noteChange } from '../../db/accounts/audit-log.ts';
import { AUDITED_FIELDS, told } from '../../domain/accounts/audited-values.ts';
import {
  findLiveCluster,
  insertCluster,
  updateCluster,
  type Cluster,
} from '../../db/clusters/clusters.ts';
import { findLiveDomain, insertDomain, lockDomain, type Domain } from '../../db/domains/domains.ts';
import { assertWithinSpending } from '../../db/domains/spending.ts';
import { hold } from '../../db/wallet/ledger.ts';
import { insertOperation, type Operation } from '../../db/operations/operations.ts';
import {
  findLeastLoadedServer,
  findServerNamed,
  findUserServer,
  lockServer,
} from '../../db/clusters/servers.ts';
import type { Database } from '../../db/tables.ts';
import { firstClusterName } from '../../domain/clusters/cluster-names.ts';
import { provisionClusterFlow } from '../../domain/clusters/flows.ts';
import { invalid, notFound } from '../../domain/errors.ts';
import { isManual } from '../../domain/domains/domain-management.ts';
import { clusterPrice } from '../../domain/wallet/prices.ts';
import { ACTOR } from '../accounts/actors.ts';
import { paceOf } from '../operations/operations.ts';

type Needs = Pick<Context, 'config' | 'clock'>;

/** A request for a cluster; `serverId` chooses among the caller's own servers. Choice 16. */
export interface ClusterOrder {
  domain: string;
  useExistingVps: boolean;
  serverId?: number | undefined;
}

/** The starting values of a new cluster; `serverId` is null where a server will be rented. */
interface Beginning {
  userId: string;
  domain: Domain;
  order: ClusterOrder;
  serverId: number | null;
  requestKey: string | undefined;
}

/** Inserts the cluster and its first attempt. Throws DOMAIN_IN_USE where the domain has a live one. */
export async function beginProvisioning(
  context: Needs,
  trx: Transaction<Database>,
  { userId, domain, order, serverId, requestKey }: Beginning,
): Promise<Operation> {
  await assertNameIsFree(trx, domain, order.useExistingVps);
  const cluster = await insertCluster(trx, {
    userId,
    domainId: domain.id,
    serverId,
    name: firstClusterName(domain.name),
    useExistingVps: order.useExistingVps,
  });
  if (!cluster) throw inUse(domain);
  noteChange({ resourceId: cluster.id, after: told(AUDITED_FIELDS.cluster, cluster) });
  return insertAttempt(context, trx, { cluster, domain, requestKey });
}

/**
 * A new attempt on a failed cluster: a domain that was bought meanwhile is not paid twice. `provider`: where the name
 * is ordered anew.
 */
export async function nextAttempt(
  context: Needs,
  trx: Transaction<Database>,
  {
    cluster,
    provider,
    requestKey,
  }: { cluster: Cluster; provider: string; requestKey?: string | undefined },
): Promise<Operation> {
  const { user_id: userId, use_existing_vps: useExistingVps } = cluster;
  // Locked: two failed clusters of one domain may be retried at once.
  const before = await lockDomain(trx, cluster.domain_id);
  const domain = before.status === 'active' ? before : await claimAgain(trx, before, provider);
  const attempt = cluster.attempt + 1;
  const order = { domain: domain.name, useExistingVps };
  const server_id =
    (await earlierServer(trx, cluster)) ?? (await existingServer(trx, userId, order));
  if (await findLiveCluster(trx, domain.id)) throw inUse(domain);
  await assertNameIsFree(trx, domain, useExistingVps);
  const change = { attempt, status: 'provisioning', server_id, domain_id: domain.id } as const;
  await updateCluster(trx, cluster.id, change);
  return insertAttempt(context, trx, { cluster: { ...cluster, ...change }, domain, requestKey });
}

async function insertAttempt(
  context: Needs,
  trx: Transaction<Database>,
  {
    cluster,
    domain,
    requestKey,
  }: { cluster: Cluster; domain: Domain; requestKey?: string | undefined },
): Promise<Operation> {
  const { id: clusterId, user_id: userId, attempt } = cluster;
  const needs = { domain: domain.status !== 'active', server: !cluster.use_existing_vps };
  const price = clusterPrice(needs);
  const workflowId = provisionClusterFlow.workflowId({ clusterId, attempt });
  const reference = { referenceType: 'cluster', referenceId: String(clusterId) };
  if (needs.domain) {
    const [limits, now] = [context.config, context.clock.now()];
    await assertWithinSpending(trx, { userId, isFree: false, limits, now });
  }
  const held =
    price.totalCents === 0
      ? undefined
      : await hold(trx, {
          userId,
          amountCents: price.totalCents,
          operationKey: `${workflowId}:hold`,
          description: `Cluster ${domain.name}`,
          ...reference,
        });
  const input = {
    clusterId,
    domainId: domain.id,
    domain: domain.name,
    buyDomain: needs.domain,
    rentServer: needs.server,
    ...(isManual(domain) ? { manualDns: true } : { registrar: domain.provider }),
    // The client of a cluster chooses no registrar, so an alternate may be asked.
    ...(needs.domain && { failsOver: true }),
    price,
    pace: paceOf(context),
  };
  const operation = await insertOperation(trx, provisionClusterFlow, input, {
    userId,
    attempt,
    summary: `Provision ${domain.name}`,
    holdId: held?.holdId,
    requested: {
      actor: ACTOR.user(userId),
      reason: attempt === 1 ? 'created' : `attempt ${attempt}`,
    },
    requestKey,
  });
  await updateCluster(trx, clusterId, { operation_id: operation.id });
  return operation;
}

/**
 * The least loaded server, or the requested one; null where one will be rented. Choice 16. It is locked
 * until the transaction ends: a deletion of its last cluster, which deletes it too, comes before or
 * after. A server that is foreign or unknown is 404, one that cannot be used 400.
 */
export async function existingServer(
  trx: Transaction<Database>,
  userId: string,
  order: ClusterOrder,
): Promise<number | null> {
  if (!order.useExistingVps) return null;
  const { serverId } = order;
  if (serverId !== undefined && !(await findUserServer(trx, userId, serverId))) {
    throw notFound('server', { field: 'serverId', ids: [serverId] });
  }
  for (;;) {
    const server = await findLeastLoadedServer(trx, userId, serverId);
    if (!server) break;
    // If it was deleted while this waited for the lock, the next one is tried.
    if ((await lockServer(trx, server.id)).status === 'active') return server.id;
  }
  throw invalid(
    'NO_EXISTING_VPS',
    serverId === undefined
      ? 'There is no active server in this account; create a cluster with useExistingVps false first'
      : 'This server carries no active cluster; choose another one',
  );
}

/**
 * A server outlives the cluster that it was rented for while it has other clusters, and keeps its name,
 * because their MX records point there. A second server cannot have that name, and nobody else buys it. Choice 162.
 */
async function assertNameIsFree(
  trx: Transaction<Database>,
  { name, user_id, status }: Domain,
  useExistingVps: boolean,
): Promise<void> {
  const server = await findServerNamed(trx, `mail.${name}`);
  if (server && server.user_id !== user_id && status !== 'active') throw unavailable(name);
  if (!server || useExistingVps) return;
  throw invalid(
    'DOMAIN_IN_USE',
    `mail.${name} is the name of a server that carries other clusters; use it with useExistingVps`,
  );
}

/** The existing server of the last attempt comes first, while it can still be used. */
async function earlierServer(
  trx: Transaction<Database>,
  { user_id, use_existing_vps, server_id }: Cluster,
): Promise<number | undefined> {
  if (!use_existing_vps || server_id === null) return undefined;
  const server = await findLeastLoadedServer(trx, user_id, server_id);
  if (!server) return undefined;
  return (await lockServer(trx, server.id)).status === 'active' ? server.id : undefined;
}

/**
 * The claim of a failed purchase was released, so another user may have the name by now. What this user
 * bought meanwhile is used, and not paid for again.
 */
async function claimAgain(
  trx: Transaction<Database>,
  { user_id: userId, name }: Domain,
  provider: string,
): Promise<Domain> {
  const domain = await insertDomain(trx, { userId, name, provider });
  if (domain) return domain;
  const live = await findLiveDomain(trx, name);
  if (live?.user_id === userId && live.status === 'active') return lockDomain(trx, live.id);
  throw live ? domainTaken(live, userId) : unavailable(name);
}

/** Why a live name cannot be bought: it is the caller's already, or another user's. Choice 61. */
export function domainTaken(live: Domain, userId: string) {
  if (live.user_id !== userId) return unavailable(live.name);
  return invalid(
    'DOMAIN_ALREADY_OWNED',
    `${live.name} is in this account already; use POST /v1/clusters/create-with-existing-domain`,
  );
}

export const unavailable = (name: string) =>
  invalid('DOMAIN_UNAVAILABLE', `${name} is not available`);

const inUse = (domain: Domain) =>
  invalid('DOMAIN_IN_USE', `${domain.name} carries a cluster already`);
