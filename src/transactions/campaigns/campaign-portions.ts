/**
 * Changes of a campaign that concern very many leads: the first portion belongs to the request, the others follow one by
 * one (activities/campaigns/open-portions.ts). How far each is, is in the campaign's row. Choice 145.
 */
import { sql, type Kysely, type Transaction } from 'kysely';
import { loadSequence } from '../../db/campaigns/campaign-steps.ts';
import { listLeadListIds } from '../../db/campaigns/campaign-settings.ts';
import { lockRemaining, type Campaign } from '../../db/campaigns/campaigns.ts';
import { enrollLeads, type Enrolled } from '../../db/campaigns/enrollments.ts';
import { changedDelays, replanFollowups } from '../../db/campaigns/follow-up-plans.ts';
import { takeUpHeldAddresses } from '../../db/campaigns/held-addresses.ts';
import { listMembersAfter } from '../../db/campaigns/wanted-leads.ts';
import type { Database } from '../../db/tables.ts';
import type { CampaignStep } from '../../domain/campaigns/campaigns.ts';
import type { DueRecipient } from '../../domain/sending/due-recipients.ts';
import { removePortion } from './campaign-deletion.ts';
import { FIRST, PORTION, recipientsAfter } from './recipient-portions.ts';

/** The days of sending, as they are counted. */
export interface Times {
  now: Date;
  daySeconds: number;
}

/** The caller holds the campaign's lock, here and below. */
export async function enrollListPortion(
  trx: Transaction<Database>,
  campaign: Campaign,
  { leadListIds, after, now }: { leadListIds: readonly number[]; after: number; now: Date },
): Promise<Enrolled> {
  const { id: campaignId, user_id: userId, only_never_contacted: onlyNeverContacted } = campaign;
  const leadIds = await listMembersAfter(trx, { userId, leadListIds, after, limit: PORTION });
  const enrolled = await enrollLeads(trx, {
    campaignId,
    userId,
    leadIds,
    onlyNeverContacted,
    now,
  });
  await note(trx, campaign, {
    lists_enrolled_to: leadIds.length < PORTION ? null : leadIds.at(-1)!,
  });
  return enrolled;
}

/** After a change of what is written to: each held recipient is due again and checked when it is claimed. */
export async function takeUpPortion(
  trx: Transaction<Database>,
  campaign: Campaign,
  after = FIRST,
): Promise<void> {
  const { range, isLast } = await recipientsAfter(trx, campaign.id, after);
  await takeUpHeldAddresses(trx, campaign.id, range);
  await note(trx, campaign, { holds_taken_up_to: isLast ? null : range.to });
}

/** After a change of the sequence, which was `before`: follow-ups get the dates of the new delays. */
export async function beginPlanning(
  trx: Transaction<Database>,
  campaign: Campaign,
  before: readonly CampaignStep[],
  times: Times,
): Promise<void> {
  const changed = changedDelays(before, await loadSequence(trx, campaign.id));
  if (!changed) return;
  // Those of a change of before, of which not everybody has heard.
  const positions = [...new Set([...(campaign.followups_to_plan ?? []), ...changed])];
  await planPortion(trx, campaign, { after: FIRST, positions, ...times });
}

async function planPortion(
  trx: Transaction<Database>,
  campaign: Campaign,
  { after, positions, ...times }: { after: number; positions: number[] } & Times,
): Promise<void> {
  const campaignId = campaign.id;
  const { range, isLast } = await recipientsAfter(trx, campaignId, after);
  await replanFollowups(trx, { campaignId, positions, leads: range, ...times });
  await note(trx, campaign, {
    followups_planned_to: isLast ? null : range.to,
    followups_to_plan: isLast ? null : positions,
  });
}

/**
 * Without those whose follow-up is due later by a change that has not reached them yet: they get its date now. The caller
 * has locked them, to claim their messages.
 */
export async function withoutPostponed(
  trx: Transaction<Database>,
  campaign: Pick<Campaign, 'id' | 'followups_planned_to' | 'followups_to_plan'>,
  due: DueRecipient[],
  times: Times,
): Promise<DueRecipient[]> {
  const leads = due.filter(({ step }) => step > 0).map(({ leadId }) => leadId);
  if (campaign.followups_planned_to === null || leads.length === 0) return due;
  const { id: campaignId, followups_to_plan: positions } = campaign;
  await replanFollowups(trx, { campaignId, positions: positions ?? undefined, leads, ...times });
  const { rows } = await sql<{ lead_id: number }>`
    select lead_id from recipients where campaign_id = ${campaignId}
      and lead_id = any (${leads}::bigint[]) and due_at <= ${times.now}`.execute(trx);
  const stillDue = new Set(rows.map(({ lead_id }) => lead_id));
  return due.filter(({ step, leadId }) => step === 0 || stillDue.has(leadId));
}

/**
 * Campaigns of which a change is under way, without those that rest: deletions, for which nobody waits, behind the others,
 * and nobody always first.
 */
export async function listCampaignsInPortions(
  db: Kysely<Database>,
  { limit, resting }: { limit: number; resting: readonly number[] },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from campaigns where (lists_enrolled_to is not null or holds_taken_up_to is not null
      or followups_planned_to is not null or recipients_removed_to is not null) and id <> all (${[...resting]}::bigint[])
    order by recipients_removed_to is not null, random() limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Does the next portion of each change that is under way; undefined where nothing is left that could be sent. */
export async function continueCampaign(
  trx: Transaction<Database>,
  id: number,
  times: Times,
): Promise<Campaign | undefined> {
  const campaign = await lockRemaining(trx, id);
  if (!campaign) return undefined;
  const {
    lists_enrolled_to: enrolledTo,
    holds_taken_up_to: takenUpTo,
    followups_planned_to: plannedTo,
    followups_to_plan: positions,
  } = campaign;
  if (campaign.deleted_at || campaign.status === 'cancelled') {
    await note(trx, campaign, NOTHING);
    if (campaign.recipients_removed_to !== null) await removePortion(trx, campaign);
    return undefined;
  }
  if (enrolledTo !== null) {
    const leadListIds = (await listLeadListIds(trx, [id])).get(id)!;
    await enrollListPortion(trx, campaign, { leadListIds, after: enrolledTo, now: times.now });
  }
  if (takenUpTo !== null) await takeUpPortion(trx, campaign, takenUpTo);
  if (plannedTo !== null) {
    await planPortion(trx, campaign, { after: plannedTo, positions: positions ?? [], ...times });
  }
  return campaign;
}

type Progress = Partial<
  Pick<
    Campaign,
    'lists_enrolled_to' | 'holds_taken_up_to' | 'followups_planned_to' | 'followups_to_plan'
  >
>;

/** How far it is. A change that was small enough leaves the row as it is. */
async function note(
  trx: Transaction<Database>,
  campaign: Campaign,
  progress: Progress,
): Promise<void> {
  const fields = Object.keys(progress) as (keyof Progress)[];
  const isSame = fields.every((field) => progress[field] === campaign[field]);
  if (isSame) return;
  await trx
    .updateTable('campaigns')
    .set({ ...progress, updated_at: new Date() })
    .where('id', '=', campaign.id)
    .execute();
}

const NOTHING: Progress = {
  lists_enrolled_to: null,
  holds_taken_up_to: null,
  followups_planned_to: null,
  followups_to_plan: null,
};
