/** Recipients whose mailbox cannot be used: reassigned before the first message, otherwise waiting. */
import { sql, type Kysely, type Transaction } from 'kysely';
import { freeUnwritten } from '../campaigns/recipient-drops.ts';
import type { Database } from '../tables.ts';

/**
 * Recipients without a first message are released from a failing mailbox; threads wait until it recovers, and
 * end when it is deleted. docs/sending-rules.md#mailboxes-that-fail.
 */
export async function releaseRecipients(
  trx: Transaction<Database>,
  campaignId: number,
  { failing, gone, now }: { failing: readonly number[]; gone: readonly number[]; now: Date },
): Promise<void> {
  const unusable = [...failing, ...gone];
  if (unusable.length === 0) return;
  await sql`
    with put_off as (
      delete from sends where campaign_id = ${campaignId} and step = 0 and state = 'deferred'
        and mailbox_id = any (${unusable}::bigint[])
      returning lead_id
    )
    update recipients set mailbox_id = null, updated_at = ${now}
    from put_off
    where campaign_id = ${campaignId} and recipients.lead_id = put_off.lead_id`.execute(trx);
  await freeUnwritten(trx, { campaignId, mailboxIds: unusable, now });
  await sql`
    update recipients set hold_reason = 'mailbox_failing', updated_at = ${now}
    where campaign_id = ${campaignId} and mailbox_id = any (${[...failing]}::bigint[])
      and due_at <= ${now}
      and (hold_reason is null or hold_reason not in ('mailbox_failing', 'needs_review'))`.execute(
    trx,
  );
  await sql`
    update recipients set status = 'failed', due_at = null, hold_reason = 'no_mailbox',
      updated_at = ${now}
    where campaign_id = ${campaignId} and mailbox_id = any (${[...gone]}::bigint[])
      and due_at is not null
      and not exists (select from sends where sends.campaign_id = ${campaignId}
        and sends.lead_id = recipients.lead_id and sends.state in ('claimed', 'sending'))`.execute(
    trx,
  );
}

/** Whether a first message is due now. One index lookup. */
export async function areFirstMessagesDue(
  db: Kysely<Database>,
  campaignId: number,
  now: Date,
): Promise<boolean> {
  const first = await db
    .selectFrom('recipients')
    .select('due_at')
    .where('campaign_id', '=', campaignId)
    .where('mailbox_id', 'is', null)
    .where('due_at', 'is not', null)
    .orderBy('mailbox_id')
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst();
  return first !== undefined && first.due_at! <= now;
}
