/** What public DNS says about a domain now. Choice 25. */
import type { Context } from '../../context.ts';
import { certificateNeeds } from '../../domain/domains/caa.ts';
import { smarthostPolicy } from '../../domain/domains/spf.ts';
import { findDomainMail } from '../../db/domains/domain-mail.ts';
import { findRenewalTrouble } from '../../db/domains/domain-renewals.ts';
import {
  fullName,
  hostRecords,
  mxRecords,
  type PlannedRecord,
} from '../../domain/domains/dns-plan.ts';
import {
  checkDelegation,
  checkExpiry,
  checkMailRecords,
  notNeeded,
  overallState,
  type DomainCheck,
} from '../../domain/domains/domain-health.ts';
import { invalid } from '../../domain/errors.ts';
import { checkAlignment, readAlignmentOf } from './domains-alignment.ts';
import { getUserDomain } from './domains.ts';

type Needs = Pick<Context, 'db' | 'dns' | 'config' | 'clock'>;

export interface DomainHealth {
  domain: string;
  status: ReturnType<typeof overallState>;
  checkedAt: Date;
  checks: DomainCheck[];
  /** What the cluster on the domain needs, by full name; empty without one. */
  requiredRecords: PlannedRecord[];
}

/** Choice 25: GET /v1/domains/:id/health. Checks now; where no resolver answers a check is `unknown`. */
export async function checkDomainHealth(
  context: Needs,
  userId: string,
  id: number,
): Promise<DomainHealth> {
  const { db, dns, config, clock } = context;
  const row = await getUserDomain(context, userId, id);
  if (row.status !== 'active') {
    throw invalid('INVALID_STATE', `${row.name} is not active, there is nothing to look at`);
  }
  const found = await findDomainMail(db, id);
  const mail = found && {
    ...found,
    ...certificateNeeds(config),
    smarthost: smarthostPolicy(config),
  };
  const now = clock.now();
  const [delegation, records] = await Promise.all([
    checkDelegation(dns, row.name),
    mail ? checkMailRecords(dns, mail) : notNeeded(),
  ]);
  const trouble = await findRenewalTrouble(db, row);
  const end = { expiresAt: row.expires_at, autoRenew: row.auto_renew, trouble };
  const expiry = checkExpiry(end, { now, warnDays: config.DOMAIN_RENEW_DAYS });
  const alignment = checkAlignment(await readAlignmentOf(context, { id, ipv4: mail?.ipv4 }));
  const checks = [delegation, ...records, expiry, alignment];
  const planned = mail ? [...hostRecords(mail), ...mxRecords(mail)] : [];
  return {
    domain: row.name,
    status: overallState(checks),
    checkedAt: now,
    checks,
    requiredRecords: planned.map((one) => ({ ...one, name: fullName(one.name, row.name) })),
  };
}
