/** What other mail servers report of a domain. Choice 76. */
import type { Context } from '../../context.ts';
import { findDomainMail } from '../../db/domains/domain-mail.ts';
import { listReportedMail, type ReportedMail } from '../../db/mail-reports/mail-reports.ts';
import { listRoleMailboxes } from '../../db/mail-reports/role-mailboxes.ts';
import { DAY_MS } from '../../domain/day.ts';
import {
  judgeAlignment,
  type Alignment,
  type AlignmentFacts,
} from '../../domain/mail-reports/alignment.ts';
import { roleAddress } from '../../domain/mail-reports/role-mailboxes.ts';
import { getUserDomain } from './domains.ts';
import { readAlignmentOf } from './domains-alignment.ts';

export interface Deliverability {
  domain: string;
  alignment: AlignmentFacts & { state: Alignment; failingSince: Date | null; sources: string[] };
  /** Where reports come to, and since when they cannot be read. */
  addresses: { address: string; readAt: Date | null; failingSince: Date | null }[];
  lines: (ReportedMail & { isOwnServer: boolean })[];
  /** Lines without paging. */
  total: number;
}

export async function viewDeliverability(
  context: Pick<Context, 'db' | 'clock'>,
  userId: string,
  asked: { id: number; kind: 'dmarc' | 'tls'; days: number; limit: number; offset: number },
): Promise<Deliverability> {
  const { db, clock } = context;
  const { id, kind, days, limit, offset } = asked;
  const domain = await getUserDomain(context, userId, id);
  const mail = await findDomainMail(db, id);
  const since = new Date(clock.now().getTime() - days * DAY_MS);
  const [facts, roles, reported] = await Promise.all([
    readAlignmentOf(context, { id, ipv4: mail?.ipv4 }),
    mail ? listRoleMailboxes(db, mail.clusterId) : [],
    listReportedMail(db, { domainId: id, kind, since, limit, offset }),
  ]);
  const { alignment_failing_since: failingSince } = domain;
  const sources = mail ? [mail.ipv4] : [];
  return {
    domain: domain.name,
    alignment: { ...facts, state: judgeAlignment(facts), failingSince, sources },
    addresses: roles.map((role) => ({
      address: roleAddress(role.name, domain.name),
      readAt: role.read_at,
      failingSince: role.failing_since,
    })),
    lines: reported.rows.map((line) => ({
      ...line,
      isOwnServer: [...sources, mail?.hostName].includes(line.source),
    })),
    total: reported.total,
  };
}
