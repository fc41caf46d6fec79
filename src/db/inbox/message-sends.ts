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
  /**
   * Also where the lead has begun anew at another address since. Null when it was deleted or erased, and when it has another
   * address and nobody got the message: what comes of it then is not from that person.
   */
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

/** The lead that a message of `table` has reached, as `reachedLead` says of outcomes. */
const reached = (table: string) => {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return sql`case
    when coalesce(${column('bounced_at')}, ${column('expired_at')}, ${column('rejected_at')}) is null
    then coalesce(${column('former_lead_id')}, ${column('lead_id')}) else ${column('lead_id')} end`;
};

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
    from sends left join leads on leads.id = ${reached('sends')}
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
    from sends left join leads on leads.id = ${reached('sends')}
    where sends.id = any(${ids}::bigint[]) and sends.user_id = ${userId}
      and mailbox_id = ${mailboxId}`.execute(db);
  return byFound(rows);
}

/**
 * By an address that this mailbox has sent to, whatever became of its lead, or that of a lead it has sent to at another
 * one: the latest message before `receivedAt`, in the order of what is wanted. Each by its index, and sorted outside: the planner would rather read the
 * messages of the mailbox from the newest on until it finds one.
 */
export async function findSendsByAddress(
  db: Kysely<Database>,
  { userId, mailboxId }: MailboxKey,
  wanted: readonly { emailKey: string; receivedAt: Date }[],
): Promise<(MatchedSend | undefined)[]> {
  if (wanted.length === 0) return [];
  const { rows } = await sql<SendRow>`
    select last.id, last.mailbox_id, last.campaign_id, leads.id as lead_id, last.subject,
      last.email_key, wanted.at::text as found
    from unnest(${wanted.map(({ emailKey }) => emailKey)}::text[],
      ${wanted.map(({ receivedAt }) => receivedAt)}::timestamptz[]) with ordinality as wanted (key, received_at, at)
    cross join lateral (
      select * from (${messagesTo(userId)} offset 0) as message
      where message.mailbox_id = ${mailboxId} and message.sent_at <= wanted.received_at
      order by message.sent_at desc, message.id desc limit 1
    ) as last
    left join leads on leads.id = ${reached('last')}`.execute(db);
  const found = byFound(rows);
  return wanted.map((_each, at) => found.get(String(at + 1)));
}

/** To the address `wanted.key`, or to a lead that has it. */
const messagesTo = (userId: string) => sql`
  select * from sends where user_id = ${userId} and email_key = wanted.key
  union all
  select sends.* from leads join sends on sends.lead_id = leads.id
    where leads.user_id = ${userId} and leads.email_key = wanted.key
  union all
  select sends.* from leads join sends on sends.former_lead_id = leads.id
    where leads.user_id = ${userId} and leads.email_key = wanted.key
      and leads.id = ${reached('sends')}`;

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
