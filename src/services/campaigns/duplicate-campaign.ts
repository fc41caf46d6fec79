/** Duplicates of campaigns. Spec: Campaigns; choice 8. */
import type { Context } from '../../context.ts';
import { noteChange } from '../../db/accounts/audit-log.ts';
import { commitOnce } from '../../db/accounts/request-effects.ts';
import { insertCampaign } from '../../db/campaigns/campaigns.ts';
import { ownMailboxIds } from '../../db/campaigns/campaign-settings.ts';
import { replaceSteps } from '../../db/campaigns/campaign-steps.ts';
import { winnerColumn } from './campaign-winners.ts';
import { assignMailboxes, getCampaign, type CampaignView } from './campaigns.ts';

/** A draft with the same messages, times and mailboxes and no leads. Choice 8. */
export async function duplicateCampaign(
  context: Pick<Context, 'db' | 'clock'>,
  userId: string,
  id: number,
): Promise<CampaignView> {
  const { campaign, steps, mailboxIds } = await getCampaign(context, userId, id);
  const copyId = await commitOnce(context.db, async (trx) => {
    const copy = await insertCampaign(trx, userId, {
      name: copyName(campaign.name),
      timezone: campaign.timezone,
      active_days: campaign.active_days,
      start_time: campaign.start_time,
      end_time: campaign.end_time,
      max_followups: campaign.max_followups,
      followup_delay_days: campaign.followup_delay_days,
      track_opens: campaign.track_opens,
      track_clicks: campaign.track_clicks,
      text_only: campaign.text_only,
      language: campaign.language,
      min_validation_score: campaign.min_validation_score,
      held_addresses: campaign.held_addresses,
      max_new_leads_per_day: campaign.max_new_leads_per_day,
      new_lead_share: campaign.new_lead_share,
      tracking_domain_id: campaign.tracking_domain_id,
      use_recipient_timezone: campaign.use_recipient_timezone,
      only_never_contacted: campaign.only_never_contacted,
      stop_company_on_reply: campaign.stop_company_on_reply,
      starts_on_interests: campaign.starts_on_interests,
      starts_on_campaign_id: campaign.starts_on_campaign_id,
      starts_after_days: campaign.starts_after_days,
      starts_since: campaign.starts_on_interests && context.clock.now(),
      ...winnerColumn(campaign.auto_winner),
    });
    noteChange({ after: { copyId: copy.id, name: copy.name } });
    // Nothing of it was sent: its statistics by text start at zero.
    await replaceSteps(
      trx,
      copy.id,
      steps.map((step) => ({ ...step, numbers: undefined })),
    );
    // A mailbox that was deleted meanwhile is left out.
    const live = await ownMailboxIds(trx, userId, mailboxIds);
    await assignMailboxes(trx, copy, [...live]);
    return copy.id;
  });
  return getCampaign(context, userId, copyId);
}

const MAX_NAME = 255;
const copyName = (name: string) => `${name.slice(0, MAX_NAME - ' (copy)'.length)} (copy)`;
