/** Clusters: what a request may ask for, what it costs, and which workflow does it. */
import type { Transaction } from 'kysely';
import { ACTOR } from './actors.ts';
import type { Context } from '../context.ts';
import {
  findClusterView,
  getCluster,
  insertCluster,
  listClusterViews,
  lockUserCluster,
  updateCluster,
  type Cluster,
  type ClusterView,
} from '../db/clusters.ts';
import { findLiveDomain, getDomain, insertDomain, type Domain } from '../db/domains.ts';
import { hold } from '../db/ledger.ts';
import { getOperation, insertOperation, insertOperationEvent } from '../db/operations.ts';
import type { Operation } from '../db/operations.ts';
import { findLeastLoadedServer } from '../db/servers.ts';
import type { Database } from '../db/tables.ts';
import { invalid, notFound } from '../domain/errors.ts';
import { PROVISION_STEPS } from '../domain/operations.ts';
import { clusterPrice } from '../domain/prices.ts';
import {
  provisionClusterType,
  provisionClusterWorkflowId,
} from '../../workflows/contracts/provision-cluster.ts';
import { WORKFLOW_QUEUE } from '../../workflows/contracts/queues.ts';
import { cancelOperation, paceOf, retryOperation } from './operations.ts';

type Needs = Pick<Context, 'db' | 'config' | 'temporal' | 'startOperation'>;

/** A request for a cluster; `serverId` chooses among the caller's own servers. Choice 16. */
export interface ClusterOrder {
  domain: string;
  useExistingVps: boolean;
  serverId?: number | undefined;
}

/** Spec: POST /v1/clusters/create. Row, claim on the name and hold in one transaction (W1). */
export async function createCluster(
  context: Needs,
  userId: string,
  order: ClusterOrder,
): Promise<NonNullable<ClusterView>> {
  const operation = await context.db.transaction().execute(async (trx) => {
    const live = await findLiveDomain(trx, order.domain);
    if (live) throw domainTaken(live, userId);
    const serverId = await existingServer(trx, userId, order);
    const provider = context.config.DEFAULT_REGISTRAR;
    const domain = await insertDomain(trx, { userId, name: order.domain, provider });
    // Somebody claimed it between the look and the insert.
    if (!domain) throw unavailable(order.domain);
    return beginProvisioning(context, trx, { userId, domain, order, serverId });
  });
  return started(context, userId, operation);
}

/** Spec: POST /v1/clusters/create-with-existing-domain. No domain charge. */
export async function createClusterOnDomain(
  context: Needs,
  userId: string,
  order: ClusterOrder,
): Promise<NonNullable<ClusterView>> {
  const operation = await context.db.transaction().execute(async (trx) => {
    const domain = await findLiveDomain(trx, order.domain);
    if (!domain || domain.user_id !== userId) throw notFound('domain');
    if (domain.status !== 'active') {
      throw invalid('INVALID_STATE', `The purchase of ${domain.name} has not finished yet`);
    }
    const serverId = await existingServer(trx, userId, order);
    return beginProvisioning(context, trx, { userId, domain, order, serverId });
  });
  return started(context, userId, operation);
}

export async function getClusterView(
  context: Pick<Context, 'db'>,
  userId: string,
  id: number,
): Promise<NonNullable<ClusterView>> {
  const view = await findClusterView(context.db, userId, id);
  if (!view) throw notFound('cluster');
  return view;
}

export const listClusters = (
  context: Pick<Context, 'db'>,
  userId: string,
  page: { status?: Cluster['status'] | undefined; limit: number; offset: number },
) => listClusterViews(context.db, userId, page);

/** Spec: PATCH /clusters/:id/rename. */
export async function renameCluster(
  context: Pick<Context, 'db'>,
  userId: string,
  id: number,
  name: string,
): Promise<{ id: number; name: string }> {
  await getClusterView(context, userId, id);
  await updateCluster(context.db, id, { name });
  return { id, name };
}

/**
 * Choice 14. Blocked: the step runs again. Failed: a new attempt that holds only what is still
 * needed. Running: no-op. Otherwise 400 INVALID_STATE.
 */
export async function retryCluster(context: Needs, userId: string, id: number) {
  const operation = await context.db.transaction().execute(async (trx) => {
    const cluster = await lockUserCluster(trx, userId, id);
    if (!cluster) throw notFound('cluster');
    if (cluster.status === 'provisioning') return getOperation(trx, cluster.operation_id!);
    if (cluster.status === 'failed') return nextAttempt(context, trx, cluster);
    throw invalid('INVALID_STATE', `A cluster that is ${cluster.status} cannot be retried`);
  });
  if (operation.started_at === null) await context.startOperation(operation);
  else if (operation.blocked_at !== null || operation.error_code !== null) {
    await retryOperation(context, operation, ACTOR.user(userId));
  }
  return getClusterView(context, userId, id);
}

/** Choice 14. Running or blocked: undo and refund. Failed: no-op. Otherwise 400 INVALID_STATE. */
export async function cancelCluster(context: Needs, userId: string, id: number) {
  const cluster = await getClusterView(context, userId, id);
  if (cluster.status === 'provisioning') {
    const { operation_id } = await getCluster(context.db, id);
    const operation = await getOperation(context.db, operation_id!);
    if (operation.state !== 'compensating') {
      await cancelOperation(context, operation, ACTOR.user(userId));
    }
  } else if (cluster.status !== 'failed') {
    throw invalid('INVALID_STATE', `A cluster that is ${cluster.status} cannot be cancelled`);
  }
  return getClusterView(context, userId, id);
}

interface Beginning {
  userId: string;
  domain: Domain;
  order: ClusterOrder;
  serverId: number | null;
}

async function beginProvisioning(
  context: Needs,
  trx: Transaction<Database>,
  { userId, domain, order, serverId }: Beginning,
): Promise<Operation> {
  const cluster = await insertCluster(trx, {
    userId,
    domainId: domain.id,
    serverId,
    name: domain.name,
    useExistingVps: order.useExistingVps,
  });
  if (!cluster) throw inUse(domain);
  return insertAttempt(context, trx, cluster, domain);
}

/** A new attempt on a failed cluster: a domain that was bought meanwhile is not paid twice. */
async function nextAttempt(
  context: Needs,
  trx: Transaction<Database>,
  cluster: Cluster,
): Promise<Operation> {
  const { user_id: userId, use_existing_vps: useExistingVps } = cluster;
  const before = await getDomain(trx, cluster.domain_id);
  const domain = before.status === 'active' ? before : await claimAgain(trx, before);
  const order = { domain: domain.name, useExistingVps };
  const attempt = cluster.attempt + 1;
  const server_id = await existingServer(trx, userId, order);
  const rival = await trx
    .selectFrom('clusters')
    .select('id')
    .where('domain_id', '=', domain.id)
    .where('status', 'in', ['provisioning', 'active', 'suspended', 'deleting'])
    .executeTakeFirst();
  if (rival) throw inUse(domain);
  const change = { attempt, status: 'provisioning', server_id, domain_id: domain.id } as const;
  await updateCluster(trx, cluster.id, change);
  return insertAttempt(context, trx, { ...cluster, ...change }, domain);
}

async function insertAttempt(
  context: Needs,
  trx: Transaction<Database>,
  cluster: Cluster,
  domain: Domain,
): Promise<Operation> {
  const { id: clusterId, user_id: userId, attempt } = cluster;
  const needs = { domain: domain.status !== 'active', server: !cluster.use_existing_vps };
  const price = clusterPrice(needs);
  const workflowId = provisionClusterWorkflowId(clusterId, attempt);
  const reference = { referenceType: 'cluster', referenceId: String(clusterId) };
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
  const operation = await insertOperation(trx, {
    userId,
    kind: provisionClusterType,
    workflowId,
    taskQueue: WORKFLOW_QUEUE,
    summary: `Provision ${domain.name}`,
    input: {
      clusterId,
      domainId: domain.id,
      domain: domain.name,
      buyDomain: needs.domain,
      rentServer: needs.server,
      price,
      pace: paceOf(context),
    },
    resourceType: 'cluster',
    resourceId: clusterId,
    ...(held && { holdId: held.holdId }),
    steps: PROVISION_STEPS.map((name) => ({ name, state: 'pending' })),
  });
  await updateCluster(trx, clusterId, { operation_id: operation.id });
  await insertOperationEvent(trx, {
    operationId: operation.id,
    kind: 'requested',
    step: null,
    actor: ACTOR.user(userId),
    reason: attempt === 1 ? 'created' : `attempt ${attempt}`,
  });
  return operation;
}

async function started(context: Needs, userId: string, operation: Operation) {
  await context.startOperation(operation);
  return getClusterView(context, userId, operation.resource_id);
}

async function existingServer(
  trx: Transaction<Database>,
  userId: string,
  order: ClusterOrder,
): Promise<number | null> {
  if (!order.useExistingVps) return null;
  const server = await findLeastLoadedServer(trx, userId, order.serverId);
  if (server) return server.id;
  throw invalid(
    'NO_EXISTING_VPS',
    'There is no active server in this account; create a cluster with useExistingVps false first',
  );
}

/** The claim of a failed purchase was given up; somebody else may have the name by now. */
async function claimAgain(trx: Transaction<Database>, before: Domain): Promise<Domain> {
  const { user_id: userId, name, provider } = before;
  const domain = await insertDomain(trx, { userId, name, provider });
  if (domain) return domain;
  const live = await findLiveDomain(trx, name);
  throw live ? domainTaken(live, userId) : unavailable(name);
}

function domainTaken(live: Domain, userId: string) {
  if (live.user_id !== userId) return unavailable(live.name);
  return invalid(
    'DOMAIN_ALREADY_OWNED',
    `${live.name} is in this account already; use POST /v1/clusters/create-with-existing-domain`,
  );
}

const unavailable = (name: string) => invalid('DOMAIN_UNAVAILABLE', `${name} is not available`);

const inUse = (domain: Domain) =>
  invalid('DOMAIN_IN_USE', `${domain.name} carries a cluster already`);
