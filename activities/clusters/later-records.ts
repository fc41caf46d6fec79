/**
 * Gives domains the records that became part of the plan after they got theirs: those that help others and that
 * nothing waits for. docs/sending-rules.md#records-that-come-later.
 */
import type { Context } from '../../src/context.ts';
import { getServer } from '../../src/db/clusters/servers.ts';
import { getDomain } from '../../src/db/domains/domains.ts';
import {
  listIncomplete,
  listOldAuthorities,
  noteComplete,
} from '../../src/db/domains/record-plans.ts';
import { authorityRecords, certificateNeeds } from '../../src/domain/domains/caa.ts';
import { tlsReportsRecord } from '../../src/domain/domains/dns-plan.ts';
import { registrarOf } from '../engine/access.ts';
import { withdrawRows, type DnsContext } from './dns.ts';
import { findActiveCluster, publishOne } from './domain-records.ts';
import { PAGE_SIZE, pageOf } from './due-domains.ts';

export const laterRecordActivities = (context: DnsContext) => ({
  /** A page of the domains that were not given the records of today's plan yet. */
  async listIncompleteDomains({ afterId }: { afterId: number }) {
    const plan = planOf(context.config);
    const due = await listIncomplete(context.db, { afterId, limit: PAGE_SIZE, plan });
    return pageOf(due);
  },

  /**
   * Publishes what is missing and leaves what the owner has in its place; safe to repeat, and to kill at any
   * line. A record that is taken away later stays away: the plan is given once.
   */
  async completeDomainRecords({
    domainId,
  }: {
    domainId: number;
  }): Promise<{ stage: 'idle' | 'complete' }> {
    const cluster = await findActiveCluster(context, domainId);
    if (!cluster) return { stage: 'idle' };
    const domain = await getDomain(context.db, domainId);
    const { host_name: hostName } = await getServer(context.db, cluster.server_id);
    const { recordTypes } = registrarOf(context, domain.provider);
    const mail = { domain: domain.name, hostName };
    const authority = recordTypes.includes('CAA')
      ? authorityRecords(mail, certificateNeeds(context.config))
      : [];
    // The one of another authority would forbid ours, and count as the owner's.
    await withdrawRows(context, domainId, () =>
      listOldAuthorities(context.db, domainId, authority),
    );
    for (const record of [tlsReportsRecord(domain.name), ...authority]) {
      if ((await publishOne(context, domain, record)) === 'gone') return { stage: 'idle' };
    }
    await noteComplete(context.db, domainId, { plan: planOf(context.config), hostName });
    return { stage: 'complete' };
  },
});

/** The plan in one word for a domain's row; a new record in it is given a name here. */
function planOf(config: Context['config']): string {
  const { issuer, hasPolicy } = certificateNeeds(config);
  return `tlsrpt caa:${issuer ?? 'none'}${hasPolicy ? ':mta-sts' : ''}`;
}
