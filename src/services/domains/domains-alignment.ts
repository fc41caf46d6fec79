/** What other mail servers report of the messages of a domain's own server. Choice 78. */
import type { Context } from '../../context.ts';
import { readAlignment } from '../../db/mail-reports/alignment.ts';
import { DAY_MS } from '../../domain/day.ts';
import type { DomainCheck } from '../../domain/domains/domain-health.ts';
import {
  ALIGNMENT_DAYS,
  judgeAlignment,
  type AlignmentFacts,
} from '../../domain/mail-reports/alignment.ts';

/** Without a server there is nothing to report on. */
export async function readAlignmentOf(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { id: domainId, ipv4 }: { id: number; ipv4: string | undefined },
): Promise<AlignmentFacts> {
  if (ipv4 === undefined) return { messages: 0, failed: 0, reporters: 0 };
  const since = new Date(clock.now().getTime() - ALIGNMENT_DAYS * DAY_MS);
  return readAlignment(db, { domainId, sources: [ipv4], since });
}

/** As one of the checks of a domain. */
export function checkAlignment(facts: AlignmentFacts): DomainCheck {
  const name = 'alignment';
  const alignment = judgeAlignment(facts);
  if (alignment === 'unknown') {
    const message = `Nobody has reported on its server in the last ${ALIGNMENT_DAYS} days.`;
    return { name, state: 'not_applicable', message };
  }
  const { messages, failed, reporters } = facts;
  const message =
    `Of ${messages} messages of its server in the reports of the last ${ALIGNMENT_DAYS} days ` +
    `${failed} fail DMARC (reporters that say so: ${reporters}).`;
  return { name, state: alignment, message };
}
