/** Puts on a new system what our rows and a backup have of a mail host, and judges the host by what it tells. */
import { cancellationSignal } from '@temporalio/activity';
import type { Context } from '../../src/context.ts';
import { listClustersOnServer, type ClusterOnServer } from '../../src/db/clusters/clusters.ts';
import { recordHostHealth } from '../../src/db/clusters/host-health.ts';
import { forgetQueue, getRebuild, type RebuildKey } from '../../src/db/clusters/server-rebuilds.ts';
import { recordOutgoingRoute } from '../../src/db/clusters/sending-holds.ts';
import { getServer, type Server } from '../../src/db/clusters/servers.ts';
import { getDomain } from '../../src/db/domains/domains.ts';
import { withDomainLease, withMailboxLease } from '../../src/db/mailboxes/mailbox-leases.ts';
import { listMailboxIdsOfCluster, passwordBinding } from '../../src/db/mailboxes/mailboxes.ts';
import { backupBinding } from '../../src/domain/clusters/host-backup.ts';
import { hostTroubles } from '../../src/domain/clusters/host-health.ts';
import { servedMode } from '../../src/domain/domains/mta-sts.ts';
import { rebuildAccess } from '../engine/access.ts';
import { putMailDomain } from './mail-domains.ts';
import { unwell } from './rebuilt-hosts.ts';

type RestoresContext = Pick<
  Context,
  'db' | 'clock' | 'config' | 'cipher' | 'mailHost' | 'hostBackups'
>;

/** A mailbox that is being created may be on its host already. */
const ON_HOST = ['active', 'pending'] as const;

/** Each is safe to repeat; where the server is being deleted, nothing is left to do. */
export const hostRestoreActivities = (context: RestoresContext) => ({
  async awaitNewFirstBoot(key: RebuildKey): Promise<void> {
    const server = await serverOf(context, key);
    if (!server) return;
    await context.mailHost.waitForFirstBoot(rebuildAccess(context, server), cancellationSignal());
  },

  async closeRebuiltHost(key: RebuildKey): Promise<void> {
    const server = await serverOf(context, key);
    if (!server) return;
    await context.mailHost.closeMail(rebuildAccess(context, server), server.client_public_key);
  },

  /** Certificates first: the authority limits how many it gives. */
  async putHostBackup(key: RebuildKey): Promise<void> {
    const server = await serverOf(context, key);
    const { backup: name } = await getRebuild(context.db, key);
    if (!server || name === null) return;
    const boundTo = backupBinding(server.intent_name);
    const content = context.hostBackups.open({ name, boundTo });
    const access = rebuildAccess(context, server);
    await context.mailHost.takeBackup(access, { name, content }, cancellationSignal());
  },

  async installRebuiltHost(key: RebuildKey): Promise<void> {
    const server = await serverOf(context, key);
    if (!server) return;
    const { mailHost } = context;
    const access = rebuildAccess(context, server);
    await mailHost.install(access, server.host_name, cancellationSignal());
  },

  async listRebuiltClusters({ serverId }: RebuildKey): Promise<{ clusterIds: number[] }> {
    const clusters = await listClustersOnServer(context.db, serverId);
    return { clusterIds: clusters.map(({ id }) => id) };
  },

  /** Domain, DKIM key, role mailboxes and mailboxes, as the rows have them. */
  async restoreCluster({ clusterId, ...key }: RebuildKey & { clusterId: number }): Promise<void> {
    const server = await serverOf(context, key);
    const clusters = await listClustersOnServer(context.db, key.serverId);
    const cluster = clusters.find(({ id }) => id === clusterId);
    if (!server || !cluster) return;
    await restoreDomain(context, server, cluster);
    for (const id of await listMailboxIdsOfCluster(context.db, clusterId, ON_HOST)) {
      cancellationSignal().throwIfAborted();
      await restoreMailbox(context, server, id);
    }
  },

  async mergeHostBackup(key: RebuildKey): Promise<void> {
    const server = await serverOf(context, key);
    if (!server) return;
    const { backup: name, queue_backup } = await getRebuild(context.db, key);
    const access = rebuildAccess(context, server);
    const backup = name === null ? null : { name, hasQueue: name === queue_backup };
    await context.mailHost.mergeBackup(access, backup, cancellationSignal());
    await forgetQueue(context.db, key);
  },

  /** What is wrong may be so for a moment: it is asked again, and then a person is. */
  async verifyRebuiltHost(key: RebuildKey): Promise<void> {
    const server = await serverOf(context, key);
    if (!server) return;
    const { db, mailHost, clock } = context;
    const status = await mailHost.status(rebuildAccess(context, server));
    const { outbound25, smarthost, signs, program } = status;
    const now = clock.now();
    const troubles = hostTroubles(status, now);
    const route = { outbound25, usesSmarthost: smarthost !== null };
    await recordOutgoingRoute(db, server.id, route, now);
    await recordHostHealth(db, server.id, { signs, troubles, program }, now);
    const clusters = await listClustersOnServer(db, server.id);
    const missing = clusters.filter(({ domain }) => !status.domains.includes(domain));
    // Messages that the old system had to deliver wait on the new one.
    const wrong = troubles.filter(({ kind }) => kind !== 'queue').map(({ message }) => message);
    wrong.push(...missing.map(({ domain }) => `${domain} is not served`));
    if (program !== mailHost.program) wrong.push('it has another program');
    if (wrong.length > 0) throw unwell(server, wrong.join('; '));
  },

  /** The policies that are announced; their certificates are in the backup, or asked for anew. */
  async serveRebuiltMtaSts({ serverId }: RebuildKey): Promise<void> {
    const server = await getServer(context.db, serverId);
    if (server.status !== 'active') return;
    const access = rebuildAccess(context, server);
    for (const { domain_id, domain } of await listClustersOnServer(context.db, serverId)) {
      await withDomainLease(context.db, domain_id, async (assertMine) => {
        const mode = servedMode((await getDomain(context.db, domain_id)).mta_sts_policy);
        if (mode === undefined) return;
        await assertMine();
        await context.mailHost.serveMtaSts(access, { domain, mode });
      });
    }
  },
});

/** Undefined where it is being deleted. Throws where another rebuild has taken it over. */
async function serverOf({ db }: RestoresContext, key: RebuildKey): Promise<Server | undefined> {
  const server = await getServer(db, key.serverId);
  if (server.status !== 'active') return undefined;
  await getRebuild(db, key);
  return server;
}

/** Under its lease: whoever was changing the domain on the old system has ended. */
const restoreDomain = (
  context: RestoresContext,
  server: Server,
  { id: clusterId, domain_id }: ClusterOnServer,
): Promise<void> =>
  withDomainLease(context.db, domain_id, async (assertMine) => {
    const domain = await getDomain(context.db, domain_id);
    if (domain.dkim_private_key === null) return;
    const access = rebuildAccess(context, server);
    await assertMine();
    await putMailDomain(context, { clusterId, domain, access, assertMine });
  });

/** The password that the row has: one that is being changed is set by its own operation afterwards. */
const restoreMailbox = (
  context: RestoresContext,
  server: Server,
  mailboxId: number,
): Promise<void> =>
  withMailboxLease(
    context.db,
    mailboxId,
    async ({ status, email, password: sealed }, assertMine) => {
      if (!['active', 'pending'].includes(status) || sealed === null) return;
      const password = context.cipher.open(sealed, passwordBinding(mailboxId));
      await assertMine();
      await context.mailHost.setMailbox(rebuildAccess(context, server), { email, password });
    },
  );
