/** Recipients who were left out, because of a suppression or of what else is about their address, and their way back. Choices 17, 142, 151. */
import { sql, type RawBuilder, type Transaction } from 'kysely';
import { ADDRESS_SKIPS } from '../../domain/campaigns/address-risk.ts';
import type { HoldReason } from '../../domain/campaigns/campaigns.ts';
import { lockRecipientsOfLeads } from '../leads/lead-locks.ts';
import { returning } from './returning-recipients.ts';
import { mailboxOfAnswer } from './subsequence-starts.ts';
import type { Database } from '../tables.ts';

/** The list alone has stopped them, no message of the campaign itself. */
export const isStopped = sql<boolean>`(recipients.hold_reason is not distinct from 'suppressed'
  and recipients.due_at is null)`;

/** For one of these; `recipient`: the name of the table in the query. */
export const isLeftOut = (reasons: readonly HoldReason[], recipient = 'recipients') =>
  sql<boolean>`(${sql.ref(`${recipient}.status`)} = 'skipped'
    and coalesce(${sql.ref(`${recipient}.hold_reason`)}, '') = any (${[...reasons]}::text[]))`;

/** Whom a client may add again by their id. */
export const mayComeBack = sql<boolean>`(${isStopped} or ${isLeftOut(ADDRESS_SKIPS)})`;

/**
 * Locks the leads' recipients, and their campaigns, so that none of these is completed meanwhile. All of them: a claim
 * may be about to leave one out. In the order of all writers: campaigns, recipients.
 */
export async function lockWithCampaigns(
  trx: Transaction<Database>,
  leads: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    select from campaigns where id in (
      select campaign_id from recipients where lead_id = any (array(${leads})))
    order by id for share`.execute(trx);
  await lockRecipientsOfLeads(trx, leads);
}

/**
 * They go on where they stood: at once, by the clock that has stopped them, and in a completed campaign after its
 * next start. Needs their locks. Returns the active campaigns.
 */
export async function takeUpStopped(
  trx: Transaction<Database>,
  leadIds: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with taken as (
      update recipients set ${returning({
        dueAt: sql`coalesce(recipients.paused_due_at, recipients.updated_at)`,
        at: sql`recipients.updated_at`,
      })}
      from campaigns
      where recipients.lead_id = any (${[...leadIds]}::bigint[]) and ${isStopped}
        and campaigns.id = recipients.campaign_id and campaigns.deleted_at is null
        and campaigns.status <> 'cancelled'
      returning campaigns.id, campaigns.status
    )
    select distinct id from taken where status = 'active' order by id`.execute(trx);
  return rows.map(({ id }) => id);
}

/** Whether a message of the campaign to this lead went to the address that it has. */
export const hasThread = sql<boolean>`exists (select from sends
  where sends.campaign_id = recipients.campaign_id and sends.lead_id = recipients.lead_id
    and sends.email_key = leads.email_key and sends.state <> 'deferred')`;

/**
 * Who is still left out, in threads that their address has never seen: however they come back, they get the first
 * message.
 */
export async function leaveThreads(
  trx: Transaction<Database>,
  leadIds: readonly number[],
  reasons: readonly HoldReason[] = ADDRESS_SKIPS,
  isMeant: RawBuilder<unknown> = sql`true`,
): Promise<void> {
  await sql`
    with strange as (
      select recipients.campaign_id, recipients.lead_id from recipients
      join leads on leads.id = recipients.lead_id
      where recipients.lead_id = any (${[...leadIds]}::bigint[]) and ${isMeant}
        and ${isLeftOut(reasons)} and recipients.step > 0 and leads.email_key is not null
        and not ${hasThread}
        and not exists (select from sends where sends.campaign_id = recipients.campaign_id
          and sends.lead_id = recipients.lead_id
          and (sends.state in ('claimed', 'sending') or sends.replied_at is not null))
      order by recipients.campaign_id, recipients.lead_id for no key update of recipients
    ), old as (
      update sends set lead_id = -sends.id, former_lead_id = strange.lead_id from strange
      where sends.campaign_id = strange.campaign_id and sends.lead_id = strange.lead_id
    )
    update recipients set step = 0, mailbox_id = ${mailboxOfAnswer}, paused_due_at = null
    from strange
    where recipients.campaign_id = strange.campaign_id
      and recipients.lead_id = strange.lead_id`.execute(trx);
}

/** Who is left out so may be in the thread of another address. */
const STRANGE: readonly HoldReason[] = ['duplicate_address', 'no_email'];

/**
 * Before these leads are added again. Locks their messages, where these may be left, and their recipients, in the order
 * of who writes outcomes, and before leads, as whoever deletes them does; one that was left out in the thread of another
 * address begins with the first message.
 */
export async function bringBack(
  trx: Transaction<Database>,
  campaignId: number,
  leadIds: readonly number[],
): Promise<void> {
  const isOfCampaign = sql`recipients.campaign_id = ${campaignId}`;
  await sql`
    select from sends where id = any (array(
      select sends.id from sends join recipients using (campaign_id, lead_id)
      where ${isOfCampaign} and lead_id = any (${[...leadIds]}::bigint[]) and ${isLeftOut(STRANGE)}))
    order by id for no key update`.execute(trx);
  await sql`select from recipients
    where ${isOfCampaign} and lead_id = any (${[...leadIds]}::bigint[])
    order by lead_id for no key update`.execute(trx);
  await leaveThreads(trx, leadIds, STRANGE, isOfCampaign);
}
