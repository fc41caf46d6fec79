/** Campaigns: creating, reading, changing and deleting them. Spec: Campaigns; choices 6-12. */
import type { Transaction } from 'kysely';
import type { Context } from '../../context.ts';
import { noteChange } from '../../db/accounts/audit-log.ts';
import { AUDITED_FIELDS, told } from '../../domain/accounts/audited-values.ts';
import {
  findUserCampaign,
  insertCampaign,
  listCampaigns as listCampaignRows,
  lockUserCampaign,
  type Campaign,
  type CampaignLock,
  type CampaignFilter,
} from '../../db/campaigns/campaigns.ts';
import {
  listLeadListIds,
  listMailboxIds,
  ownMailboxIds,
  replaceMailboxes,
} from '../../db/campaigns/campaign-settings.ts';
import { readStats, type CampaignStats } from '../../db/campaigns/campaign-stats.ts';
import { listSteps, replaceSteps } from '../../db/campaigns/campaign-steps.ts';
import { commitOnce } from '../../db/accounts/request-effects.ts';
import type { Database } from '../../db/tables.ts';
import { heldKinds, type RiskyAddresses } from '../../domain/campaigns/address-risk.ts';
import {
  stepsOf,
  trackingProblems,
  type WrittenFollowup,
} from '../../domain/campaigns/campaign-copy.ts';
import type { SendWindow, StepVariant, WrittenStep } from '../../domain/campaigns/campaigns.ts';
import { subsequenceProblems, type StartsOn } from '../../domain/campaigns/subsequences.ts';
import type { AutoWinner } from '../../domain/campaigns/variant-winner.ts';
import { invalid, namesNothing, notFound, validationError } from '../../domain/errors.ts';
import { problemsOfCopy } from './campaign-custom.ts';
import { deleteCampaign as deleteCampaignRow } from '../../transactions/campaigns/campaign-deletion.ts';
import { checkTrackingDomain } from './campaign-links.ts';
import { checkStartsOn, startColumns } from './campaign-starts.ts';
import { winnerColumn } from './campaign-winners.ts';
import { assignLists, type Skipped } from './campaign-lists.ts';

export type { CampaignStats } from '../../db/campaigns/campaign-stats.ts';
export type { Campaign, CampaignFilter } from '../../db/campaigns/campaigns.ts';

export interface CampaignOrder extends SendWindow {
  name: string;
  subjectTemplate: string;
  bodyTemplate: string;
  variants: StepVariant[];
  steps: WrittenFollowup[];
  assignedMailboxes: number[];
  leadListIds: number[];
  maxFollowups: number;
  followupDelayDays: number;
  trackOpens: boolean;
  trackClicks: boolean;
  /** Null: links are on the installation's own name. */
  trackingDomainId: number | null;
  textOnly: boolean;
  /** Null: detected from the messages. */
  language: string | null;
  minValidationScore: number | null;
  riskyAddresses: Partial<RiskyAddresses>;
  /** Null: any number. */
  maxNewLeadsPerDay: number | null;
  /** Per cent of the day's capacity; null: all of it. */
  newLeadShare: number | null;
  /** The window is read in the zone of each recipient. */
  useRecipientTimezone: boolean;
  /** Also the default where leads are added without this option. */
  onlyNeverContacted: boolean;
  /** The answer of one person ends all others of the company. */
  stopCompanyOnReply: boolean;
  /** Null: leads enter it by hand alone. */
  startsOn: StartsOn | null;
  /** Null: no text wins by itself. */
  autoWinner: AutoWinner | null;
}

/** A campaign with its rows in other tables. */
export interface CampaignView {
  campaign: Campaign;
  /** As written, without built-in reminders. */
  steps: WrittenStep[];
  mailboxIds: number[];
  leadListIds: number[];
  stats: CampaignStats;
}

/** A campaign after a request that enrols the leads of its lists. */
export type EnrolledView = CampaignView & Skipped;

type Needs = Pick<Context, 'db' | 'clock'>;

/** Spec: POST /v1/campaigns. The leads of its lists are enrolled at once, and again at each start. */
export async function createCampaign(
  context: Needs,
  userId: string,
  order: CampaignOrder,
): Promise<EnrolledView> {
  const problems = [
    ...(await problemsOfCopy(context.db, userId, order)),
    ...trackingProblems(order),
    ...subsequenceProblems({ ...order, isSubsequence: order.startsOn !== null }),
  ];
  if (problems.length > 0) throw validationError(problems);
  const { id, skipped } = await commitOnce(context.db, async (trx) => {
    await checkStartsOn(trx, userId, order.startsOn);
    await checkTrackingDomain(trx, userId, order.trackingDomainId);
    const campaign = await insertCampaign(trx, userId, settingsOf(order, context.clock.now()));
    await replaceSteps(trx, campaign.id, stepsOf(order));
    await assignMailboxes(trx, campaign, order.assignedMailboxes);
    const lists = { ids: order.leadListIds, now: context.clock.now() };
    noteChange({ resourceId: campaign.id, after: told(AUDITED_FIELDS.campaign, campaign) });
    return { id: campaign.id, skipped: await assignLists(trx, campaign, lists) };
  });
  return { ...(await getCampaign(context, userId, id)), ...skipped };
}

export const settingsOf = (
  order: Omit<CampaignOrder, 'assignedMailboxes' | 'leadListIds'>,
  now: Date,
) => ({
  name: order.name,
  timezone: order.timezone,
  active_days: [...order.activeDays],
  start_time: order.startTime,
  end_time: order.endTime,
  max_followups: order.maxFollowups,
  followup_delay_days: order.followupDelayDays,
  track_opens: order.trackOpens,
  track_clicks: order.trackClicks,
  tracking_domain_id: order.trackingDomainId,
  text_only: order.textOnly,
  language: order.language,
  min_validation_score: order.minValidationScore,
  held_addresses: heldKinds(order.riskyAddresses),
  max_new_leads_per_day: order.maxNewLeadsPerDay,
  new_lead_share: order.newLeadShare,
  use_recipient_timezone: order.useRecipientTimezone,
  only_never_contacted: order.onlyNeverContacted,
  stop_company_on_reply: order.stopCompanyOnReply,
  ...startColumns(order.startsOn, now),
  ...winnerColumn(order.autoWinner),
});

/** Choice 12: each must be the caller's own; any others are listed in the error. */
export async function assignMailboxes(
  trx: Transaction<Database>,
  campaign: Campaign,
  mailboxIds: readonly number[],
): Promise<void> {
  const own = await ownMailboxIds(trx, campaign.user_id, mailboxIds);
  const missing = mailboxIds.filter((id) => !own.has(id));
  if (missing.length > 0) {
    throw namesNothing('mailbox', { field: 'assignedMailboxes', ids: missing });
  }
  await replaceMailboxes(trx, campaign.id, { mailboxIds, hasBegun: campaign.run > 0 });
}

export async function getUserCampaign(
  context: Pick<Context, 'db'>,
  userId: string,
  id: number,
): Promise<Campaign> {
  const campaign = await findUserCampaign(context.db, userId, id);
  if (!campaign) throw notFound('campaign');
  return campaign;
}

/** Locked until the transaction ends; see `CampaignLock`. */
export async function lockOwnCampaign(
  trx: Transaction<Database>,
  userId: string,
  id: number,
  against?: CampaignLock,
): Promise<Campaign> {
  const campaign = await lockUserCampaign(trx, userId, id, against);
  if (!campaign) throw notFound('campaign');
  return campaign;
}

export async function getCampaign(
  context: Pick<Context, 'db'>,
  userId: string,
  id: number,
): Promise<CampaignView> {
  const campaign = await getUserCampaign(context, userId, id);
  return (await viewsOf(context, [campaign]))[0]!;
}

export async function listCampaigns(
  context: Pick<Context, 'db'>,
  userId: string,
  page: {
    filter: CampaignFilter;
    order: { sort: 'createdAt' | 'name'; order: 'asc' | 'desc' };
    limit: number;
    offset: number;
  },
): Promise<{ rows: CampaignView[]; total: number }> {
  const { rows, total } = await listCampaignRows(context.db, userId, page);
  return { rows: await viewsOf(context, rows), total };
}

/** Four statements for any number of campaigns. */
async function viewsOf(
  { db }: Pick<Context, 'db'>,
  campaigns: readonly Campaign[],
): Promise<CampaignView[]> {
  const ids = campaigns.map(({ id }) => id);
  const [steps, mailboxes, lists, stats] = await Promise.all([
    listSteps(db, ids),
    listMailboxIds(db, ids),
    listLeadListIds(db, ids),
    readStats(db, ids),
  ]);
  return campaigns.map((campaign) => ({
    campaign,
    steps: steps.get(campaign.id)!,
    mailboxIds: mailboxes.get(campaign.id)!,
    leadListIds: lists.get(campaign.id)!,
    stats: stats.get(campaign.id)!,
  }));
}

/**
 * Choice 8. An active or paused campaign has to be cancelled first: a deletion is final, and nobody
 * should lose a running campaign by mistake.
 */
export async function deleteCampaign(context: Needs, userId: string, id: number): Promise<void> {
  await commitOnce(context.db, async (trx) => {
    const campaign = await lockOwnCampaign(trx, userId, id, 'outcomes');
    if (campaign.status === 'active' || campaign.status === 'paused') {
      throw invalid(
        'INVALID_STATE',
        `A campaign that is ${campaign.status} must be cancelled first`,
      );
    }
    await deleteCampaignRow(trx, campaign);
    noteChange({ before: told(AUDITED_FIELDS.campaign, campaign) });
  });
}
