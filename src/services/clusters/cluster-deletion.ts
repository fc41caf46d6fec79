/** Deleting a cluster: what may be deleted, and whether its server goes with it. Choices 13, 14. */
import type { Transaction } from 'kysely';
import type { Context } from '../../context.ts';
import { noteChange } from '../../db/accounts/audit-log.ts';
import { commitOnce } from '../../db/accounts/request-effects.ts';
import { AUDITED_FIELDS, told } from '../../domain/accounts/audited-values.ts';
import {
  findLiveCluster,
  lockUserCluster,
  updateCluster,
  type Cluster,
  type ClusterView,
} from '../../db/clusters/clusters.ts';
import { getDomain, lockDomain } from '../../db/domains/domains.ts';
import { insertOperation, type Operation } from '../../db/operations/operations.ts';
import { countTenants, getServer, lockServer, updateServer } from '../../db/clusters/servers.ts';
import type { Database } from '../../db/tables.ts';
import { markMailboxesDeleting } from '../../transactions/teardown.ts';
import { destroyClusterFlow } from '../../domain/clusters/flows.ts';
import { isManual } from '../../domain/domains/domain-management.ts';
import { invalid, notFound } from '../../domain/errors.ts';
import { ACTOR } from '../accounts/actors.ts';
import { getClusterView } from './clusters.ts';
import { paceOf } from '../operations/operations.ts';

type Needs = Pick<Context, 'db' | 'config' | 'startOperation'>;

/**
 * Active or failed: `deleting` from now on, `deleted` when the workflow is done. Deleting or deleted
 * already: no-op. Otherwise 400 INVALID_STATE: a provisioning has to be cancelled first, and a failed one waits
 * where its domain carries another cluster by now.
 */
export async function deleteCluster(
  context: Needs,
  userId: string,
  id: number,
): Promise<NonNullable<ClusterView>> {
  const operation = await commitOnce(context.db, async (trx) => {
    const cluster = await lockUserCluster(trx, userId, id);
    if (!cluster) throw notFound('cluster');
    const { status } = cluster;
    if (status === 'deleting' || status === 'deleted') return undefined;
    if (status !== 'active' && status !== 'failed') {
      throw invalid(
        'INVALID_STATE',
        `A cluster that is ${status} cannot be deleted${HINTS[status]}`,
      );
    }
    if (status === 'failed') await assertOnlyOneOnDomain(trx, cluster);
    noteChange({ before: told(AUDITED_FIELDS.cluster, cluster), after: { status: 'deleting' } });
    return insertDeletion(context, trx, cluster);
  });
  if (operation) await context.startOperation(operation);
  return getClusterView(context, userId, id);
}

const HINTS: Partial<Record<Cluster['status'], string>> = { provisioning: '; cancel it first' };

/** A domain carries one cluster that lives or is being deleted: a failed one waits for a newer one on it. */
async function assertOnlyOneOnDomain(
  trx: Transaction<Database>,
  { domain_id }: Cluster,
): Promise<void> {
  // An order for it takes the same lock.
  await lockDomain(trx, domain_id);
  const newer = await findLiveCluster(trx, domain_id);
  if (!newer) return;
  const why = `Its domain carries cluster ${newer.id} now; this one can be deleted once that one is`;
  throw invalid('INVALID_STATE', why);
}

async function insertDeletion(
  context: Needs,
  trx: Transaction<Database>,
  cluster: Cluster,
): Promise<Operation> {
  const { id: clusterId, user_id: userId, name } = cluster;
  const deletesServer = await dismissServer(trx, cluster);
  const vendors = await vendorsOf(trx, cluster);
  const input = { clusterId, deletesServer, ...vendors, pace: paceOf(context) };
  const operation = await insertOperation(trx, destroyClusterFlow, input, {
    userId,
    summary: `Delete ${name}`,
    requested: { actor: ACTOR.user(userId), reason: 'deleted' },
  });
  await updateCluster(trx, clusterId, { status: 'deleting', operation_id: operation.id });
  // At once, so that nothing more is sent from them.
  await markMailboxesDeleting(trx, clusterId);
  return operation;
}

/** The vendors whose rate limits apply to the teardown. */
async function vendorsOf(
  trx: Transaction<Database>,
  { domain_id, server_id }: Cluster,
): Promise<{ registrar?: string; vps?: string }> {
  const domain = await getDomain(trx, domain_id);
  const server = server_id === null ? undefined : await getServer(trx, server_id);
  return {
    ...(!isManual(domain) && { registrar: domain.provider }),
    ...(server && { vps: server.provider }),
  };
}

/**
 * True where no other cluster is on the server: it is deleted too, and takes no new cluster from now on
 * (an order for one waits for the same lock). A cluster that is being set up there may fail and leave
 * the server unused, so the deletion has to wait for it.
 */
async function dismissServer(
  trx: Transaction<Database>,
  { id, server_id: serverId }: Cluster,
): Promise<boolean> {
  if (serverId === null) return false;
  const { status } = await lockServer(trx, serverId);
  if (status !== 'active') return false;
  const others = await countTenants(trx, serverId, id);
  if (others.active > 0) return false;
  if (others.provisioning > 0) {
    const why = 'Another cluster is being set up on its server; wait for it or cancel it first';
    throw invalid('INVALID_STATE', why);
  }
  await updateServer(trx, serverId, { status: 'deleting' });
  return true;
}
