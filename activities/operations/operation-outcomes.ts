/** What the end of an operation means to the cluster or mailbox that it was at work on. */
import type { Transaction } from 'kysely';
import { getCluster, updateCluster } from '../../src/db/clusters/clusters.ts';
import { markRenewalFailed } from '../../src/db/domains/domain-renewals.ts';
import { markDomainFailed } from '../../src/db/domains/domains.ts';
import { insertEvents } from '../../src/db/webhooks/events.ts';
import { getMailbox, settleNewMailbox } from '../../src/db/mailboxes/mailboxes.ts';
import type { Operation } from '../../src/db/operations/operations.ts';
import type { Database } from '../../src/db/tables.ts';
import { markMailboxesDeleted } from '../../src/db/clusters/teardown.ts';

export interface Ending {
  outcome: 'succeeded' | 'failed';
  error: { code: string; message: string } | undefined;
}

type Settle = (trx: Transaction<Database>, operation: Operation, ending: Ending) => Promise<void>;

/** By the operation's kind (the type of its workflow). */
export const ENDINGS: Readonly<Record<string, Settle>> = {
  provisionCluster: settleProvisioning,
  async destroyCluster(trx, { resource_id: clusterId }) {
    await markMailboxesDeleted(trx, { clusterId });
    await updateCluster(trx, clusterId, { status: 'deleted' });
  },
  async createMailbox(trx, { resource_id: mailboxId }, { outcome }) {
    const status = outcome === 'succeeded' ? 'active' : 'failed';
    const isSettled = await settleNewMailbox(trx, mailboxId, status);
    if (isSettled && status === 'active') await tellMailbox(trx, mailboxId);
  },
  async deleteMailbox(trx, { resource_id: mailboxId }) {
    await markMailboxesDeleted(trx, { mailboxId });
  },
  async renewDomain(trx, { resource_id: renewalId }, { outcome, error }) {
    if (outcome === 'failed') await markRenewalFailed(trx, renewalId, error);
  },
  // The list's row went with its last portion.
  async deleteLeadList() {},
  // The row was changed, or left as it was, by the activities.
  async rotateCredentials() {},
};

async function settleProvisioning(
  trx: Transaction<Database>,
  { resource_id: clusterId, user_id: userId }: Operation,
  { outcome, error }: Ending,
): Promise<void> {
  const status = outcome === 'succeeded' ? 'active' : 'failed';
  await updateCluster(trx, clusterId, { status });
  const payload = { clusterId, status, errorCode: error?.code ?? null };
  const resource = `cluster/${clusterId}`;
  await insertEvents(trx, [{ userId, type: `cluster.${status}`, resource, payload }]);
  // Given up before the purchase began, nobody else would free the name; a bought one stays.
  if (error) {
    const { domain_id } = await getCluster(trx, clusterId);
    await markDomainFailed(trx, domain_id, error);
  }
}

async function tellMailbox(trx: Transaction<Database>, mailboxId: number): Promise<void> {
  const { user_id: userId, cluster_id: clusterId, email } = await getMailbox(trx, mailboxId);
  const payload = { mailboxId, clusterId, email };
  const resource = `mailbox/${mailboxId}`;
  await insertEvents(trx, [{ userId, type: 'mailbox.created', resource, payload }]);
}
