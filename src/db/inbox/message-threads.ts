/** Which thread a message belongs to: by what it answers, within its mailbox. RFC 5322, 3.6.4. */
import { sql, type Kysely, type Transaction } from 'kysely';
import type { MailboxKey } from './messages.ts';
import { storableJson } from '../storable-json.ts';
import type { Database } from '../tables.ts';

/** A thread that does not exist yet. */
export interface NewThread {
  campaignId: number | null;
  leadId: number | null;
  subject: string;
  lastMessageAt: Date;
}

/** Inserts threads and returns their ids in the order given. Needs `lockInbox`. */
export async function insertThreads(
  trx: Transaction<Database>,
  { userId, mailboxId }: MailboxKey,
  threads: readonly NewThread[],
): Promise<number[]> {
  if (threads.length === 0) return [];
  const { rows } = await sql<{ id: number }>`
    insert into threads (user_id, mailbox_id, campaign_id, lead_id, subject, last_message_at)
    select ${userId}, ${mailboxId}, campaign_id, lead_id, subject, last_message_at
    from rows from (json_to_recordset(${storableJson(threads.map(asRow))}::json) as (
      campaign_id bigint, lead_id bigint, subject text, last_message_at timestamptz))
      with ordinality as thread (campaign_id, lead_id, subject, last_message_at, n)
    order by n
    returning id`.execute(trx);
  return rows.map(({ id }) => id);
}

const asRow = ({ campaignId, leadId, subject, lastMessageAt }: NewThread) => ({
  campaign_id: campaignId,
  lead_id: leadId,
  subject,
  last_message_at: lastMessageAt,
});

/**
 * Threads of messages that answer these Message-IDs: an answer is often read before the message it answers.
 */
export async function findThreadsAnswering(
  db: Kysely<Database>,
  mailboxId: number,
  messageIds: readonly string[],
): Promise<Map<string, number>> {
  if (messageIds.length === 0) return new Map();
  const { rows } = await sql<{ in_reply_to: string; thread_id: number }>`
    select distinct on (in_reply_to) in_reply_to, thread_id from messages
    where mailbox_id = ${mailboxId} and in_reply_to = any(${messageIds}::text[])
    order by in_reply_to, id`.execute(db);
  return new Map(rows.map(({ in_reply_to, thread_id }) => [in_reply_to, thread_id]));
}

/** A person of a campaign. */
export interface CampaignLead {
  campaignId: number;
  leadId: number;
}

export const campaignLeadKey = ({ campaignId, leadId }: CampaignLead) => `${campaignId}/${leadId}`;

/** The thread with each lead of a campaign in this mailbox, by `campaignLeadKey`. */
export async function findThreadsWithLeads(
  db: Kysely<Database>,
  mailboxId: number,
  people: readonly CampaignLead[],
): Promise<Map<string, number>> {
  if (people.length === 0) return new Map();
  const rows = await db
    .selectFrom('threads')
    .select(['id', 'campaign_id', 'lead_id'])
    .where('mailbox_id', '=', mailboxId)
    .where('lead_id', 'in', [...new Set(people.map(({ leadId }) => leadId))])
    .orderBy('id', 'desc')
    .execute();
  return new Map(
    rows.map(({ id, campaign_id, lead_id }) => [
      campaignLeadKey({ campaignId: campaign_id ?? 0, leadId: lead_id ?? 0 }),
      id,
    ]),
  );
}

/**
 * The threads that contain messages of a campaign to these leads, by lead; the thread of the mailbox that
 * writes to them is preferred.
 */
export async function findThreadsOfRecipients(
  db: Kysely<Database>,
  campaignId: number,
  leadIds: readonly number[],
): Promise<Map<number, number>> {
  if (leadIds.length === 0) return new Map();
  const { rows } = await sql<{ lead_id: number; thread_id: number }>`
    select distinct on (sends.lead_id) sends.lead_id, messages.thread_id
    from sends join messages on messages.send_id = sends.id
    where sends.campaign_id = ${campaignId} and sends.lead_id = any(${[...leadIds]}::bigint[])
    order by sends.lead_id, messages.mailbox_id <> sends.mailbox_id, messages.id`.execute(db);
  return new Map(rows.map(({ lead_id, thread_id }) => [lead_id, thread_id]));
}
