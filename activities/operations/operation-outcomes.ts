/** What the end of an operation changes in the cluster or mailbox that it worked on. */
import type { Transaction } from 'kysely';
import { getCluster, updateCluster } from '../../src/db/clusters/clusters.ts';
import { markRenewalFailed } from '../../src/db/domains/domain-renewals.ts';
import { forgetPublished } from '../../src/db/domains/outdated-domains.ts';
import { markDomainFailed } from '../../src/db/domains/domains.ts';
import { insertEvents } from '../../src/db/webhooks/events.ts';
import { noteProven, noteUnproven } from '../../src/transactions/mailboxes/connections.ts';
import { getMailbox, settleNewMailbox } from '../../src/db/mailboxes/mailboxes.ts';
import { keepGrant } from '../../src/db/mailboxes/oauth-grants.ts';
import { giveUpRecharge } from '../../src/db/wallet/recharges.ts';
import type { Operation } from '../../src/db/operations/operations.ts';
import type { Database } from '../../src/db/tables.ts';
import { markMailboxesDeleted } from '../../src/transactions/teardown.ts';
import type { EndingKind } from '../../src/domain/operations/flows.ts';

export interface Ending {
  outcome: 'succeeded' | 'failed';
  error: { code: string; message: string } | undefined;
}

type Settle = (trx: Transaction<Database>, operation: Operation, ending: Ending) => Promise<void>;

/** By the operation's kind (its workflow type), for every flow that is not a job. */
export const ENDINGS: Readonly<Record<EndingKind, Settle>> = {
  // Frees the name, unless it was bought.
  async buyDomain(trx, { resource_id: domainId }, { outcome, error }) {
    if (outcome === 'failed' && error) await markDomainFailed(trx, domainId, error);
  },
  provisionCluster: settleProvisioning,
  async destroyCluster(trx, { resource_id: clusterId }) {
    await markMailboxesDeleted(trx, { clusterId });
    // The domain first: an order on it has locked it when it meets this cluster.
    await forgetPublished(trx, clusterId);
    await updateCluster(trx, clusterId, { status: 'deleted' });
  },
  async createMailbox(trx, { resource_id: mailboxId }, { outcome }) {
    const status = outcome === 'succeeded' ? 'active' : 'failed';
    const isSettled = await settleNewMailbox(trx, mailboxId, status);
    if (isSettled && status === 'active') await tellMailbox(trx, mailboxId);
  },
  async connectMailbox(trx, { resource_id: mailboxId }, { outcome, error }) {
    if (outcome === 'succeeded') await noteProven(trx, mailboxId);
    else await noteUnproven(trx, mailboxId, error);
  },
  async deleteMailbox(trx, { resource_id: mailboxId }) {
    await markMailboxesDeleted(trx, { mailboxId });
    // Also of one that was never proven: that counts as deleted from the start.
    await keepGrant(trx, [mailboxId]);
  },
  async renewDomain(trx, { resource_id: renewalId }, { outcome, error }) {
    if (outcome === 'failed') await markRenewalFailed(trx, renewalId, error);
  },
  // A payment that is still being made is settled by its event.
  async rechargeWallet(trx, { resource_id: rechargeId }, { outcome }) {
    if (outcome === 'failed') await giveUpRecharge(trx, rechargeId);
  },
  // The row was deleted with its last portion.
  async deleteLeadList() {},
  async deleteCustomField() {},
  // The activities have already changed the row, or restored it.
  async rotateCredentials() {},
  async rotateServerKey() {},
  async upgradeServer() {},
  async rebuildServer() {},
};

async function settleProvisioning(
  trx: Transaction<Database>,
  { resource_id: clusterId, user_id: userId }: Operation,
  { outcome, error }: Ending,
): Promise<void> {
  const status = outcome === 'succeeded' ? 'active' : 'failed';
  // What a cluster before it had published is looked at again: a worker of before keeps it. Before the cluster, as above.
  if (status === 'active') await forgetPublished(trx, clusterId);
  await updateCluster(trx, clusterId, { status });
  await insertEvents(trx, [
    {
      userId,
      type: `cluster.${status}`,
      resource: `cluster/${clusterId}`,
      payload: { clusterId, status, errorCode: error?.code ?? null },
    },
  ]);
  // Given up before the purchase began: nothing else would free the name. A bought one stays.
  if (error) {
    const { domain_id } = await getCluster(trx, clusterId);
    await markDomainFailed(trx, domain_id, error);
  }
}

async function tellMailbox(trx: Transaction<Database>, mailboxId: number): Promise<void> {
  const { user_id: userId, cluster_id: clusterId, email } = await getMailbox(trx, mailboxId);
  const resource = `mailbox/${mailboxId}`;
  const payload = { mailboxId, clusterId: clusterId!, email };
  await insertEvents(trx, [{ userId, type: 'mailbox.created', resource, payload }]);
}
