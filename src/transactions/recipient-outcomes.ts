/** The effect of a message's outcome on its recipients: whether, and when, their sequence continues. */
import { sql, type Selectable, type Transaction } from 'kysely';
import type { HoldReason } from '../domain/campaigns/campaigns.ts';
import { sendingDaysMs } from '../domain/sending/sending-time.ts';
import type { SendsTable } from '../db/campaigns/campaign-tables.ts';
import { isKeptLead } from '../db/leads/deleted-lists.ts';
import type { SendOutcome } from '../db/sending/outcome-events.ts';
import type { Database } from '../db/tables.ts';

export type Send = Selectable<SendsTable>;

/** Days of sending for which an automatic answer without a date holds the sequence. */
const AWAY_DAYS = 3;

/**
 * Choice 9. Recipients who have unsubscribed, bounced or answered keep that status, unless it gets worse;
 * removed ones stay removed, and keep what they would wait for if they were put back.
 */
export async function moveRecipient(
  trx: Transaction<Database>,
  send: Send,
  outcome: SendOutcome & { isPermanent: boolean; hasExpired: boolean; daySeconds: number },
): Promise<void> {
  const { kind, at, backAt, isPermanent, hasExpired, daySeconds } = outcome;
  const recipients = trx
    .updateTable('recipients')
    .where('campaign_id', '=', send.campaign_id)
    .where('lead_id', 'in', leadsOf(send, kind));
  const recipient = recipients.where('status', '!=', 'removed');
  const removed = recipients.where('status', '=', 'removed');
  const over = { due_at: null, hold_reason: null, updated_at: at };
  if (kind === 'complained') {
    await recipient.set({ status: 'unsubscribed', ...over, hold_reason: 'complained' }).execute();
  } else if (kind === 'unsubscribed') {
    await recipient
      .set({ status: 'unsubscribed', ...over })
      .where('hold_reason', 'is distinct from', 'complained')
      .execute();
  } else if (kind === 'bounced' && isPermanent) {
    await recipient
      .set({ status: 'bounced', ...over })
      .where('status', '!=', 'unsubscribed')
      .execute();
  } else if (kind === 'rejected') {
    await recipient
      .set({ status: 'failed', ...over, hold_reason: 'policy_rejection' })
      .where('status', 'not in', ['unsubscribed', 'bounced', 'replied'])
      .execute();
  } else if (kind === 'replied') {
    await recipient
      .set({ status: 'replied', ...over })
      .where('status', 'not in', ['unsubscribed', 'bounced'])
      .execute();
  } else if (kind === 'auto_replied') {
    const until = backAt ?? new Date(at.getTime() + sendingDaysMs(AWAY_DAYS, daySeconds));
    // While a message is claimed, `due_at` only says when a lost claim is found.
    const dueAt = sql<Date>`case when exists (select from sends
      where sends.campaign_id = recipients.campaign_id and sends.lead_id = recipients.lead_id
        and sends.state in ('claimed', 'sending')) then ${until}::timestamptz
      else greatest(due_at, ${until}) end`;
    // First: who is put back meanwhile is found by the statements after it.
    await removed
      .set({ paused_due_at: sql<Date>`greatest(paused_due_at, ${until})` })
      .set({ hold_reason: sql<HoldReason>`coalesce(hold_reason, 'auto_reply')` })
      .execute();
    const stillHeld = sql<HoldReason>`case when hold_reason = 'needs_review' then hold_reason
      else 'auto_reply' end`;
    await recipient
      .set({ due_at: dueAt, hold_reason: stillHeld, updated_at: at })
      .where('due_at', 'is not', null)
      .execute();
    const later = sql<Date>`greatest(paused_due_at, ${until})`;
    await recipient
      .set({ paused_due_at: later, hold_reason: stillHeld, updated_at: at })
      .where('status', '=', 'paused')
      .execute();
  } else if (kind === 'bounced' && hasExpired) {
    // A follow-up would refer to a message that nobody has seen: the owner decides.
    await removed.set({ hold_reason: 'undelivered' }).where(isIdle).execute();
    await recipient
      .set({
        status: 'paused',
        paused_due_at: sql`due_at`,
        due_at: null,
        hold_reason: 'undelivered',
        updated_at: at,
      })
      .where('status', 'in', ['queued', 'in_progress'])
      .where('due_at', 'is not', null)
      .where(isIdle)
      .execute();
  } else if (kind === 'bounced') {
    await recipient
      .set({ hold_reason: 'soft_bounce', updated_at: at })
      .where('due_at', 'is not', null)
      .where('hold_reason', 'is', null)
      .execute();
  }
}

/** No message to the recipient is under way. */
const isIdle = sql<boolean>`not exists (select from sends
  where sends.campaign_id = recipients.campaign_id and sends.lead_id = recipients.lead_id
    and sends.state in ('claimed', 'sending'))`;

/**
 * The lead of the message, also where they have begun anew at another address since. Not where nobody got it: what
 * comes of it then is not from that person.
 */
export const reachedLead = (send: Send): number =>
  send.bounced_at === null && send.expired_at === null && send.rejected_at === null
    ? (send.former_lead_id ?? send.lead_id)
    : send.lead_id;

/** The lead that the message was to, as clients know it: also where it has begun anew since. */
export const leadOf = (send: Send): number => send.former_lead_id ?? send.lead_id;

/** What the person wants, at whatever address; other outcomes are about the address. */
const OF_THE_PERSON: ReadonlySet<SendOutcome['kind']> = new Set([
  'unsubscribed',
  'complained',
  'replied',
]);

/**
 * The lead of the message, and all leads with the address: they are one person. Choice 53. Without those
 * whose list is being deleted, whose rows are locked while they are removed.
 */
const leadsOf = (send: Send, kind: SendOutcome['kind']) => sql<number>`(
  select id from leads
  where user_id = ${send.user_id}
    and (id = ${OF_THE_PERSON.has(kind) ? reachedLead(send) : send.lead_id} or email_key = ${send.email_key})
    and ${isKeptLead('leads', send.user_id)})`;

/** Where the lead has another address by now than the message went to: that one, if the person wrote from there. */
export async function ownAddress(
  trx: Transaction<Database>,
  send: Send,
  writtenFrom: string | undefined,
): Promise<string | null> {
  const leadId = reachedLead(send);
  if (writtenFrom === undefined || writtenFrom === send.email_key) return null;
  const lead = await trx
    .selectFrom('leads')
    .select('email_key')
    .where('id', '=', leadId)
    .where('email_key', '=', writtenFrom)
    .executeTakeFirst();
  return lead?.email_key ?? null;
}
