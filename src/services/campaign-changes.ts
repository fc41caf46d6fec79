/** Changing a campaign, also while it sends. Choice 8. */
import type { Transaction } from 'kysely';
import type { Context } from '../context.ts';
import { updateCampaign, type Campaign } from '../db/campaigns.ts';
import { listSentPositions, listSteps, loadSequence, replaceSteps } from '../db/campaign-steps.ts';
import { takeUpHeldAddresses } from '../db/held-addresses.ts';
import { replanFollowups } from '../db/follow-up-plans.ts';
import type { Database } from '../db/tables.ts';
import { heldKinds } from '../domain/address-risk.ts';
import {
  changedPositions,
  copyProblems,
  stepsOf,
  trackingProblems,
  type WrittenCopy,
} from '../domain/campaign-copy.ts';
import type { WrittenStep } from '../domain/campaigns.ts';
import { invalid, validationError } from '../domain/errors.ts';
import {
  assignMailboxes,
  getCampaign,
  lockOwnCampaign,
  type CampaignOrder,
  type EnrolledView,
} from './campaigns.ts';
import { assignLists, NOBODY_SKIPPED } from './campaign-lists.ts';
import { wakeCampaign } from './campaign-wakes.ts';

export type CampaignChange = {
  [Field in keyof CampaignOrder]?: CampaignOrder[Field] | undefined;
} & { archived?: boolean | undefined };

type Needs = Pick<Context, 'db' | 'clock' | 'config' | 'temporal'>;

/** What a cancelled campaign may still change. */
const LABELS: readonly string[] = ['name', 'archived'];

/**
 * Fields that are not given stay. Times, mailboxes and follow-ups to come take effect within
 * seconds, also for who waits for one; the text of a letter that somebody got already stays as it is.
 */
export async function changeCampaign(
  context: Needs,
  { userId, id }: { userId: string; id: number },
  change: CampaignChange,
): Promise<EnrolledView> {
  const skipped = await context.db.transaction().execute(async (trx) => {
    const campaign = await lockOwnCampaign(trx, userId, id);
    const fields = Object.entries(change).filter(([, value]) => value !== undefined);
    const isMoreThanLabels = fields.some(([field]) => !LABELS.includes(field));
    if (campaign.status === 'cancelled' && isMoreThanLabels) {
      throw invalid(
        'INVALID_STATE',
        'Of a cancelled campaign only name and archived can be changed',
      );
    }
    if (campaign.status === 'active' && change.archived) {
      throw invalid(
        'INVALID_STATE',
        'A campaign that is active cannot be archived: pause it first',
      );
    }
    const window = windowOf(campaign, change);
    checkTracking(campaign, change);
    const before = await loadSequence(trx, id);
    await changeCopy(trx, campaign, change);
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
      ...(change.textOnly !== undefined && { text_only: change.textOnly }),
      ...(change.language !== undefined && { language: change.language }),
      ...addressColumns(campaign, change),
    });
    if (change.minValidationScore !== undefined || change.riskyAddresses) {
      await takeUpHeldAddresses(trx, id);
    }
    if (change.assignedMailboxes) await assignMailboxes(trx, campaign, change.assignedMailboxes);
    const now = context.clock.now();
    const { DAY_SECONDS: daySeconds } = context.config;
    await replanFollowups(trx, { campaignId: id, now, daySeconds, before });
    const { leadListIds: ids } = change;
    const skipped = ids ? await assignLists(trx, campaign, { ids, now }) : NOBODY_SKIPPED;
    if (campaign.status === 'active' && isMoreThanLabels) {
      await wakeCampaign(context, trx, { campaignId: id, because: 'settingsChanged' });
    }
    return skipped;
  });
  return { ...(await getCampaign(context, userId, id)), ...skipped };
}

function addressColumns(campaign: Campaign, change: CampaignChange) {
  const { minValidationScore, riskyAddresses } = change;
  return {
    ...(minValidationScore !== undefined && { min_validation_score: minValidationScore }),
    ...(riskyAddresses && { held_addresses: heldKinds(riskyAddresses, campaign.held_addresses) }),
  };
}

/** As they are after the change. */
function checkTracking(campaign: Campaign, change: CampaignChange): void {
  const problems = trackingProblems({
    textOnly: change.textOnly ?? campaign.text_only,
    trackOpens: change.trackOpens ?? campaign.track_opens,
    trackClicks: change.trackClicks ?? campaign.track_clicks,
  });
  if (problems.length > 0) throw validationError(problems);
}

/** Choice 12: the times of the row and of the change have to fit each other. */
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
  };
}

async function changeCopy(
  trx: Transaction<Database>,
  campaign: Campaign,
  change: CampaignChange,
): Promise<void> {
  const known = (await listSteps(trx, [campaign.id])).get(campaign.id)!;
  const copy = copyOf(known, change);
  const problems = copyProblems(copy);
  if (problems.length > 0) throw validationError(problems);
  const steps = stepsOf(copy);
  const sent = await listSentPositions(trx, campaign.id);
  const refused = changedPositions(known, steps).filter((position) => sent.has(position));
  if (refused.length > 0) {
    throw invalid(
      'INVALID_STATE',
      'A letter that was sent already cannot be changed; duplicate the campaign instead',
      refused.map((position) => ({
        field: position === 0 ? 'bodyTemplate' : `steps[${position - 1}]`,
        message: position === 0 ? 'The first letter was sent' : `Follow-up ${position} was sent`,
      })),
    );
  }
  await replaceSteps(trx, campaign.id, steps);
}

/** The row as a client would have written it, with the change over it. */
function copyOf(known: readonly WrittenStep[], change: CampaignChange): WrittenCopy {
  const [first, ...followups] = known;
  return {
    subjectTemplate: change.subjectTemplate ?? first!.subjectTemplate ?? '',
    bodyTemplate: change.bodyTemplate ?? first!.bodyTemplate,
    variants: change.variants ?? first!.variants,
    steps:
      change.steps ??
      followups.map((step) => ({
        order: step.position,
        delayDays: step.delayDays ?? undefined,
        subjectTemplate: step.subjectTemplate ?? undefined,
        bodyTemplate: step.bodyTemplate,
        variants: step.variants,
      })),
  };
}
