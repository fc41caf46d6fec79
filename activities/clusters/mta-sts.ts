/**
 * Gives domains an MTA-STS policy: its host's address in DNS, then the policy with its certificate on the mail
 * host, and only then its announcement. docs/sending-rules.md#mta-sts.
 */
import { createHash } from 'node:crypto';
import type { Context } from '../../src/context.ts';
import { getServer } from '../../src/db/clusters/servers.ts';
import { getDomain, type Domain } from '../../src/db/domains/domains.ts';
import { listAnnouncements, listUnannounced, noteAnnounced } from '../../src/db/domains/mta-sts.ts';
import { withDomainLease } from '../../src/db/mailboxes/mailbox-leases.ts';
import { caaIssuer, listForbidden } from '../../src/domain/domains/caa.ts';
import { fullName, type PlannedRecord } from '../../src/domain/domains/dns-plan.ts';
import { policyHost, policyKey, policyRecord } from '../../src/domain/domains/mta-sts.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { serverAccess } from '../engine/access.ts';
import { withdrawRows, type DnsContext } from './dns.ts';
import { isVisible } from './dns-visibility.ts';
import { findActiveCluster, isPlaced, publishOne } from './domain-records.ts';
import { PAGE_SIZE, pageOf } from './due-domains.ts';

type MtaStsContext = DnsContext & Pick<Context, 'mailHost'>;

/**
 * `foreign`: the owner has records of their own there; `forbidden`: their CAA records keep our authority out;
 * `old_host`: the host's program does not know it.
 */
export type MtaStsStage = 'idle' | 'published' | 'foreign' | 'forbidden' | 'old_host' | 'announced';

export const mtaStsActivities = (context: MtaStsContext) => ({
  /** A page of the domains that announce no policy yet, or another one. */
  async listMtaSts({ afterId }: { afterId: number }) {
    const { MTA_STS_MODE: mode } = context.config;
    if (mode === 'off') return pageOf([]);
    const due = await listUnannounced(context.db, { afterId, limit: PAGE_SIZE, mode });
    return pageOf(due);
  },

  /** Does what can be done now for one domain; safe to repeat, and to kill at any line. */
  async advanceMtaSts({
    domainId,
  }: {
    domainId: number;
  }): Promise<{ stage: MtaStsStage; isNew?: boolean }> {
    const { MTA_STS_MODE: mode } = context.config;
    const cluster = await findActiveCluster(context, domainId);
    if (mode === 'off' || !cluster) return { stage: 'idle' };
    const domain = await getDomain(context.db, domainId);
    const server = await getServer(context.db, cluster.server_id);
    const address = policyHost(server.ipv4!);
    const placed = await publishOne(context, domain, address);
    if (!isPlaced(placed)) return { stage: placed === 'conflict' ? 'foreign' : 'idle' };
    if (!(await isVisible(context.dns, fullName(address.name, domain.name), address))) {
      return { stage: 'published', isNew: placed === 'added' };
    }
    const names = [fullName(address.name, domain.name)];
    const issuer = caaIssuer(context.config);
    if ((await listForbidden(context.dns, { names, issuer })).length > 0) {
      return { stage: 'forbidden' };
    }
    if (!(await serve(context, domain, mode))) return { stage: 'old_host' };
    const policy = policyKey(mode, server.host_name);
    const announced = await announce(context, domain, policyRecord(idOf(policy)));
    if (!isPlaced(announced)) return { stage: announced === 'conflict' ? 'foreign' : 'idle' };
    await noteAnnounced(context.db, domainId, policy);
    return { stage: 'announced' };
  },
});

/** The same for the same policy, whoever publishes it. */
const idOf = (policy: string): string =>
  createHash('sha256').update(policy).digest('hex').slice(0, 20);

/** False where the host's program is older than this. */
async function serve(
  context: MtaStsContext,
  { id, name }: Domain,
  mode: 'testing' | 'enforce',
): Promise<boolean> {
  let isServed = true;
  await withDomainLease(context.db, id, async (assertMine) => {
    const cluster = await findActiveCluster(context, id);
    if (!cluster) return;
    const server = await getServer(context.db, cluster.server_id);
    await assertMine();
    await context.mailHost
      .serveMtaSts(serverAccess(context, server), { domain: name, mode })
      .catch((error: unknown) => {
        if (!(error instanceof ProviderError && error.kind === 'rejected')) throw error;
        isServed = false;
      });
  });
  return isServed;
}

/** One announcement at a time: two make both invalid (RFC 8461, 3.1). */
async function announce(context: MtaStsContext, domain: Domain, record: PlannedRecord) {
  await withdrawRows(context, domain.id, () =>
    listAnnouncements(context.db, domain.id, record.value),
  );
  return publishOne(context, domain, record);
}
