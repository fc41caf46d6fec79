/** Recipients that are held back, excluded, or freed of their mailbox. Choice 9. */
import { sql, type Transaction } from 'kysely';
import type { Dropped } from '../../domain/sending/due-recipients.ts';
import { isKeptLead } from '../leads/deleted-lists.ts';
import { isLeftOut } from './stopped-recipients.ts';
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
 * Leaves these leads out of campaigns in which another lead has their address by now; paused ones when they are
 * resumed (`resumedIn`), where whoever is resumed first has it. They keep the date of their message; while one is
 * claimed, `due_at` only says when a lost claim is found, and it was due before. The caller has locked their
 * recipients. Choice 53.
 */
export async function endDuplicates(
  trx: Transaction<Database>,
  leadIds: readonly number[],
  resumedIn?: number,
): Promise<void> {
  const ids = sql`${[...leadIds]}::bigint[]`;
  const isMeant =
    resumedIn === undefined
      ? sql`true`
      : sql`recipients.campaign_id = ${resumedIn} and other.status <> 'paused'
          and (other.lead_id < own.id or other.lead_id <> all (${ids}))`;
  await sql`
    update recipients set status = 'skipped', due_at = null, hold_reason = 'duplicate_address',
      paused_due_at = case when exists (select from sends
        where sends.campaign_id = recipients.campaign_id and sends.lead_id = recipients.lead_id
          and sends.state in ('claimed', 'sending')) then now() else recipients.due_at end,
      updated_at = now()
    from leads as own
    where recipients.lead_id = any (${ids}) and own.id = recipients.lead_id
      and recipients.due_at is not null
      and exists (select from leads as twin join recipients as other on other.lead_id = twin.id
        where twin.user_id = own.user_id and twin.email_key = own.email_key and twin.id <> own.id
          and other.campaign_id = recipients.campaign_id and not ${isTwin('other')} and ${isMeant}
          and ${isKeptLead('twin')})`.execute(trx);
}

/** Left out for another lead: its address is that one's. */
export const isTwin = (recipient = 'recipients') => isLeftOut(['duplicate_address'], recipient);

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
