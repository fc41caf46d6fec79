/** What a lead that is put back into its campaign goes on with: what came meanwhile counts. Choices 65, 142. */
import { sql } from 'kysely';
import { isInDoubt } from './doubtful-recipients.ts';

/** While the lead was removed, the outcome of its messages was recorded in `sends` only. */
const hasCome = (column: 'replied_at' | 'rejected_at') => sql`exists (select from sends
  where sends.campaign_id = recipients.campaign_id and sends.lead_id = recipients.lead_id
    and ${sql.ref(`sends.${column}`)} is not null)`;

/** Nobody got the last message: a follow-up would speak of it. */
const isUndelivered = sql`(recipients.hold_reason is not distinct from 'undelivered'
  or exists (select from sends where sends.campaign_id = recipients.campaign_id
    and sends.lead_id = recipients.lead_id and sends.step = recipients.step - 1
    and sends.bounced_at is not null))`;

const isAway = sql`(recipients.hold_reason is not distinct from 'auto_reply'
  and recipients.paused_due_at > excluded.due_at)`;

/** The columns to set when an insert into `recipients` meets one that may come back. */
export const returning = sql`
  status = case when ${hasCome('replied_at')} then 'replied'
    when ${hasCome('rejected_at')} then 'failed'
    when ${isUndelivered} then 'paused'
    when recipients.step = 0 then 'queued' else 'in_progress' end,
  due_at = case when ${hasCome('replied_at')} or ${hasCome('rejected_at')} or ${isUndelivered} then null
    when ${isAway} then recipients.paused_due_at else excluded.due_at end,
  paused_due_at = case when ${hasCome('replied_at')} or ${hasCome('rejected_at')} then null
    when ${isUndelivered} then excluded.due_at end,
  hold_reason = case when ${hasCome('replied_at')} then null
    when ${hasCome('rejected_at')} then 'policy_rejection'
    when ${isInDoubt} then 'needs_review'
    when ${isUndelivered} then 'undelivered'
    when ${isAway} then 'auto_reply' end,
  updated_at = excluded.updated_at`;
