/** Recipients who were given up for their address, and have another one by now. Choices 17, 143. */
import { sql, type Transaction } from 'kysely';
import { ADDRESS_SKIPS } from '../../domain/campaigns/address-risk.ts';
import { isInDoubt } from '../campaigns/doubtful-recipients.ts';
import {
  hasAnsweredAgain,
  hasAnsweredBefore,
  isUndelivered,
} from '../campaigns/returning-recipients.ts';
import { isLeftOut } from '../campaigns/stopped-recipients.ts';
import { mailboxOfAnswer } from '../campaigns/subsequence-starts.ts';
import { isKeptLead } from '../leads/deleted-lists.ts';
import type { Database } from '../tables.ts';

/**
 * Restarts a lead at the first message in campaigns that gave up its old address, since it had bounced, got nothing or
 * was left out for it, where none of their messages went to the new one or was answered, and nothing forbids writing to
 * it, nor has a person in a subsequence answered again; in a completed campaign it waits for the next start. Who is
 * paused or removed stays so, and begins with the first message when they come back. The messages to the
 * old address get the lead id `-id`, like those of a deleted lead: only what the person wants who got one of them still
 * concerns this lead. All queries by the unique key of campaign, lead and step thereby skip them without a change; the
 * alternative, a version of the address, would be part of the unique index of the largest table and of each
 * of these queries. `former_lead_id` keeps the lead for that, and for an erasure. Returns the campaigns.
 */
export async function restartAtNewAddress(
  trx: Transaction<Database>,
  { leadId, emailKey, now }: { leadId: number; emailKey: string; now: Date },
  isMeant = sql`(${isGivenUp} or ${isLeftOut(ADDRESS_SKIPS)})`,
): Promise<{ id: number; isActive: boolean }[]> {
  const isOut = sql`recipients.status in ('paused', 'removed')`;
  const { rows } = await sql<{ id: number; isActive: boolean }>`
    with again as (
      select recipients.campaign_id, campaigns.status from recipients
      join campaigns on campaigns.id = recipients.campaign_id
      join leads on leads.id = recipients.lead_id
      where recipients.lead_id = ${leadId} and ${isMeant}
        and campaigns.status <> 'cancelled' and campaigns.deleted_at is null
        and leads.status not in ('suppressed', 'bounced', 'unsubscribed')
        and not exists (select from sends where sends.campaign_id = recipients.campaign_id
          and sends.email_key = ${emailKey} and sends.state <> 'deferred')
        and not exists (select from sends where sends.campaign_id = recipients.campaign_id
          and sends.lead_id = ${leadId} and (sends.state in ('claimed', 'sending')
            or sends.replied_at is not null))
        and not ${hasAnsweredBefore} and not ${hasAnsweredAgain}
      order by recipients.campaign_id for update of recipients
    ), old as (
      update sends set lead_id = -sends.id, former_lead_id = ${leadId} from again
      where sends.campaign_id = again.campaign_id and sends.lead_id = ${leadId}
    ), begun as (
      update recipients set step = 0, mailbox_id = ${mailboxOfAnswer}, updated_at = ${now},
        status = case when ${isOut} then recipients.status else 'queued' end,
        due_at = case when not ${isOut} then ${now}::timestamptz end,
        paused_due_at = case when recipients.status = 'paused' then ${now}::timestamptz end,
        hold_reason = case when recipients.status <> 'removed' and ${isInDoubt} then 'needs_review' end
      from again
      where recipients.campaign_id = again.campaign_id and recipients.lead_id = ${leadId}
    )
    select campaign_id as id, status = 'active' as "isActive" from again`.execute(trx);
  return rows;
}

/** For the address, and not for what the person has said. */
const isGivenUp = sql<boolean>`(recipients.status = 'bounced'
  or (recipients.status in ('in_progress', 'paused', 'removed') and ${isUndelivered}))`;

/**
 * The same for those of these leads whose message came back from the address that they had before: it was corrected
 * before that was known, or while another message to the old one was under way. To be called when a message has come
 * back, and when one is no longer under way. Without those whose list is being deleted: their rows are locked
 * while they are removed. Returns those that begin anew.
 */
export async function restartCorrected(
  trx: Transaction<Database>,
  { campaignId, leadIds, now }: { campaignId: number; leadIds: readonly number[]; now: Date },
): Promise<number[]> {
  if (leadIds.length === 0) return [];
  const { rows } = await sql<{ lead_id: number; email_key: string }>`
    select recipients.lead_id, leads.email_key from recipients
    join leads on leads.id = recipients.lead_id
    where recipients.campaign_id = ${campaignId} and ${isGivenUp} and ${isKeptLead()}
      and recipients.lead_id = any (${[...leadIds]}::bigint[]) and leads.email_key is not null
    order by recipients.lead_id for no key update of recipients`.execute(trx);
  const again: number[] = [];
  for (const { lead_id: leadId, email_key: emailKey } of rows) {
    const campaigns = await restartAtNewAddress(trx, { leadId, emailKey, now }, isGivenUp);
    if (campaigns.some(({ id }) => id === campaignId)) again.push(leadId);
  }
  return again;
}
