/** When follow-ups are due after the sequence of a campaign was changed. Choice 8. */
import { sql, type Transaction } from 'kysely';
import type { CampaignStep } from '../../domain/campaigns/campaigns.ts';
import { sendingDaysMs } from '../../domain/sending/sending-time.ts';
import { loadSequence } from './campaign-steps.ts';
import type { Database } from '../tables.ts';

export interface Replanned {
  campaignId: number;
  now: Date;
  daySeconds: number;
  /** Those whose delay has changed; absent: all. */
  positions?: readonly number[] | undefined;
  leads: readonly number[] | LeadRange;
}

/** Leads with ids above the one and up to the other. */
export interface LeadRange {
  after: number;
  to: number;
}

/** What a change of the sequence means for those who wait: undefined where nothing. */
export function changedDelays(
  before: readonly CampaignStep[],
  after: readonly CampaignStep[],
): number[] | undefined {
  const changed = after.filter(
    ({ position, delayDays }) => position > 0 && before[position]?.delayDays !== delayDays,
  );
  if (changed.length === 0 && before.length <= after.length) return undefined;
  return changed.map(({ position }) => position);
}

/**
 * Completes recipients who have had their last message, and gives the others the date of the new delay,
 * counted from their last message. A message in delivery, or deferred by its server, keeps its time; a
 * recipient who is away by an automatic answer is never written to earlier. A paused recipient gets the date
 * for when they are resumed. One statement for any number. The caller holds the campaign's lock, or these
 * recipients: none of them is claimed meanwhile.
 */
export async function replanFollowups(
  trx: Transaction<Database>,
  { campaignId, now, daySeconds, positions, leads }: Replanned,
): Promise<void> {
  const sequence = await loadSequence(trx, campaignId);
  const changed = sequence.filter(
    ({ position }) => position > 0 && (positions?.includes(position) ?? true),
  );
  const isAmong =
    'after' in leads
      ? sql`lead_id > ${leads.after} and lead_id <= ${leads.to}`
      : sql`lead_id = any (${[...leads]}::bigint[])`;
  const delays = changed.map(({ position, delayDays }) => ({
    position,
    ms: sendingDaysMs(delayDays, daySeconds),
  }));
  await sql`
    with delays as (
      select * from jsonb_to_recordset(${JSON.stringify(delays)}::jsonb)
        as delays (position integer, ms double precision)
    ), locked as (
      select lead_id, step from recipients
      where campaign_id = ${campaignId} and (due_at is not null or status = 'paused') and step > 0
        and (step >= ${sequence.length} or step in (select position from delays))
        and ${isAmong}
        and not exists (select from sends where sends.campaign_id = ${campaignId}
          and sends.lead_id = recipients.lead_id and sends.step = recipients.step)
      order by lead_id for no key update of recipients
    ), planned as (
      select locked.lead_id, locked.step,
        case when locked.step < ${sequence.length}
          then last.sent_at + delays.ms * interval '1 millisecond' end as due_at
      from locked
      left join delays on delays.position = locked.step
      left join sends as last on last.campaign_id = ${campaignId}
        and last.lead_id = locked.lead_id and last.step = locked.step - 1
    )
    update recipients set updated_at = ${now},
      status = case when planned.due_at is null then 'completed' else recipients.status end,
      due_at = case when recipients.status = 'paused' then null
        when planned.due_at is not null and recipients.hold_reason = 'auto_reply'
        then greatest(recipients.due_at, planned.due_at) else planned.due_at end,
      paused_due_at = case when recipients.status <> 'paused' then null
        when planned.due_at is not null and recipients.hold_reason = 'auto_reply'
        then greatest(recipients.paused_due_at, planned.due_at) else planned.due_at end,
      hold_reason = case when planned.due_at is not null
        and recipients.hold_reason in ('auto_reply', 'soft_bounce', 'needs_review', 'undelivered')
        then recipients.hold_reason end
    from planned
    where recipients.campaign_id = ${campaignId} and recipients.lead_id = planned.lead_id
      and recipients.step = planned.step
      and (recipients.due_at is not null or recipients.status = 'paused')
      and (planned.due_at is not null or planned.step >= ${sequence.length})
      and coalesce(recipients.due_at, recipients.paused_due_at) is distinct from planned.due_at`.execute(
    trx,
  );
}
