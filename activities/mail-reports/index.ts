/** What comes to `postmaster@` and `abuse@` of the domains: reports are kept and judged, the rest is for people. */
import PQueue from 'p-queue';
import type { Context } from '../../src/context.ts';
import { recordAlignment } from '../../src/db/mail-reports/alignment.ts';
import { pruneMailReports } from '../../src/db/mail-reports/mail-reports.ts';
import {
  listReportedClusters,
  type ReportedCluster,
} from '../../src/db/mail-reports/role-mailboxes.ts';
import { withDomainLease } from '../../src/db/mailboxes/mailbox-leases.ts';
import { DAY_MS } from '../../src/domain/day.ts';
import { ALIGNMENT_DAYS } from '../../src/domain/mail-reports/alignment.ts';
import { serverAccess } from '../engine/access.ts';
import type { ReadContext } from './read-role-mailbox.ts';
import { notedFor, readRoleMailboxes } from './read-role-mailboxes.ts';
import { installRoleMailboxes } from './role-mailboxes.ts';

type ReportsContext = ReadContext & Pick<Context, 'mailHost'>;

/** Clusters of one activity, whose visits must fit into its time, and how many are read at once. */
const PAGE = 20;
const AT_ONCE = 4;
/** Reports that are deleted in one transaction, and in one activity. */
const PRUNED_AT_ONCE = 500;
const MAX_PRUNED = 50_000;

/** `nextId` null = there are no more clusters. */
export interface ReportsPage {
  nextId: number | null;
  /** Reports that are new. */
  found: number;
}

export const mailReportActivities = (context: ReportsContext) => ({
  /**
   * Reads the role addresses of a page of clusters and judges what was reported. A host that cannot be reached
   * is noted, and delays no other; the next run is its retry. Safe to repeat.
   */
  async readMailReports({ afterId }: { afterId: number }): Promise<ReportsPage> {
    const clusters = await listReportedClusters(context.db, { afterId, limit: PAGE });
    const queue = new PQueue({ concurrency: AT_ONCE });
    let found = 0;
    await queue.addAll(
      clusters.map((cluster) => async () => {
        found += await readCluster(context, cluster);
      }),
    );
    return { nextId: clusters.length < PAGE ? null : clusters.at(-1)!.clusterId, found };
  },

  /** Deletes reports older than `MAIL_REPORT_RETENTION_DAYS`. Safe to repeat. */
  async pruneMailReports(): Promise<{ deleted: number }> {
    const { db, clock, config } = context;
    const before = new Date(clock.now().getTime() - config.MAIL_REPORT_RETENTION_DAYS * DAY_MS);
    let deleted = 0;
    while (deleted < MAX_PRUNED) {
      const some = await pruneMailReports(db, { before, limit: PRUNED_AT_ONCE });
      deleted += some;
      if (some < PRUNED_AT_ONCE) break;
    }
    return { deleted };
  },
});

async function readCluster(context: ReportsContext, cluster: ReportedCluster): Promise<number> {
  const { db, clock } = context;
  const { clusterId, domainId, server } = cluster;
  await install(context, cluster).catch(notedFor(context, cluster));
  const found = await readRoleMailboxes(context, cluster);
  if (server.ipv4 === null) return found;
  const now = clock.now();
  const since = new Date(now.getTime() - ALIGNMENT_DAYS * DAY_MS);
  const alignment = await recordAlignment(db, { domainId, sources: [server.ipv4], since }, now);
  if (alignment === 'failing') {
    context.logger.warn({ clusterId, domainId }, 'messages of our own server fail DMARC');
  }
  return found;
}

/** For clusters that were there before role addresses, and where the host has lost a mailbox. */
const install = (context: ReportsContext, cluster: ReportedCluster): Promise<void> =>
  withDomainLease(context.db, cluster.domainId, (assertMine) =>
    installRoleMailboxes(context, {
      clusterId: cluster.clusterId,
      domain: cluster.domain,
      access: serverAccess(context, cluster.server),
      assertMine,
    }),
  );
