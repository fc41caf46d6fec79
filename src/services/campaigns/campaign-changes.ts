/** Changing a campaign, also while it sends. Choice 8. */
import type { Transaction } from 'kysely';
import type { Context } from '../../context.ts';
import { noteChange } from '../../db/accounts/audit-log.ts';
import { commitOnce } from '../../db/accounts/request-effects.ts';
import { AUDITED_FIELDS, difference, namesBeside } from '../../domain/accounts/audited-values.ts';
import { campaignWindowOf, updateCampaign, type Campaign } from '../../db/campaigns/campaigns.ts';
import { forgetReplies, noteEarlierReplies } from '../../db/campaigns/company-replies.ts';
import type { Database } from '../../db/tables.ts';
import { loadSequence } from '../../db/campaigns/campaign-steps.ts';
import { heldKinds } from '../../domain/campaigns/address-risk.ts';
import type { CampaignStatus } from '../../domain/campaigns/campaigns.ts';
import { trackingProblems } from '../../domain/campaigns/campaign-copy.ts';
import { invalid, validationError } from '../../domain/errors.ts';
import { beginPlanning, takeUpPortion } from '../../transactions/campaigns/campaign-portions.ts';
import {
  assignMailboxes,
  getCampaign,
  getUserCampaign,
  lockOwnCampaign,
  type CampaignOrder,
  type EnrolledView,
} from './campaigns.ts';
import { changeStarts, startColumns } from './campaign-starts.ts';
import { changeWinners, winnerColumn, type ChosenWinner } from './campaign-winners.ts';
import { checkTrackingDomain } from './campaign-links.ts';
import { changeCopy } from './campaign-copy.ts';
import { assignLists, NOBODY_SKIPPED } from './campaign-lists.ts';
import { wakeCampaign } from './campaign-wakes.ts';

export type CampaignChange = {
  [Field in keyof CampaignOrder]?: CampaignOrder[Field] | undefined;
} & { archived?: boolean | undefined; winners?: ChosenWinner[] | undefined };

/** The statuses in which a change is wanted; undefined: any. */
type IfStatus = readonly CampaignStatus[] | undefined;

type Needs = Pick<Context, 'db' | 'clock' | 'config' | 'temporal'>;

/** What can still be changed on a cancelled campaign. */
const LABELS: readonly string[] = ['name', 'archived'];

/**
 * Fields that are not given stay. Times, mailboxes and future follow-ups take effect within seconds,
 * also for leads that wait for one, and so do texts; messages that were sent stay as they were.
 */
export async function changeCampaign(
  context: Needs,
  { userId, id, ifStatus }: { userId: string; id: number; ifStatus?: IfStatus },
  change: CampaignChange,
): Promise<EnrolledView> {
  const skipped = await commitOnce(context.db, async (trx) => {
    // Answers look at this setting; for no other change they wait.
    const against = change.stopCompanyOnReply === undefined ? 'changes' : 'outcomes';
    const campaign = await lockOwnCampaign(trx, userId, id, against);
    checkStatus(campaign, change, ifStatus);
    const window = windowOf(campaign, change);
    checkTracking(campaign, change);
    await checkTrackingDomain(trx, userId, change.trackingDomainId);
    const before = await loadSequence(trx, id);
    const now = context.clock.now();
    await changeCopy(trx, campaign, change, now);
    await updateCampaign(trx, id, {
      ...window,
      ...(change.name !== undefined && { name: change.name }),
      ...(change.archived !== undefined && { archived: change.archived }),
      ...(change.maxFollowups !== undefined && { max_followups: change.maxFollowups }),
      ...(change.followupDelayDays !== undefined && {
        followup_delay_days: change.followupDelayDays,
      }),
      ...(change.trackOpens !== undefined && { track_opens: change.trackOpens }),
      ...(change.trackClicks !== undefined && { track_clicks: change.trackClicks }),
      ...(change.trackingDomainId !== undefined && {
        tracking_domain_id: change.trackingDomainId,
      }),
      ...(change.textOnly !== undefined && { text_only: change.textOnly }),
      ...(change.language !== undefined && { language: change.language }),
      ...addressColumns(campaign, change),
      ...newLeadColumns(change),
      ...timesColumn(campaign, { ...campaign, ...window }, now),
      ...answerColumns(change, campaign, now),
    });
    await changeCompanyStop(trx, campaign, { change, now });
    await changeStarts(trx, campaign, { change, now });
    await changeWinners(trx, id, change, now);
    if (change.minValidationScore !== undefined || change.riskyAddresses) {
      await takeUpPortion(trx, campaign);
    }
    if (change.assignedMailboxes) await assignMailboxes(trx, campaign, change.assignedMailboxes);
    const { DAY_SECONDS: daySeconds } = context.config;
    await beginPlanning(trx, campaign, before, { now, daySeconds });
    const { leadListIds: ids } = change;
    const changed = { ...campaign, ...newLeadColumns(change) };
    const skipped = ids ? await assignLists(trx, changed, { ids, now }) : NOBODY_SKIPPED;
    if (campaign.status === 'active' && isMoreThanLabels(change)) {
      await wakeCampaign(context, trx, { campaignId: id, because: 'settingsChanged' });
    }
    const after = await getUserCampaign({ db: trx }, userId, id);
    const leftOut = namesBeside(AUDITED_FIELDS.campaign, change);
    noteChange(difference(AUDITED_FIELDS.campaign, campaign, after, leftOut));
    return skipped;
  });
  return { ...(await getCampaign(context, userId, id)), ...skipped };
}

const isMoreThanLabels = (change: CampaignChange): boolean =>
  Object.entries(change).some(([field, value]) => value !== undefined && !LABELS.includes(field));

/** The row is locked: it is in this status when it is changed. */
function checkStatus({ status }: Campaign, change: CampaignChange, ifStatus: IfStatus): void {
  if (ifStatus && !ifStatus.includes(status)) {
    throw invalid('INVALID_STATE', `The campaign is ${status}, not ${ifStatus.join(' or ')}`);
  }
  if (status === 'cancelled' && isMoreThanLabels(change)) {
    const message = 'Of a cancelled campaign only name and archived can be changed';
    throw invalid('INVALID_STATE', message);
  }
  if (status === 'active' && change.archived) {
    const message = 'A campaign that is active cannot be archived: pause it first';
    throw invalid('INVALID_STATE', message);
  }
}

function addressColumns(campaign: Campaign, change: CampaignChange) {
  const { minValidationScore, riskyAddresses } = change;
  return {
    ...(minValidationScore !== undefined && { min_validation_score: minValidationScore }),
    ...(riskyAddresses && { held_addresses: heldKinds(riskyAddresses, campaign.held_addresses) }),
  };
}

/** What answers lead to. */
const answerColumns = (
  { stopCompanyOnReply, startsOn, autoWinner }: CampaignChange,
  campaign: Campaign,
  now: Date,
) => ({
  ...(stopCompanyOnReply !== undefined && { stop_company_on_reply: stopCompanyOnReply }),
  ...(startsOn !== undefined && startColumns(startsOn, now, campaign)),
  ...(autoWinner !== undefined && winnerColumn(autoWinner)),
});

async function changeCompanyStop(
  trx: Transaction<Database>,
  { id, stop_company_on_reply: before }: Campaign,
  { change: { stopCompanyOnReply: after = before }, now }: { change: CampaignChange; now: Date },
): Promise<void> {
  if (after === before) return;
  await (after ? noteEarlierReplies(trx, id, now) : forgetReplies(trx, id));
}

/** Only who waits for a window of their own can wait for one of before. */
function timesColumn(before: Campaign, after: Campaign, now: Date) {
  const isOfRecipient = before.use_recipient_timezone || after.use_recipient_timezone;
  const isSame = timesOf(before) === timesOf(after);
  return isOfRecipient && !isSame ? { times_changed_at: now } : {};
}

const timesOf = (row: Campaign): string => JSON.stringify(campaignWindowOf(row));

const newLeadColumns = ({
  maxNewLeadsPerDay,
  newLeadShare,
  onlyNeverContacted,
}: CampaignChange) => ({
  ...(maxNewLeadsPerDay !== undefined && { max_new_leads_per_day: maxNewLeadsPerDay }),
  ...(newLeadShare !== undefined && { new_lead_share: newLeadShare }),
  ...(onlyNeverContacted !== undefined && { only_never_contacted: onlyNeverContacted }),
});

/** Checks the settings as they are after the change. */
function checkTracking(campaign: Campaign, change: CampaignChange): void {
  const problems = trackingProblems({
    textOnly: change.textOnly ?? campaign.text_only,
    trackOpens: change.trackOpens ?? campaign.track_opens,
    trackClicks: change.trackClicks ?? campaign.track_clicks,
  });
  if (problems.length > 0) throw validationError(problems);
}

/** Choice 12: the row's times and the changed ones must fit together. */
function windowOf(campaign: Campaign, change: CampaignChange) {
  const startTime = change.startTime ?? campaign.start_time;
  const endTime = change.endTime ?? campaign.end_time;
  if (startTime === endTime) {
    throw validationError([{ field: 'endTime', message: 'endTime must differ from startTime' }]);
  }
  return {
    timezone: change.timezone ?? campaign.timezone,
    active_days: [...(change.activeDays ?? campaign.active_days)],
    start_time: startTime,
    end_time: endTime,
    use_recipient_timezone: change.useRecipientTimezone ?? campaign.use_recipient_timezone,
  };
}
