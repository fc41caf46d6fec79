/** The recipients of a campaign, portion by portion. Choice 145. */
import { sql, type Transaction } from 'kysely';
import type { LeadRange } from '../../db/campaigns/follow-up-plans.ts';
import type { Database } from '../../db/tables.ts';

/** Leads of one transaction, for which sending waits, and who of them unsubscribes: some hundred milliseconds. */
export const PORTION = 1_000;

/** Before the first lead. */
export const FIRST = 0;

/** The next portion of a campaign's recipients; beyond the last one: all that may still come. */
export async function recipientsAfter(
  trx: Transaction<Database>,
  campaignId: number,
  after: number,
): Promise<{ range: LeadRange; isLast: boolean }> {
  const { rows } = await sql<{ last: number | null; recipients: number }>`
    select max(lead_id) as last, count(*)::integer as recipients from (
      select lead_id from recipients where campaign_id = ${campaignId} and lead_id > ${after}
      order by lead_id limit ${PORTION}) as portion`.execute(trx);
  const { last, recipients } = rows[0]!;
  const isLast = recipients < PORTION;
  return { range: { after, to: isLast ? Number.MAX_SAFE_INTEGER : last! }, isLast };
}
