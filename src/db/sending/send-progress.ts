/** Claimed messages: in delivery, or left behind by a session that died. */
import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely';
import { amongRows } from '../among-rows.ts';
import { addToCounters } from '../campaigns/campaign-counters.ts';
import { hasCompanyReplied } from '../campaigns/company-replies.ts';
import { mailboxOfAnswer } from '../campaigns/subsequence-starts.ts';
import { isKeptLead } from '../leads/deleted-lists.ts';
import { restartCorrected } from './corrected-addresses.ts';
import { hasReacted, proveReacted } from './proven-messages.ts';
import { samePlan } from '../same-plan.ts';
import { keptTexts, type SendText } from './send-texts.ts';
import type { Database } from '../tables.ts';

/**
 * Moves claims to `sending`, right before the first byte of their texts. Only those that `claimedBy` still
 * holds, of an active campaign, to a recipient who may be written to and who since the claim has neither
 * answered, not even automatically (a claim clears such a hold), nor got another address, and whose company has not
 * answered where that ends it: the others stay claimed and must not be sent. This fence guarantees that a message is sent at most once. The text is stored
 * in the same statement, so that it is known for every message that may have arrived.
 */
export async function beginMessages(
  db: Kysely<Database>,
  claimedBy: string,
  texts: readonly SendText[],
): Promise<Set<number>> {
  const sendIds = samePlan(
    texts.map(({ sendId }) => sendId),
    'bigint[]',
  );
  const isClaimed = isHeld(claimedBy, sql`('claimed')`);
  const { rows } = await sql<{ id: number }>`/*begin-messages*/
    with locked as (
      select id from sends where id = any (${sendIds}) and ${isClaimed}
      order by id for no key update
    ), begun as (
      update sends set state = 'sending'
      from locked, campaigns, leads, recipients
      where sends.id = locked.id and ${amongRows('sends.id', 'locked', 'id')} and ${isClaimed}
        and campaigns.id = sends.campaign_id and campaigns.status = 'active'
        and recipients.campaign_id = sends.campaign_id and recipients.lead_id = sends.lead_id
        and recipients.step = sends.step and recipients.status in ('queued', 'in_progress')
        and (recipients.hold_reason is null
          or recipients.hold_reason not in ('auto_reply', 'needs_review'))
        and leads.id = sends.lead_id and leads.email_key is not distinct from sends.email_key
        and leads.status not in ('suppressed', 'unsubscribed', 'bounced')
        and not is_suppressed(sends.user_id, leads.email_key)
        and ${isKeptLead()}
        and not ${hasCompanyReplied('sends', 'leads.company_id')}
      returning sends.id
    ), kept as (${keptTexts(texts)})
    select id from begun`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/**
 * Checked of messages that are looked up by their ids: `is true` keeps Postgres from the index of open messages, which has two
 * dead entries of each message that was sent since the last vacuum, and from reading all of them. Choice 206.
 */
export const isHeld = (claimedBy: string, states: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`sends.claimed_by = ${claimedBy} and (sends.state in ${states}) is true`;

interface Lost {
  id: number;
  lead_id: number;
  step: number;
  variant: number;
  claimed_at: Date;
}

/**
 * Recovers the messages of a session that died: claims are released; a message in delivery may have arrived
 * and is never sent again. With `exceptBy`, the messages of that attempt are its own; null when no session is
 * left.
 */
export async function recoverMessages(
  trx: Transaction<Database>,
  { campaignId, exceptBy, now }: { campaignId: number; exceptBy: string | null; now: Date },
): Promise<{ back: number; uncertain: number }> {
  const abandoned = sql`campaign_id = ${campaignId} and claimed_by is distinct from ${exceptBy}::uuid`;
  // In the order in which all lock messages: the session that was taken for dead may still work on them.
  await sql`
    select id from sends where ${abandoned} and state in ('claimed', 'sending')
    order by id for update`.execute(trx);
  const { rows: back } = await sql<{ lead_id: number; is_moved: boolean }>`
    with put_off as (
      update sends set state = 'deferred', attempts = attempts - 1
      where ${abandoned} and state = 'claimed' and attempts > 0 returning lead_id, step
    ), unused as (
      delete from sends where ${abandoned} and state = 'claimed' and attempts = 0
      returning lead_id, step
    ), gone as (
      select *, true as is_free from unused union all select *, false from put_off
    ), moved as (
      update recipients set updated_at = ${now},
        due_at = case when hold_reason = 'auto_reply' then due_at else ${now}::timestamptz end,
        mailbox_id = case when gone.step = 0 and is_free then ${mailboxOfAnswer} else recipients.mailbox_id end
      from gone
      where recipients.campaign_id = ${campaignId} and recipients.lead_id = gone.lead_id
        and recipients.due_at is not null
      returning recipients.lead_id
    )
    select gone.lead_id, moved.lead_id is not null as is_moved
    from gone left join moved using (lead_id)`.execute(trx);
  const { rows } = await sql<Lost>`
    with lost as (
      update sends set state = 'uncertain' where ${abandoned} and state = 'sending'
      returning id, lead_id, step, variant, claimed_at, ${hasReacted} as has_reacted
    ), failed as (
      update recipients set status = 'failed', due_at = null, hold_reason = 'delivery_uncertain',
        updated_at = ${now}
      from lost
      where recipients.campaign_id = ${campaignId} and recipients.lead_id = lost.lead_id
        and not lost.has_reacted
        and recipients.status in ('queued', 'in_progress', 'paused')
    )
    select id, lead_id, step, variant, claimed_at from lost`.execute(trx);
  const leadIds = [...back, ...rows].map(({ lead_id }) => lead_id);
  await restartCorrected(trx, { campaignId, leadIds, now });
  const sendIds = rows.map(({ id }) => id);
  const proven = await proveReacted(trx, sendIds, now);
  const counted = rows.map(({ id, step, variant, claimed_at: at }) => ({
    send: { campaign_id: campaignId, step, variant },
    outcome: proven.has(id) ? ('sent' as const) : ('uncertain' as const),
    by: 1,
    at,
  }));
  await addToCounters(trx, now, counted);
  const uncertain = rows.length - proven.size;
  return { back: back.filter(({ is_moved }) => is_moved).length, uncertain };
}
