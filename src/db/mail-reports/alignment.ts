/** What DMARC reports say of our own server, and whether clients were told. Choice 78. */
import { sql, type Kysely } from 'kysely';
import {
  judgeAlignment,
  type Alignment,
  type AlignmentFacts,
} from '../../domain/mail-reports/alignment.ts';
import { lockDomain } from '../domains/domains.ts';
import type { Database } from '../tables.ts';
import { insertEvents } from '../webhooks/events.ts';

interface Window {
  domainId: number;
  /** Addresses of our own server. */
  sources: readonly string[];
  since: Date;
}

export async function readAlignment(
  db: Kysely<Database>,
  { domainId, sources, since }: Window,
): Promise<AlignmentFacts> {
  const { rows } = await sql<Record<keyof AlignmentFacts, number>>`
    select coalesce(sum(line.messages), 0)::float8 as messages,
      coalesce(sum(line.messages) filter (where line.result = 'fail'), 0)::float8 as failed,
      count(distinct report.organization) filter (where line.result = 'fail')::int as reporters
    from mail_reports report join mail_report_rows line on line.report_id = report.id
    where report.domain_id = ${domainId} and report.kind = 'dmarc'
      and report.begins_at >= ${since} and line.source = any(${[...sources]}::text[])`.execute(db);
  return rows[0]!;
}

/** Tells clients once when it begins to fail; again only after it has not. Safe to repeat. */
export const recordAlignment = (
  db: Kysely<Database>,
  window: Window,
  now: Date,
): Promise<Alignment> =>
  db.transaction().execute(async (trx) => {
    const { domainId, sources } = window;
    const domain = await lockDomain(trx, domainId);
    const facts = await readAlignment(trx, window);
    const alignment = judgeAlignment(facts);
    const isFailing = alignment === 'failing';
    if ((domain.alignment_failing_since !== null) === isFailing) return alignment;
    await trx
      .updateTable('domains')
      .set({ alignment_failing_since: isFailing ? now : null, updated_at: now })
      .where('id', '=', domainId)
      .execute();
    if (!isFailing) return alignment;
    await insertEvents(trx, [
      {
        userId: domain.user_id,
        type: 'domain.alignment_failing',
        resource: `domain/${domainId}`,
        payload: {
          domainId,
          domain: domain.name,
          sources: [...sources],
          ...facts,
          at: now.toISOString(),
        },
      },
    ]);
    return alignment;
  });
