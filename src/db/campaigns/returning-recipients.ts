/** What a lead that comes back to its campaign goes on with: what came meanwhile counts. Choices 65, 142. */
import { sql, type RawBuilder } from 'kysely';
import { isInDoubt } from './doubtful-recipients.ts';
import { personOf } from './subsequence-starts.ts';

/** Who entered a subsequence by an answer has given another one since, to whatever campaign: it ends what began. */
export const hasAnsweredAgain = sql`exists (select from subsequence_starts as start
  left join messages as first on first.id = start.message_id
  cross join lateral (${personOf(sql.ref('start.lead_id'))}) as person
  join messages as later on later.lead_id = any (person.ids) and later.direction = 'inbound' and later.kind = 'reply'
  where start.campaign_id = recipients.campaign_id and start.lead_id = recipients.lead_id and start.status = 'started'
    and (later.received_at, later.id) > (coalesce(first.received_at, start.updated_at), coalesce(first.id, 0)))`;

/** While the lead was out, the outcome of its messages was recorded in `sends` only. */
const hasCome = (column: 'replied_at' | 'rejected_at') => sql`exists (select from sends
  where sends.campaign_id = recipients.campaign_id and sends.lead_id = recipients.lead_id
    and ${sql.ref(`sends.${column}`)} is not null)`;

/** To a message at an address that the lead had before. */
export const hasAnsweredBefore = sql`exists (select from sends
  where sends.campaign_id = recipients.campaign_id and sends.former_lead_id = recipients.lead_id
    and sends.replied_at is not null and sends.bounced_at is null and sends.expired_at is null
    and sends.rejected_at is null)`;

const hasAnswered = sql`(${hasCome('replied_at')} or ${hasAnsweredBefore} or ${hasAnsweredAgain})`;

/** Nobody got the last message: a follow-up would speak of it. */
export const isUndelivered = sql`(recipients.hold_reason is not distinct from 'undelivered'
  or exists (select from sends where sends.campaign_id = recipients.campaign_id
    and sends.lead_id = recipients.lead_id and sends.step = recipients.step - 1
    and coalesce(sends.bounced_at, sends.expired_at) is not null))`;

const isAway = (dueAt: RawBuilder<unknown>) => sql`(
  recipients.hold_reason is not distinct from 'auto_reply' and recipients.paused_due_at > ${dueAt})`;

/** The columns to set of `recipients`; `dueAt`: where nothing came meanwhile. */
export const returning = ({
  dueAt,
  at,
}: {
  dueAt: RawBuilder<unknown>;
  at: RawBuilder<unknown>;
}) => sql`
  status = case when ${hasAnswered} then 'replied'
    when ${hasCome('rejected_at')} then 'failed'
    when ${isUndelivered} then 'paused'
    when recipients.step = 0 then 'queued' else 'in_progress' end,
  due_at = case when ${hasAnswered} or ${hasCome('rejected_at')} or ${isUndelivered} then null
    when ${isAway(dueAt)} then recipients.paused_due_at else ${dueAt} end,
  paused_due_at = case when ${hasAnswered} or ${hasCome('rejected_at')} then null
    when ${isUndelivered} then ${dueAt} end,
  hold_reason = case when ${hasAnswered} then null
    when ${hasCome('rejected_at')} then 'policy_rejection'
    when ${isInDoubt} then 'needs_review'
    when ${isUndelivered} then 'undelivered'
    when ${isAway(dueAt)} then 'auto_reply' end,
  updated_at = ${at}`;
