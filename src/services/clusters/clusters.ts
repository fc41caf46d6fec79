/** Clusters: what a request may ask for, and what follows from it. Spec: Clusters. */
import type { Context } from '../../context.ts';
import { noteChange } from '../../db/accounts/audit-log.ts';
import { commitOnce } from '../../db/accounts/request-effects.ts';
import {
  findClusterView,
  getCluster,
  listClusterViews,
  lockUserCluster,
  updateCluster,
  type Cluster,
  type ClusterView,
} from '../../db/clusters/clusters.ts';
import { findLiveDomain, getDomain, insertDomain, lockDomain } from '../../db/domains/domains.ts';
import { endDomain } from '../../db/domains/ended-domains.ts';
import { getOperation, lockRequestedOperation } from '../../db/operations/operations.ts';
import { invalid, notFound } from '../../domain/errors.ts';
import { ACTOR } from '../accounts/actors.ts';
import {
  beginProvisioning,
  domainTaken,
  existingServer,
  nextAttempt,
  unavailable,
  type ClusterOrder,
} from './cluster-attempts.ts';
import { findForSaleAgain, sellerOfRepeat } from '../domains/former-domains.ts';
import { cancelOperation, retryOperation } from '../operations/operations.ts';
import { orderOnce } from '../operations/order-once.ts';

type Needs = Pick<Context, 'db' | 'config' | 'clock' | 'temporal' | 'startOperation'>;

/**
 * Spec: POST /v1/clusters/create. Row, claim on the name and hold in one transaction
 * (docs/workflow-rules.md#the-row-comes-first). A request with the `requestKey` of an earlier one is
 * answered with the cluster that one made.
 */
export async function createCluster(
  context: Needs & Pick<Context, 'registrars'>,
  userId: string,
  order: ClusterOrder,
  requestKey?: string,
): Promise<NonNullable<ClusterView>> {
  const provider = context.config.DEFAULT_REGISTRAR;
  const before = await findLiveDomain(context.db, order.domain);
  const ended = await findForSaleAgain(context, before, { userId, provider });
  const placed = await orderOnce(context, { userId, requestKey }, async (trx) => {
    if (ended) await endDomain(trx, ended, { userId, now: context.clock.now() });
    const live = await findLiveDomain(trx, order.domain);
    if (live) throw domainTaken(live, userId);
    const serverId = await existingServer(trx, userId, order);
    const domain = await insertDomain(trx, { userId, name: order.domain, provider });
    // Another user claimed it between the check and the insert.
    if (!domain) throw unavailable(order.domain);
    return beginProvisioning(context, trx, { userId, domain, order, serverId, requestKey });
  });
  return getClusterView(context, userId, placed.resource_id);
}

/** Spec: POST /v1/clusters/create-with-existing-domain. No domain charge. */
export async function createClusterOnDomain(
  context: Needs,
  userId: string,
  order: ClusterOrder,
  requestKey?: string,
): Promise<NonNullable<ClusterView>> {
  const placed = await orderOnce(context, { userId, requestKey }, async (trx) => {
    const live = await findLiveDomain(trx, order.domain);
    const none = notFound('domain', { field: 'domain', ids: [order.domain] });
    if (!live || live.user_id !== userId) throw none;
    // Locked: an ended one may be sold to somebody at this moment. Choice 162.
    const domain = await lockDomain(trx, live.id);
    if (domain.status === 'failed') throw none;
    if (domain.status !== 'active') {
      throw invalid('INVALID_STATE', `The purchase of ${domain.name} has not finished yet`);
    }
    const serverId = await existingServer(trx, userId, order);
    return beginProvisioning(context, trx, { userId, domain, order, serverId, requestKey });
  });
  return getClusterView(context, userId, placed.resource_id);
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
  await commitOnce(context.db, async (trx) => {
    const before = await getClusterView({ db: trx }, userId, id);
    await updateCluster(trx, id, { name });
    noteChange({ before: { name: before.name }, after: { name } });
  });
  return { id, name };
}

/**
 * Choice 14. Blocked, also in a deletion: the step runs again. Failed: a new attempt that holds only the
 * price still needed. Running: no-op. Otherwise 400 INVALID_STATE. A request with the `requestKey` that
 * began an attempt is answered with the cluster, whatever the attempt's result. Choice 51.
 */
export async function retryCluster(
  context: Needs & Pick<Context, 'registrars'>,
  userId: string,
  id: number,
  requestKey?: string,
) {
  const { status } = await getClusterView(context, userId, id);
  const domain = await getDomain(context.db, (await getCluster(context.db, id)).domain_id);
  const isBoughtAnew = status === 'failed' && domain.status !== 'active';
  const provider = isBoughtAnew ? await sellerOfRepeat(context, domain) : domain.provider;
  const operation = await commitOnce(context.db, async (trx) => {
    const cluster = await lockUserCluster(trx, userId, id);
    if (!cluster) throw notFound('cluster');
    const earlier = requestKey && (await lockRequestedOperation(trx, userId, requestKey));
    if (earlier) return earlier.started_at === null ? earlier : undefined;
    const isUnderWay = cluster.status === 'provisioning' || cluster.status === 'deleting';
    const after = isUnderWay ? { asked: 'retry' } : { status: 'provisioning' };
    noteChange({ before: { status: cluster.status }, after });
    if (isUnderWay) return getOperation(trx, cluster.operation_id!);
    if (cluster.status === 'failed') {
      return nextAttempt(context, trx, { cluster, provider, requestKey });
    }
    throw invalid('INVALID_STATE', `A cluster that is ${cluster.status} cannot be retried`);
  });
  if (operation?.started_at === null) await context.startOperation(operation);
  else if (operation && (operation.blocked_at !== null || operation.error_code !== null)) {
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
      noteChange({ before: { status: cluster.status }, after: { asked: 'cancel' } });
      await cancelOperation(context, operation, ACTOR.user(userId));
    }
  } else if (cluster.status !== 'failed') {
    throw invalid('INVALID_STATE', `A cluster that is ${cluster.status} cannot be cancelled`);
  }
  return getClusterView(context, userId, id);
}
