/** The result of each lead of a campaign, as a file. Choice 8. */
import type { Context } from '../../context.ts';
import { exportedResults, type SentToLead } from '../../db/campaigns/campaign-results.ts';
import { readMailboxStandings } from './campaign-mailboxes.ts';
import { viewOf, type CampaignLeadView } from './campaign-leads.ts';
import { getUserCampaign } from './campaigns.ts';
import { readNewLeadsAhead } from './new-leads.ts';

type Needs = Pick<Context, 'db' | 'clock' | 'config'>;

/** A lead as `GET /v1/campaigns/:id/leads` shows it, with the messages sent to it. */
export interface CampaignResult extends CampaignLeadView {
  sent: SentToLead | undefined;
  /** Address of the lead's mailbox; null before the first message, and where the mailbox is gone. */
  mailbox: string | null;
}

/**
 * 404 for a campaign that the user does not have. Campaign and mailboxes are read once, at the
 * beginning.
 */
export async function exportResults(
  context: Needs,
  userId: string,
  campaignId: number,
): Promise<AsyncGenerator<CampaignResult[]>> {
  const campaign = await getUserCampaign(context, userId, campaignId);
  const now = context.clock.now();
  const mailboxes = await readMailboxStandings(context, campaignId, now);
  const newLeads = await readNewLeadsAhead(context, campaign, { mailboxes, now });
  const emails = new Map(mailboxes.map(({ mailbox }) => [mailbox.mailbox_id, mailbox.email]));
  async function* pages(): AsyncGenerator<CampaignResult[]> {
    for await (const page of exportedResults(context.db, campaignId)) {
      yield page.map(({ lead, sent }) => ({
        ...viewOf(lead, { campaign, mailboxes, newLeads, now }),
        sent,
        mailbox: emails.get(lead.mailbox_id ?? 0) ?? null,
      }));
    }
  }
  return pages();
}
