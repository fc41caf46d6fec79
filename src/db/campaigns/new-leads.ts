/** The new leads that a campaign may still write to today. Choice 66. */
import { sql, type Kysely, type Transaction } from 'kysely';
import { campaignDay, newLeadLimit } from '../../domain/campaigns/new-leads.ts';
import type { Campaign } from './campaigns.ts';
import type { DueRecipient } from '../sending/due-recipients.ts';
import type { Dropped } from './recipient-drops.ts';
import type { Database } from '../tables.ts';

/** How a campaign stands with its new leads on one of its days. */
export interface NewLeadQuota {
  /** Infinity: any number. */
  limit: number;
  /** Those who were written to today, or are just now. */
  today: number;
  dayFrom: Date;
  /** When the next day begins. */
  nextDayAt: Date;
}

interface Asked {
  campaign: Pick<Campaign, 'id' | 'timezone' | 'max_new_leads_per_day' | 'new_lead_share'>;
  /** Messages that its mailboxes may send a day (`capacityOf`). */
  capacity: number;
  now: Date;
  /** How long a day of sending lasts. */
  daySeconds: number;
}

/**
 * Counted from the messages themselves: what is taken back, or lost with a worker, counts no more, nor does
 * one that was put off while its lead is paused, has ended or waits for the next day's places.
 */
export async function readNewLeadQuota(
  db: Kysely<Database>,
  { campaign, capacity, now, daySeconds }: Asked,
): Promise<NewLeadQuota> {
  const { from: dayFrom, until: nextDayAt } = campaignDay(campaign.timezone, now, daySeconds);
  // By the index of each mailbox: as many rows as they have sent since midnight.
  const { rows } = await sql<{ today: number }>`
    select count(*)::integer as today from campaign_mailboxes as mine
    join sends on sends.mailbox_id = mine.mailbox_id and sends.claimed_at >= ${dayFrom}
      and sends.campaign_id = mine.campaign_id and sends.step = 0
    where mine.campaign_id = ${campaign.id} and (sends.state <> 'deferred' or exists (
      select from recipients where recipients.campaign_id = sends.campaign_id
        and recipients.lead_id = sends.lead_id and due_at is not null
        and hold_reason is distinct from 'new_lead_limit'))`.execute(db);
  const limit = newLeadLimit(campaign, capacity);
  return { limit, today: rows[0]!.today, dayFrom, nextDayAt };
}

/** Undefined: the campaign has no limit. */
export async function findNewLeadQuota(
  db: Kysely<Database>,
  asked: Asked,
): Promise<NewLeadQuota | undefined> {
  const { max_new_leads_per_day: max, new_lead_share: share } = asked.campaign;
  return max === null && share === null ? undefined : readNewLeadQuota(db, asked);
}

/**
 * The same for a claim: claims of one campaign take turns at it from here on, or two of them would give
 * the last place twice. Undefined: the campaign has no limit, and nobody waits. Lock order: after the
 * mailboxes, before the recipients.
 */
export async function lockNewLeadQuota(
  trx: Transaction<Database>,
  asked: Asked,
): Promise<NewLeadQuota | undefined> {
  const { id, max_new_leads_per_day: max, new_lead_share: share } = asked.campaign;
  if (max === null && share === null) return undefined;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`new leads ${id}`}, 6048))`.execute(
    trx,
  );
  return readNewLeadQuota(trx, asked);
}

export const placesLeft = (quota: NewLeadQuota | undefined): number =>
  quota === undefined ? Infinity : Math.max(0, quota.limit - quota.today);

/**
 * Those who go on, and as many new ones as there are places; the others stay due. One that was put off on
 * a day before takes a place of the day on which it is tried again, or waits for the next one: bound to
 * its mailbox, it would stand in the way of the follow-ups there. So does one of today whose place was
 * given away while its lead was paused.
 */
export function withinNewLeadQuota(
  quota: NewLeadQuota | undefined,
  recipients: readonly DueRecipient[],
  dropped: Dropped[],
): readonly DueRecipient[] {
  if (quota === undefined) return recipients;
  let left = placesLeft(quota);
  let tooMany = Math.max(0, quota.today - quota.limit);
  return recipients.filter(({ leadId, step, mailboxId, triedAt }) => {
    if (step > 0) return true;
    if (triedAt !== null && triedAt >= quota.dayFrom) {
      tooMany -= 1;
      if (tooMany < 0) return true;
    } else {
      left -= 1;
      if (left >= 0) return true;
    }
    if (mailboxId !== null) {
      const holdReason = 'new_lead_limit';
      dropped.push({ leadId, status: null, holdReason, dueAt: quota.nextDayAt });
    }
    return false;
  });
}
