/** The lists that a campaign takes its leads from. Choice 9. */
import type { Transaction } from 'kysely';
import { replaceLists } from '../../db/campaigns/campaign-settings.ts';
import type { Campaign } from '../../db/campaigns/campaigns.ts';
import type { Enrolled } from '../../db/campaigns/enrollments.ts';
import { lockUserLeadList } from '../../db/leads/lead-lists.ts';
import type { Database } from '../../db/tables.ts';
import { notFound } from '../../domain/errors.ts';
import { enrollListPortion } from '../../transactions/campaigns/campaign-portions.ts';

/** Counts leads in the campaign's lists that this request did not enrol; of those that follow later, none. */
export type Skipped = Pick<Enrolled, 'skippedReasons' | 'duplicates'>;

export const NOBODY_SKIPPED: Skipped = { skippedReasons: {}, duplicates: [] };

/** Leads that are enrolled stay when their list is removed. */
export async function assignLists(
  trx: Transaction<Database>,
  campaign: Campaign,
  { ids, now }: { ids: readonly number[]; now: Date },
): Promise<Skipped> {
  const missing: number[] = [];
  // In one order, so that two requests cannot deadlock.
  for (const id of ids.toSorted((one, other) => one - other)) {
    if (!(await lockUserLeadList(trx, campaign.user_id, id))) missing.push(id);
  }
  if (missing.length > 0) throw notFound('lead list', { field: 'leadListIds', ids: missing });
  await replaceLists(trx, campaign.id, ids);
  return enrollLists(trx, campaign, { ids, now });
}

/** Leads that are enrolled already are not counted as skipped. What is more than a portion follows: choice 145. */
export async function enrollLists(
  trx: Transaction<Database>,
  campaign: Campaign,
  { ids, now }: { ids: readonly number[]; now: Date },
): Promise<Skipped> {
  if (ids.length === 0 && campaign.lists_enrolled_to === null) return NOBODY_SKIPPED;
  const portion = { leadListIds: ids, after: 0, now };
  const { skippedReasons, duplicates } = await enrollListPortion(trx, campaign, portion);
  const { already_in_campaign: _, ...others } = skippedReasons;
  return { skippedReasons: others, duplicates };
}
