/** The new leads that a campaign may still write to today. Choice 66. */
import { sql, type Kysely, type Transaction } from 'kysely';
import { campaignDay, newLeadLimit, type NewLeadQuota } from '../../domain/campaigns/new-leads.ts';
import type { Campaign } from './campaigns.ts';
import type { Database } from '../tables.ts';

interface Asked {
  campaign: Pick<Campaign, 'id' | 'timezone' | 'max_new_leads_per_day' | 'new_lead_share'>;
  /** Messages that its mailboxes may send a day (`capacityOf`). */
  capacity: number;
  now: Date;
  /** Length of a sending day. */
  daySeconds: number;
}

/**
 * Counted from the messages themselves: released messages and those lost with a worker do not count, nor do
 * deferred ones whose lead is paused, has ended or waits for the next day's quota.
 */
export async function readNewLeadQuota(
  db: Kysely<Database>,
  { campaign, capacity, now, daySeconds }: Asked,
): Promise<NewLeadQuota> {
  const { from: dayFrom, until: nextDayAt } = campaignDay(campaign.timezone, now, daySeconds);
  // Uses the index of each mailbox: reads as many rows as it has sent since midnight.
  const { rows } = await sql<{ today: number; retry_at: Date | null }>`
    select count(*)::integer as today, min(put_off.due_at) filter (where put_off.mailbox_id is null
      and put_off.hold_reason is distinct from 'needs_review') as retry_at
    from campaign_mailboxes as mine
    join sends on sends.mailbox_id = mine.mailbox_id and sends.claimed_at >= ${dayFrom}
      and sends.campaign_id = mine.campaign_id and sends.step = 0
    left join lateral (
      select due_at, mailbox_id, hold_reason from recipients where sends.state = 'deferred'
        and recipients.campaign_id = sends.campaign_id and recipients.lead_id = sends.lead_id
        and due_at is not null and hold_reason is distinct from 'new_lead_limit' limit 1
    ) put_off on true
    where mine.campaign_id = ${campaign.id}
      and (sends.state <> 'deferred' or put_off.due_at is not null)`.execute(db);
  const { today, retry_at: retryAt } = rows[0]!;
  return { limit: newLeadLimit(campaign, capacity), today, dayFrom, retryAt, nextDayAt };
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
 * The same for a claim: from here on claims of one campaign are serialized, or two of them would take the
 * last place. Undefined: the campaign has no limit, and nothing is locked. Lock order: after the mailboxes,
 * before the recipients.
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
