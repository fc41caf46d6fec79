/** Writes the delivery results of messages with their recipients, leads, counters and events. */
import { sql, type RawBuilder, type Transaction } from 'kysely';
import {
  dueNow,
  type DeliveryResult,
  type EndedSession,
} from '../domain/sending/delivery-results.ts';
import { quotedWords } from '../domain/sending/policy-refusals.ts';
import { amongRows } from '../db/among-rows.ts';
import { counterChanges, type Counted } from '../db/campaigns/campaign-counters.ts';
import { holdCampaign } from '../db/campaigns/campaigns.ts';
import { mayComeBack } from '../db/campaigns/stopped-recipients.ts';
import { mailboxOfAnswer } from '../db/campaigns/subsequence-starts.ts';
import { restartCorrected } from '../db/sending/corrected-addresses.ts';
import { deliveryEvent } from '../db/sending/outcome-events.ts';
import { listReacted, proveReacted } from '../db/sending/proven-messages.ts';
import { isHeld } from '../db/sending/send-progress.ts';
import { together } from '../db/round-trips.ts';
import { storableJson } from '../db/storable-json.ts';
import { eventInserts } from '../db/webhooks/events.ts';
import { leadMoves, suppressBounced } from './delivered-leads.ts';
import type { Database } from '../db/tables.ts';

export interface WrittenResults {
  /** With when their recipients are due. */
  written: DeliveryResult[];
  /** When the campaign last changed: it does not until the transaction ends. */
  changedAt: Date;
}

/**
 * Writes delivery results, with the recipients, leads, counters and events, in one transaction. Messages that
 * `claimedBy` no longer holds stay unchanged; the others are returned. Lock order: campaign, messages, recipients, leads,
 * counters.
 */
export async function writeDeliveryResults(
  trx: Transaction<Database>,
  session: EndedSession,
  ends: readonly DeliveryResult[],
): Promise<WrittenResults> {
  const [[campaign], rows] = await together(trx, [
    holdCampaign(trx, session.campaignId),
    endSends(session, ends),
  ]);
  if (!campaign) throw new Error('the campaign is gone');
  return { changedAt: campaign.updated_at, written: await moveOn(trx, session, { ends, rows }) };
}

async function moveOn(
  trx: Transaction<Database>,
  session: EndedSession,
  { ends, rows }: { ends: readonly DeliveryResult[]; rows: readonly EndedRow[] },
): Promise<DeliveryResult[]> {
  // When they had been claimed.
  const written = new Map(rows.map(({ id, claimed_at: at }) => [id, at]));
  const mine = ends.filter(({ sendId }) => written.has(sendId));
  if (mine.length === 0) return mine;
  const { campaignId } = session;
  const lost = mine.flatMap(({ state, sendId }) => (state === 'uncertain' ? [sendId] : []));
  const reacted = await listReacted(trx, lost);
  const bouncedBefore = await writeRecipients(trx, campaignId, mine, reacted);
  const bouncedNow = mine.filter(({ hasBounced }) => hasBounced);
  const bounced = bouncedNow.map(({ sendId }) => sendId);
  // What is taken back may have kept one from beginning anew.
  const cameBack = mine.filter(({ state, hasBounced }) => hasBounced || state === 'back');
  const leadIds = [...bouncedBefore, ...cameBack.map(({ leadId }) => leadId)];
  const { at } = mine[0]!;
  const again = new Set(await restartCorrected(trx, { campaignId, leadIds, now: at }));
  let leads = leadMoves(mine);
  if (bounced.length > 0 || reacted.size > 0) {
    await together(trx, leads);
    leads = [];
    await suppressBounced(trx, session, bounced);
  }
  const proven = await proveReacted(trx, [...reacted], at);
  const counted = mine.flatMap((end): Counted[] => {
    const send = { campaign_id: campaignId, step: end.step, variant: end.variant };
    if (end.state === 'sent') return [{ send, outcome: 'sent', by: 1 }];
    if (end.state === 'uncertain') {
      const outcome = proven.has(end.sendId) ? 'sent' : 'uncertain';
      return [{ send, outcome, by: 1, at: written.get(end.sendId)! }];
    }
    if (end.state !== 'refused') return [];
    const failed: Counted = { send, outcome: 'failed', by: 1 };
    if (end.isRejected) return [failed, { send, outcome: 'rejected', by: 1 }];
    return end.hasBounced ? [failed, { send, outcome: 'bounced', by: 1 }] : [failed];
  });
  const events = mine
    .filter(({ state, hasBounced, isRejected }) => state === 'sent' || hasBounced || isRejected)
    .map((end) => ({
      userId: session.userId,
      resource: `lead/${end.leadId}`,
      ...deliveryEvent(session, end),
    }));
  await together(trx, [...leads, ...counterChanges(at, counted), ...eventInserts(events)]);
  return mine.map((end) => (again.has(end.leadId) ? dueNow(end, at) : end));
}

/** A message deferred before stays so when it is released: its attempts keep counting. A report may have come already. */
const ENDED = sql`state = case item.state when 'back' then 'deferred' else item.state end,
  attempts = sends.attempts - case item.state when 'back' then 1 else 0 end,
  smtp_reply = case item.state when 'back' then sends.smtp_reply else item.reply end,
  subject = item.subject, sent_at = item.sent_at,
  bounced_at = coalesce(sends.bounced_at, item.bounced_at),
  rejected_at = coalesce(sends.rejected_at, item.rejected_at),
  rejection = coalesce(sends.rejection, item.rejection)`;

interface EndedRow {
  id: number;
  claimed_at: Date;
}

/** Answers the messages that were written. */
function endSends(
  { claimedBy }: EndedSession,
  ends: readonly DeliveryResult[],
): RawBuilder<EndedRow> {
  const rows = ends.map(({ sendId, state, reply, subject, at, hasBounced, isRejected }) => ({
    id: sendId,
    state,
    reply,
    subject,
    sent_at: state === 'sent' ? at : null,
    bounced_at: hasBounced ? at : null,
    rejected_at: isRejected ? at : null,
    rejection: isRejected ? quotedWords(reply) : null,
  }));
  const item = sql`jsonb_to_recordset(${storableJson(rows)}::jsonb) as item (id bigint, state text,
    reply text, subject text, sent_at timestamptz, bounced_at timestamptz,
    rejected_at timestamptz, rejection text)`;
  return sql`/*end-sends*/
    with item as (select * from ${item}), locked as (
      select sends.id from sends join item using (id)
      where ${amongRows('sends.id', 'item', 'id')}
        and ${isHeld(claimedBy, sql`('claimed', 'sending')`)}
      order by id for no key update of sends
    ), gone as (
      delete from sends using locked, item
      where sends.id = locked.id and item.id = locked.id and item.state = 'back'
        and ${amongRows('sends.id', 'locked', 'id')} and sends.attempts = 0
      returning sends.id, sends.claimed_at
    ), changed as (
      update sends set ${ENDED}
      from locked, item
      where sends.id = locked.id and item.id = locked.id
        and ${amongRows('sends.id', 'locked', 'id')}
        and (item.state <> 'back' or sends.attempts > 0)
      returning sends.id, sends.claimed_at
    )
    select * from gone union all select * from changed`;
}

/**
 * Recipients who have answered, bounced or unsubscribed meanwhile keep that state. A recipient who is away by
 * an automatic answer is not written to before the stated day, nor one whose answer is under review. One
 * paused or left out for their address during delivery stays so, with the date of the next message; a removed one
 * stays removed, one whose company has answered stays ended. Answers the leads that had bounced before.
 */
async function writeRecipients(
  trx: Transaction<Database>,
  campaignId: number,
  ends: readonly DeliveryResult[],
  reacted: ReadonlySet<number>,
): Promise<number[]> {
  const rows = ends.map(
    ({ sendId, leadId, step, state, recipient, isFree = state === 'back' }) => ({
      lead_id: leadId,
      step,
      // Goes on by `proveReacted`.
      is_proven: reacted.has(sendId),
      status: recipient.status,
      next_step: recipient.step,
      due_at: recipient.dueAt,
      hold_reason: recipient.holdReason,
      // Before the first message a recipient is not bound to a mailbox.
      is_free: isFree && step === 0,
    }),
  );
  const { rows: bounced } = await sql<{ lead_id: number }>`/*end-recipients*/
    with item as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as item (lead_id bigint,
        step integer, status text, next_step integer, due_at timestamptz, hold_reason text,
        is_free boolean, is_proven boolean)
    ), locked as (
      select recipients.lead_id, recipients.hold_reason is not distinct from 'auto_reply' as is_away,
        recipients.hold_reason is not distinct from 'needs_review' as is_held,
        recipients.status in ('removed', 'skipped') or ${mayComeBack} as is_over,
        ${mayComeBack} as is_left_out,
        recipients.status = 'paused' and item.due_at is not null as stays_paused
      from recipients join item using (lead_id)
      where campaign_id = ${campaignId} and recipients.step = item.step
        and ${amongRows('recipients.lead_id', 'item', 'lead_id')}
        and (recipients.status in ('queued', 'in_progress', 'paused', 'removed')
          or recipients.hold_reason = 'company_replied' or ${mayComeBack})
      order by recipients.lead_id for no key update of recipients
    ), moved as (
      update recipients set step = item.next_step,
        status = case when is_over or stays_paused then recipients.status else item.status end,
        due_at = case when is_over or stays_paused then null
          when item.due_at is null or not is_away then item.due_at
          else greatest(item.due_at, recipients.due_at) end,
        paused_due_at = case when is_left_out then coalesce(item.due_at, recipients.paused_due_at)
          when is_over then recipients.paused_due_at
          when not stays_paused then null when not is_away then item.due_at
          else greatest(item.due_at, recipients.paused_due_at) end,
        hold_reason = case when is_over then recipients.hold_reason
          when item.due_at is not null and (is_away or is_held)
          then recipients.hold_reason else item.hold_reason end,
        updated_at = clock_timestamp(),
        mailbox_id = case when item.is_free then ${mailboxOfAnswer} else recipients.mailbox_id end
      from locked, item
      where recipients.campaign_id = ${campaignId} and recipients.lead_id = locked.lead_id
        and item.lead_id = locked.lead_id and not item.is_proven
        and ${amongRows('recipients.lead_id', 'locked', 'lead_id')}
    )
    select lead_id from recipients
    where campaign_id = ${campaignId} and ${amongRows('lead_id', 'item', 'lead_id')}
      and status = 'bounced'`.execute(trx);
  return bounced.map(({ lead_id }) => lead_id);
}
