/** Recipients whom a claim has left out because of a suppression, and their way back. Choices 17, 142. */
import { sql, type RawBuilder, type Transaction } from 'kysely';
import { lockRecipientsOfLeads } from '../leads/lead-locks.ts';
import { returning } from './returning-recipients.ts';
import type { Database } from '../tables.ts';

/** The list alone has stopped them, no message of the campaign itself. */
export const isStopped = sql<boolean>`(recipients.hold_reason is not distinct from 'suppressed'
  and recipients.due_at is null)`;

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
        dueAt: sql`recipients.updated_at`,
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
