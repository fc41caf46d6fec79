/** Which sends of campaigns the messages of a mailbox refer to. */
import { sql, type Kysely } from 'kysely';
import type { MailboxKey } from './messages.ts';
import type { Database } from '../tables.ts';

/** A message of a campaign that was, or may have been, sent. */
export interface MatchedSend {
  id: number;
  /** The mailbox that sent it. */
  mailboxId: number;
  campaignId: number;
  /** Null when the lead was deleted or erased since. */
  leadId: number | null;
  /** Empty when the person was erased since. */
  subject: string;
  /** Key of the address it went to; null when the person was erased since. */
  emailKey: string | null;
}

interface SendRow {
  id: number;
  mailbox_id: number;
  campaign_id: number;
  lead_id: number | null;
  subject: string;
  email_key: string | null;
  /** The value it was matched by. */
  found: string;
}

/** By Message-ID, of any mailbox of the user: an answer may be sent to another address. */
export async function findSendsByMessageIds(
  db: Kysely<Database>,
  { userId }: MailboxKey,
  messageIds: readonly string[],
): Promise<Map<string, MatchedSend>> {
  if (messageIds.length === 0) return new Map();
  const { rows } = await sql<SendRow>`
    select sends.id, mailbox_id, campaign_id, leads.id as lead_id, subject,
      sends.email_key, message_id as found
    from sends left join leads on leads.id = sends.lead_id
    where message_id = any(${messageIds}::text[]) and sends.user_id = ${userId}`.execute(db);
  return byFound(rows);
}

/** By the id in the VERP address, if it was sent from this mailbox. */
export async function findSendsByIds(
  db: Kysely<Database>,
  { userId, mailboxId }: MailboxKey,
  ids: readonly number[],
): Promise<Map<string, MatchedSend>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<SendRow>`
    select sends.id, mailbox_id, campaign_id, leads.id as lead_id, subject,
      sends.email_key, sends.id::text as found
    from sends left join leads on leads.id = sends.lead_id
    where sends.id = any(${ids}::bigint[]) and sends.user_id = ${userId}
      and mailbox_id = ${mailboxId}`.execute(db);
  return byFound(rows);
}

/** By the address of a lead to whom this mailbox has sent: the latest message, by address key. */
export async function findSendsByLeadAddress(
  db: Kysely<Database>,
  { userId, mailboxId }: MailboxKey,
  emailKeys: readonly string[],
): Promise<Map<string, MatchedSend & { sentAt: Date }>> {
  if (emailKeys.length === 0) return new Map();
  const { rows } = await sql<SendRow & { sent_at: Date }>`
    select distinct on (leads.email_key) sends.id, sends.mailbox_id, sends.campaign_id,
      sends.lead_id, sends.subject, sends.email_key, sends.sent_at, leads.email_key as found
    from leads join sends on sends.lead_id = leads.id
    where leads.user_id = ${userId} and leads.email_key = any(${emailKeys}::text[])
      and sends.mailbox_id = ${mailboxId} and sends.sent_at is not null
    order by leads.email_key, sends.sent_at desc`.execute(db);
  return new Map(
    rows.map((row) => [row.found, { ...asMatched(row), sentAt: row.sent_at }] as const),
  );
}

const byFound = (rows: readonly SendRow[]) =>
  new Map(rows.map((row) => [row.found, asMatched(row)] as const));

const asMatched = (row: SendRow): MatchedSend => ({
  id: row.id,
  mailboxId: row.mailbox_id,
  campaignId: row.campaign_id,
  leadId: row.lead_id,
  subject: row.subject,
  emailKey: row.email_key,
});
