/** Takes down a cluster or a mailbox: what uses it is released first, then hosts, DNS and the server. */
import { cancellationSignal } from '@temporalio/activity';
import { WorkflowNotFoundError } from '@temporalio/client';
import type { Context } from '../../src/context.ts';
import { getCluster } from '../../src/db/clusters/clusters.ts';
import { getDomain } from '../../src/db/domains/domains.ts';
import { listOwnAddresses } from '../../src/db/inbox/inbox-syncs.ts';
import { listDepartingLogins } from '../../src/db/inbox/departing-mailboxes.ts';
import { findLeavingCluster } from '../../src/db/mail-reports/role-mailboxes.ts';
import { listMailboxIdsOfCluster } from '../../src/db/mailboxes/mailboxes.ts';
import type { Operation } from '../../src/db/operations/operations.ts';
import { getServer, lockServer, updateServer, type Server } from '../../src/db/clusters/servers.ts';
import {
  listCampaignsOf,
  listClusterRecords,
  listHostRecords,
  listListeners,
  markMailboxesDeleting,
  releaseFromCampaign,
  releaseFromWarmup,
  type OwnRecord,
} from '../../src/transactions/teardown.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { serverAccess, vpsOf } from '../engine/access.ts';
import { withdrawRows } from './dns.ts';
import { takeMailDomain } from './mail-domains.ts';
import { newMemory, visitMailbox } from '../inbox/watch-mailbox.ts';
import { readRoleMailboxes } from '../mail-reports/read-role-mailboxes.ts';
import { workflowIdOf } from '../../src/domain/operations/run-keys.ts';

interface ClusterTeardown {
  operationId: number;
  clusterId: number;
}
interface MailboxTeardown {
  operationId: number;
  mailboxId: number;
}

/** Well within the 15 minutes that one attempt has (`longRun`). */
const LAST_SYNC_MS = 5 * 60_000;

type TeardownContext = Pick<
  Context,
  | 'db'
  | 'clock'
  | 'cipher'
  | 'config'
  | 'logger'
  | 'temporal'
  | 'vps'
  | 'mailHost'
  | 'mailTransport'
  | 'mailReports'
  | 'recipientLinks'
  | 'registrars'
  | 'dns'
>;

/** Each is safe to repeat; where the server is already gone, nothing is left to do on it. */
export const teardownActivities = (context: TeardownContext) => ({
  /** Includes mailboxes that were being created when the deletion was requested. */
  async releaseClusterMailboxes({ clusterId }: ClusterTeardown): Promise<void> {
    const mailboxIds = await context.db
      .transaction()
      .execute((trx) => markMailboxesDeleting(trx, clusterId));
    await release(context, mailboxIds);
  },

  releaseMailbox: ({ mailboxId }: MailboxTeardown): Promise<void> => release(context, [mailboxId]),

  /** What cannot be read is noted in `mailbox_syncs` and does not delay the teardown, see `readLast`. */
  async readLeavingMailboxes({ clusterId }: ClusterTeardown): Promise<void> {
    const cluster = await findLeavingCluster(context.db, clusterId);
    // First: what is for people in them moves to mailboxes that are read after them.
    if (cluster) await readRoleMailboxes(context, cluster);
    await readLast(context, await listMailboxIdsOfCluster(context.db, clusterId, ['deleting']));
  },

  readLeavingMailbox: ({ mailboxId }: MailboxTeardown): Promise<void> =>
    readLast(context, [mailboxId]),

  /** Removes the domain, its key, its mailboxes and their messages from the host; see `takeMailDomain`. */
  async removeClusterFromHost({ clusterId }: ClusterTeardown): Promise<void> {
    const { domain_id, server_id } = await getCluster(context.db, clusterId);
    const domain = await getDomain(context.db, domain_id);
    await onStandingServer(context, server_id, (server) =>
      takeMailDomain(context, { clusterId, domain, access: serverAccess(context, server) }),
    );
  },

  /**
   * Removes only our own records. The address under the server's own name stays as long as the server
   * does, because the MX records of its other domains point there; it is removed with the server,
   * whoever published it.
   */
  async withdrawClusterRecords({
    clusterId,
    deletesServer,
  }: ClusterTeardown & { deletesServer: boolean }): Promise<void> {
    const { domain_id } = await getCluster(context.db, clusterId);
    const list = () => listWithdrawn(context.db, { clusterId, deletesServer });
    // Its own domain in any case: a record may be on its way there.
    const domainIds = new Set([domain_id, ...(await list()).map((row) => row.domain_id)]);
    for (const domainId of domainIds) {
      await withdrawRows(context, domainId, async () =>
        (await list()).filter((row) => row.domain_id === domainId),
      );
    }
  },

  /** Deletes the server at its vendor. The deletion request has locked it against new clusters. */
  async deleteClusterServer({ clusterId }: ClusterTeardown): Promise<void> {
    const { server_id } = await getCluster(context.db, clusterId);
    if (server_id === null) return;
    const { status, provider, intent_name } = await getServer(context.db, server_id);
    if (status !== 'deleting') return;
    await vpsOf(context, provider).destroy(intent_name);
    await context.db.transaction().execute(async (trx) => {
      await lockServer(trx, server_id);
      await updateServer(trx, server_id, { status: 'deleted' });
      await trx
        .updateTable('provider_resources')
        .set({ state: 'deleted', updated_at: new Date() })
        .where('token', '=', intent_name)
        .execute();
    });
  },
});

/**
 * Removes something from a server, unless the server is being deleted or is gone, and everything on it
 * with it. The vendor is asked only where the host refuses access.
 */
export async function onStandingServer(
  context: Pick<Context, 'db' | 'vps'>,
  serverId: number | null,
  remove: (server: Server) => Promise<void>,
): Promise<void> {
  const server = serverId === null ? undefined : await getServer(context.db, serverId);
  if (server?.status !== 'active') return;
  try {
    await remove(server);
  } catch (error) {
    if (!(error instanceof ProviderError) || !(await isGone(context, server))) throw error;
  }
}

/** False where the vendor cannot be asked: then the host's own failure says more. */
async function isGone({ vps }: Pick<Context, 'vps'>, server: Server): Promise<boolean> {
  const { provider, external_id: id } = server;
  if (id === null) return false;
  const found = vps[provider]?.get(id).catch(() => undefined);
  return (await found) === null;
}

/** The records that go with a cluster, of all domains. */
async function listWithdrawn(
  db: Context['db'],
  { clusterId, deletesServer }: { clusterId: number; deletesServer: boolean },
): Promise<OwnRecord[]> {
  const { server_id } = await getCluster(db, clusterId);
  const own = await listClusterRecords(db, clusterId);
  const server = server_id === null ? undefined : await getServer(db, server_id);
  const addresses = server ? await listHostRecords(db, server) : [];
  const stays = !deletesServer && server?.status === 'active';
  const ids = new Set(addresses.map(({ id }) => id));
  const others = own.filter(({ id }) => !ids.has(id));
  return stays ? others : [...others, ...addresses];
}

/** Removes the mailboxes from campaigns and warm-ups, and signals their workflows. */
async function release(context: TeardownContext, mailboxIds: readonly number[]): Promise<void> {
  const { db, clock } = context;
  const campaignIds = await listCampaignsOf(db, mailboxIds);
  const lost = { mailboxIds, now: clock.now() };
  for (const id of campaignIds) {
    await db.transaction().execute((trx) => releaseFromCampaign(trx, id, lost));
  }
  for (const id of mailboxIds) {
    await db.transaction().execute((trx) => releaseFromWarmup(trx, id));
  }
  for (const { operation, signal } of await listListeners(db, { mailboxIds, campaignIds })) {
    await tell(context, operation, signal);
    // A blocked undo ignores a cancel; for a mailbox that is being deleted it has nothing left to do.
    if (operation.blocked_at !== null) await tell(context, operation, 'resolveBlockedStep');
  }
}

/** A workflow that has ended, or has not begun, reads the row instead. */
async function tell(
  { temporal }: TeardownContext,
  operation: Operation,
  signal: string,
): Promise<void> {
  const { step } = operation;
  const message = { actor: 'system', reason: 'the mailbox is gone', step, action: 'retry' };
  try {
    await temporal.workflow.getHandle(workflowIdOf(operation)).signal(signal, message);
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}

/**
 * Reads mailboxes of one host a last time, within a time limit: an unreachable host costs one time-out,
 * and full mailboxes are not read for longer than one attempt of the activity may take.
 */
export async function readLast(
  context: TeardownContext,
  mailboxIds: readonly number[],
  budgetMs = LAST_SYNC_MS,
): Promise<void> {
  const signal = AbortSignal.any([cancellationSignal(), AbortSignal.timeout(budgetMs)]);
  const logins = await listDepartingLogins(context.db, mailboxIds);
  for (const [done, mailbox] of logins.entries()) {
    const ownAddresses = new Set(await listOwnAddresses(context.db, mailbox.userId));
    const visit = { ownAddresses, signal, memory: newMemory() };
    const isReachable = await visitMailbox(context, mailbox, visit);
    if (isReachable && !signal.aborted) continue;
    const left = logins.length - done - 1;
    context.logger.warn({ mailboxId: mailbox.id, left }, 'the last look at mailboxes ended early');
    return;
  }
}
