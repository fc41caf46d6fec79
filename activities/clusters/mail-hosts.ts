/** Turning a rented server into a mail host, over SSH, and proving that it is one. */
import { randomBytes } from 'node:crypto';
import { cancellationSignal } from '@temporalio/activity';
import type { Context } from '../../src/context.ts';
import { getCluster } from '../../src/db/clusters/clusters.ts';
import { getDomain } from '../../src/db/domains/domains.ts';
import { withDomainLease } from '../../src/db/mailboxes/mailbox-leases.ts';
import { recordOutgoingRoute } from '../../src/db/clusters/sending-holds.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { serverAccess } from '../engine/access.ts';
import { wakeCampaignsOfServer } from '../campaigns/wakes.ts';
import { putMailDomain, takeMailDomain } from './mail-domains.ts';
import { serverOf, type ClusterStep } from './servers.ts';
import { assertNotCancelled } from '../engine/not-cancelled.ts';

type MailHostsContext = Pick<
  Context,
  'db' | 'clock' | 'config' | 'cipher' | 'mailHost' | 'mailTransport' | 'temporal'
>;

export const mailHostActivities = (context: MailHostsContext) => ({
  /** Throws `not_ready` until cloud-init has finished. */
  async awaitFirstBoot({ clusterId }: ClusterStep): Promise<void> {
    const server = await serverOf(context, clusterId);
    await context.mailHost.waitForFirstBoot(serverAccess(context, server), cancellationSignal());
  },

  /** An existing server is already installed; its smarthost may have changed since. */
  async installMailHost({ clusterId }: ClusterStep): Promise<void> {
    const cluster = await getCluster(context.db, clusterId);
    const server = await serverOf(context, clusterId);
    const access = serverAccess(context, server);
    if (cluster.use_existing_vps) {
      await context.mailHost.setWayOut(access, cancellationSignal());
      return;
    }
    await context.mailHost.install(access, server.host_name, cancellationSignal());
  },

  /** With the addresses that each domain has to take mail for: RFC 5321, 4.5.1. */
  async addMailDomain({ operationId, clusterId }: ClusterStep): Promise<void> {
    const { domain_id } = await getCluster(context.db, clusterId);
    const domain = await getDomain(context.db, domain_id);
    const server = await serverOf(context, clusterId);
    await withDomainLease(context.db, domain.id, async (assertMine) => {
      await assertNotCancelled(context, { operationId });
      await assertMine();
      const access = serverAccess(context, server);
      await putMailDomain(context, { clusterId, domain, access, assertMine });
    });
  },

  /** Undo on a shared server; a server of the cluster's own is deleted as a whole. */
  async removeMailDomain({ clusterId }: ClusterStep): Promise<void> {
    const cluster = await getCluster(context.db, clusterId);
    if (!cluster.use_existing_vps) return;
    const domain = await getDomain(context.db, cluster.domain_id);
    const server = await serverOf(context, clusterId);
    if (server.status === 'deleted') return;
    const access = serverAccess(context, server);
    await takeMailDomain(context, { clusterId, domain, access });
  },

  /** Logs in by SMTP and IMAP as a mailbox made for this, then removes it. */
  async probeMailHost({ operationId, clusterId }: ClusterStep): Promise<void> {
    const cluster = await getCluster(context.db, clusterId);
    const domain = await getDomain(context.db, cluster.domain_id);
    const server = await serverOf(context, clusterId);
    const access = serverAccess(context, server);
    const email = `outreach-probe-${operationId}@${domain.name}`;
    const password = randomBytes(18).toString('base64url');
    const mailbox = { host: server.host_name, email, password };
    try {
      await assertNotCancelled(context, { operationId });
      await context.mailHost.setMailbox(access, { email, password });
      await context.mailTransport.checkSubmission(mailbox);
      await context.mailTransport.checkImap(mailbox);
    } catch (error) {
      throw probeFailure(error);
    } finally {
      await context.mailHost.removeMailbox(access, email);
    }
    const status = await context.mailHost.status(access);
    if (!status.domains.includes(domain.name)) {
      throw new ProviderError('unavailable', `The mail host does not serve ${domain.name}`, {
        provider: context.mailHost.name,
      });
    }
    // A closed port 25 is reported, and keeps campaigns waiting; it is not fatal: vendors open it on request.
    const route = { outbound25: status.outbound25, usesSmarthost: status.smarthost !== null };
    const hasResumed = await recordOutgoingRoute(context.db, server.id, route, context.clock.now());
    if (hasResumed) await wakeCampaignsOfServer(context, server.id);
  },
});

/**
 * A refused login here is nothing that the client could cure. It heals alone where another attempt, slow
 * but taken for dead, has just removed the mailbox.
 */
function probeFailure(error: unknown): unknown {
  if (!(error instanceof ProviderError) || error.kind !== 'rejected') return error;
  return new ProviderError('unavailable', error.message, error.facts);
}
