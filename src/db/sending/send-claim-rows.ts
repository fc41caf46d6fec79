/** The rows of claims: one per recipient and step forever, and the capacity they use of their mailboxes. */
import { sql, type Transaction } from 'kysely';
import { amongRows } from '../among-rows.ts';
import { together } from '../round-trips.ts';
import { earliestDueOf, earliestRows, type EarliestDue } from './due-recipients.ts';
import type { MailboxCapacity } from './mailbox-capacity.ts';
import type { MailboxSender } from '../mailboxes/mailboxes.ts';
import type { CampaignStep } from '../../domain/campaigns/campaigns.ts';
import type { MessageRecipient, MessageThread } from '../../domain/sending/message-content.ts';
import type { Database } from '../tables.ts';

/** A message that this attempt may send. */
export interface ClaimedMessage {
  sendId: number;
  leadId: number;
  mailboxId: number;
  mailboxEmail: string;
  /** Bounces come back to the plain address. */
  isConnected?: boolean | undefined;
  /** How its mailbox signs. */
  sender: MailboxSender;
  step: CampaignStep;
  /** The number of its text (`numberOf`). */
  variant: number;
  messageId: string;
  /** Earlier SMTP attempts. */
  attempts: number;
  /** What the last of them was answered. */
  lastReply?: string | null;
  recipient: MessageRecipient;
  /** It is not begun after that. */
  windowUntil: Date;
  thread: MessageThread | null;
}

/** A message before its row is inserted. */
export type PlannedMessage = Omit<ClaimedMessage, 'sendId' | 'attempts' | 'lastReply'> & {
  recipientDomain: string;
  emailKey: string | null;
};

interface Claimant {
  userId: string;
  campaignId: number;
  /** Leads whose messages are on their way. */
  inFlight?: readonly number[];
  claimedBy: string;
  now: Date;
  /** The mailboxes that send. */
  open: readonly MailboxCapacity[];
  /** Between 0 and 1. */
  chance: () => number;
}

export interface WrittenClaims {
  messages: ClaimedMessage[];
  /** When the gap of each mailbox ends that sends, by mailbox. */
  spent: Map<number, Date>;
  /** When others are due than these and those in flight; where all were written, or it is to be asked. */
  due?: EarliestDue | undefined;
}

/**
 * While a message is claimed, its recipient's due time is moved by this much: no other session picks it up,
 * and it is found again if everything was lost. A second claim fails on the message's row.
 */
export const CLAIM_MS = 15 * 60_000;

/**
 * Writes the intents, with the gap of each mailbox that sends, and which campaign it served. A deferred message is
 * claimed again; any other existing one is not.
 */
export async function insertClaims(
  trx: Transaction<Database>,
  planned: readonly PlannedMessage[],
  { userId, campaignId, inFlight = [], claimedBy, now, open, chance }: Claimant,
): Promise<WrittenClaims> {
  if (planned.length === 0) return { messages: [], spent: new Map() };
  const used = new Set(planned.map(({ mailboxId }) => mailboxId));
  const gaps = open.flatMap(({ mailboxId: id, limits: { gapMs, gapJitter } }) => {
    if (!used.has(id)) return [];
    const gap = gapMs * (1 + gapJitter * (2 * chance() - 1));
    return [{ id, next_send_at: new Date(now.getTime() + gap) }];
  });
  const rows = planned.map((message) => ({
    lead_id: message.leadId,
    step: message.step.position,
    variant: message.variant,
    mailbox_id: message.mailboxId,
    recipient_domain: message.recipientDomain,
    email_key: message.emailKey,
    message_id: message.messageId,
  }));
  const insert = sql<{
    id: number;
    lead_id: number;
    attempts: number;
    message_id: string;
    smtp_reply: string | null;
  }>`/*insert-claims*/
    with claimed as (
      insert into sends (user_id, campaign_id, lead_id, step, variant, mailbox_id, recipient_domain,
        email_key, message_id, state, claimed_by, claimed_at)
      select ${userId}, ${campaignId}, lead_id, step, variant, mailbox_id, recipient_domain,
        email_key, message_id, 'claimed', ${claimedBy}, ${now}
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as message (lead_id bigint,
        step integer, variant integer, mailbox_id bigint, recipient_domain text, email_key text,
        message_id text)
      on conflict (campaign_id, lead_id, step) do update
        set state = 'claimed', claimed_by = excluded.claimed_by, claimed_at = excluded.claimed_at,
          -- One that was tried keeps its id, whatever key is the first by now.
          message_id = case when sends.mailbox_id = excluded.mailbox_id
            and sends.email_key is not distinct from excluded.email_key
            then sends.message_id else excluded.message_id end,
          mailbox_id = excluded.mailbox_id,
          variant = excluded.variant, recipient_domain = excluded.recipient_domain, email_key = excluded.email_key,
          attempts = sends.attempts + 1
        where sends.state = 'deferred'
      returning id, lead_id, mailbox_id, attempts, message_id, smtp_reply
    ), bound as (
      update recipients set mailbox_id = claimed.mailbox_id, hold_reason = null,
        due_at = ${new Date(now.getTime() + CLAIM_MS)}
      from claimed
      where recipients.campaign_id = ${campaignId} and recipients.lead_id = claimed.lead_id
        and ${amongRows('recipients.lead_id', 'claimed', 'lead_id')}
    ), spent as (
      select * from jsonb_to_recordset(${JSON.stringify(gaps)}::jsonb)
        as gap (id bigint, next_send_at timestamptz)
      where id in (select mailbox_id from claimed)
    ), served as (
      update campaign_mailboxes set served_at = ${now}, wants_until = null from spent
      where campaign_id = ${campaignId} and mailbox_id = spent.id
        and ${amongRows('mailbox_id', 'spent', 'id')}
    ), rested as (
      update mailboxes set next_send_at = spent.next_send_at from spent
      where mailboxes.id = spent.id and ${amongRows('mailboxes.id', 'spent', 'id')}
    )
    select id, lead_id, attempts, message_id, smtp_reply from claimed`;
  const underWay = [...inFlight, ...planned.map(({ leadId }) => leadId)];
  const [written, due] = await together(trx, [insert, earliestRows(campaignId, underWay)]);
  const byLead = new Map(written.map((row) => [row.lead_id, row]));
  const lost = planned.filter(({ leadId }) => !byLead.has(leadId)).map(({ leadId }) => leadId);
  if (lost.length > 0) await leaveToTheirMessages(trx, campaignId, lost, now);
  const messages = planned.flatMap((message) => {
    const row = byLead.get(message.leadId);
    if (!row) return [];
    const { id: sendId, attempts, message_id: messageId, smtp_reply: lastReply } = row;
    return [{ ...message, sendId, attempts, messageId, lastReply }];
  });
  const sending = new Set(messages.map(({ mailboxId }) => mailboxId));
  const spent = gaps.flatMap(({ id, next_send_at: at }) =>
    sending.has(id) ? [[id, at] as const] : [],
  );
  return {
    messages,
    spent: new Map(spent),
    ...(lost.length === 0 && { due: earliestDueOf(due) }),
  };
}

/** Recipients whose message of this step exists: it is handled elsewhere, or ended and never repeated. */
async function leaveToTheirMessages(
  trx: Transaction<Database>,
  campaignId: number,
  leadIds: readonly number[],
  now: Date,
): Promise<void> {
  await sql`
    update recipients set updated_at = ${now},
      due_at = case when sends.state in ('claimed', 'sending') then
        ${new Date(now.getTime() + CLAIM_MS)}::timestamptz end,
      status = case sends.state when 'claimed' then recipients.status
        when 'sending' then recipients.status when 'sent' then 'completed' else 'failed' end,
      hold_reason = case sends.state when 'uncertain' then 'delivery_uncertain'
        when 'refused' then 'delivery_refused' end
    from sends
    where recipients.campaign_id = ${campaignId} and recipients.lead_id = any (${leadIds}::bigint[])
      and sends.campaign_id = ${campaignId} and sends.lead_id = recipients.lead_id
      and sends.step = recipients.step`.execute(trx);
}
