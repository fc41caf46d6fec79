/** Recipients that are held back, excluded, or freed of their mailbox. Choice 9. */
import { sql, type Transaction } from 'kysely';
import type { Dropped } from '../../domain/sending/due-recipients.ts';
import { isKeptLead } from '../leads/deleted-lists.ts';
import type { Database } from '../tables.ts';

export async function dropRecipients(
  trx: Transaction<Database>,
  campaignId: number,
  dropped: readonly Dropped[],
  now: Date,
): Promise<void> {
  if (dropped.length === 0) return;
  const rows = dropped.map(({ leadId, status, holdReason, dueAt }) => ({
    lead_id: leadId,
    status,
    hold_reason: holdReason,
    due_at: dueAt ?? null,
  }));
  await sql`
    update recipients set status = coalesce(item.status, recipients.status), due_at = item.due_at,
      hold_reason = item.hold_reason, updated_at = ${now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as item (lead_id bigint, status text, hold_reason text, due_at timestamptz)
    where recipients.campaign_id = ${campaignId} and recipients.lead_id = item.lead_id`.execute(
    trx,
  );
}

/** Removes leads from the campaign before they are deleted. */
export async function removeRecipients(
  trx: Transaction<Database>,
  campaignId: number,
  leadIds: readonly number[],
): Promise<void> {
  if (leadIds.length === 0) return;
  await trx
    .deleteFrom('recipients')
    .where('campaign_id', '=', campaignId)
    .where('lead_id', 'in', leadIds)
    .execute();
}

/**
 * Removes a lead whose address has changed from campaigns that already have a lead with that address. The
 * caller has locked its recipients. Choice 53.
 */
export async function endDuplicates(
  trx: Transaction<Database>,
  userId: string,
  leadId: number,
): Promise<void> {
  await sql`
    update recipients set status = 'skipped', due_at = null, hold_reason = 'duplicate_address',
      updated_at = now()
    from leads as own
    where recipients.lead_id = ${leadId} and own.id = ${leadId}
      and (due_at is not null or recipients.status = 'paused')
      and exists (select from leads as twin join recipients as other on other.lead_id = twin.id
        where twin.user_id = ${userId} and twin.email_key = own.email_key and twin.id <> own.id
          and other.campaign_id = recipients.campaign_id and ${isKeptLead('twin', userId)})`.execute(
    trx,
  );
}

/** Who was to get a first message from one of these mailboxes, to which they have answered, gets it from any other. */
export const freeUnwritten = (
  trx: Transaction<Database>,
  { campaignId, mailboxIds, now }: { campaignId: number; mailboxIds: readonly number[]; now: Date },
) =>
  sql`
    update recipients set mailbox_id = null, updated_at = ${now}
    where campaign_id = ${campaignId} and mailbox_id = any (${[...mailboxIds]}::bigint[]) and step = 0
      and not exists (select from sends where sends.campaign_id = ${campaignId}
        and sends.lead_id = recipients.lead_id)`.execute(trx);
