/** Recipients whose address was corrected after a message had come back. Choice 17. */
import { sql, type Transaction } from 'kysely';
import type { Database } from '../tables.ts';

/**
 * Queues a lead from the first message on in running campaigns that it has bounced in, where none of
 * their messages went to the new address or was answered, and nothing forbids to write to it. The messages to the old
 * address stay as those of a lead that is gone: what comes of them is no longer about this one.
 * Answers the campaigns that are active.
 */
export async function queueBouncedAgain(
  trx: Transaction<Database>,
  { leadId, emailKey, now }: { leadId: number; emailKey: string; now: Date },
): Promise<number[]> {
  const { rows } = await sql<{ campaign_id: number; status: string }>`
    with again as (
      select recipients.campaign_id, campaigns.status from recipients
      join campaigns on campaigns.id = recipients.campaign_id
      join leads on leads.id = recipients.lead_id
      where recipients.lead_id = ${leadId} and recipients.status = 'bounced'
        and campaigns.status in ('active', 'paused')
        and leads.status not in ('suppressed', 'bounced', 'unsubscribed')
        and not exists (select from sends where sends.campaign_id = recipients.campaign_id
          and sends.email_key = ${emailKey} and sends.state <> 'deferred')
        and not exists (select from sends where sends.campaign_id = recipients.campaign_id
          and sends.lead_id = ${leadId} and (sends.state in ('claimed', 'sending')
            or sends.replied_at is not null))
      order by recipients.campaign_id for update of recipients
    ), old as (
      update sends set lead_id = -sends.id from again
      where sends.campaign_id = again.campaign_id and sends.lead_id = ${leadId}
    ), queued as (
      update recipients set status = 'queued', step = 0, due_at = ${now}, mailbox_id = null,
        hold_reason = null, updated_at = ${now}
      from again
      where recipients.campaign_id = again.campaign_id and recipients.lead_id = ${leadId}
    )
    select campaign_id, status from again`.execute(trx);
  return rows.filter(({ status }) => status === 'active').map((row) => row.campaign_id);
}
