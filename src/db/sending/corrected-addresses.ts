/** Recipients who were given up for their address, and have another one by now. Choices 17, 143. */
import { sql, type Transaction } from 'kysely';
import { isInDoubt } from '../campaigns/doubtful-recipients.ts';
import { hasAnsweredAgain } from '../campaigns/returning-recipients.ts';
import { mailboxOfAnswer } from '../campaigns/subsequence-starts.ts';
import type { Database } from '../tables.ts';

/**
 * Restarts a lead at the first message in campaigns that gave up its old address, since it had bounced, was
 * suppressed or invalid, where none of their messages went to the new one or was answered, and nothing forbids
 * writing to it, nor has a person in a subsequence answered again; in a completed campaign it waits for the next start. The messages to the
 * old address get the lead id `-id`, like those of a deleted lead: their outcomes no longer concern this
 * lead. All queries by the unique key of campaign, lead and step thereby skip them without a change; the
 * alternative, a version of the address, would be part of the unique index of the largest table and of each
 * of these queries. `former_lead_id` keeps the lead for an erasure. Returns the active campaigns.
 */
export async function restartAtNewAddress(
  trx: Transaction<Database>,
  { leadId, emailKey, now }: { leadId: number; emailKey: string; now: Date },
): Promise<number[]> {
  const { rows } = await sql<{ campaign_id: number; status: string }>`
    with again as (
      select recipients.campaign_id, campaigns.status from recipients
      join campaigns on campaigns.id = recipients.campaign_id
      join leads on leads.id = recipients.lead_id
      where recipients.lead_id = ${leadId} and ${isGivenUp}
        and campaigns.status in ('active', 'paused', 'completed') and campaigns.deleted_at is null
        and leads.status not in ('suppressed', 'bounced', 'unsubscribed')
        and not exists (select from sends where sends.campaign_id = recipients.campaign_id
          and sends.email_key = ${emailKey} and sends.state <> 'deferred')
        and not exists (select from sends where sends.campaign_id = recipients.campaign_id
          and sends.lead_id = ${leadId} and (sends.state in ('claimed', 'sending')
            or sends.replied_at is not null))
        and not ${hasAnsweredAgain}
      order by recipients.campaign_id for update of recipients
    ), old as (
      update sends set lead_id = -sends.id, former_lead_id = ${leadId} from again
      where sends.campaign_id = again.campaign_id and sends.lead_id = ${leadId}
    ), queued as (
      update recipients set status = 'queued', step = 0, due_at = ${now}, paused_due_at = null,
        hold_reason = case when ${isInDoubt} then 'needs_review' end,
        mailbox_id = ${mailboxOfAnswer}, updated_at = ${now}
      from again
      where recipients.campaign_id = again.campaign_id and recipients.lead_id = ${leadId}
    )
    select campaign_id, status from again`.execute(trx);
  return rows.filter(({ status }) => status === 'active').map((row) => row.campaign_id);
}

/** For the address, and not for what the person has said. */
const isGivenUp = sql`(recipients.status = 'bounced'
  or (recipients.status = 'skipped' and recipients.hold_reason in ('suppressed', 'invalid_email')))`;

/**
 * The same for those of these leads that have bounced in the campaign, and whose address was corrected before the
 * bounce was known, or while another message to the old one was under way. To be called when a recipient is marked
 * as bounced, and when a message of one is no longer under way.
 */
export async function restartCorrected(
  trx: Transaction<Database>,
  { campaignId, leadIds, now }: { campaignId: number; leadIds: readonly number[]; now: Date },
): Promise<void> {
  if (leadIds.length === 0) return;
  const { rows } = await sql<{ lead_id: number; email_key: string }>`
    select recipients.lead_id, leads.email_key from recipients
    join leads on leads.id = recipients.lead_id
    where recipients.campaign_id = ${campaignId} and recipients.status = 'bounced'
      and recipients.lead_id = any (${[...leadIds]}::bigint[]) and leads.email_key is not null
    order by recipients.lead_id for no key update of recipients`.execute(trx);
  for (const { lead_id: leadId, email_key: emailKey } of rows) {
    await restartAtNewAddress(trx, { leadId, emailKey, now });
  }
}
