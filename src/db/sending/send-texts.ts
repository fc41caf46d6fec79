/** Texts sent by campaigns, kept for the threads of answers. Choice 34. */
import { sql, type RawBuilder, type Transaction } from 'kysely';
import type { SendState } from '../../domain/campaigns/campaigns.ts';
import { storableJson } from '../storable-json.ts';
import type { Database } from '../tables.ts';

/** A message as it is about to be sent. */
export interface SendText {
  sendId: number;
  /** As the recipient sees it. */
  fromName: string;
  to: string;
  subject: string;
  text: string;
  /** Message-IDs of the messages before it in its thread, oldest first. */
  references: readonly string[];
  /** Its Date header. */
  at: Date;
}

/** Stores the texts of messages whose ids are in the relation `begun` of the same statement. */
export const keptTexts = (texts: readonly SendText[]): RawBuilder<unknown> => sql`
  insert into send_texts (send_id, from_name, to_address, subject, body_text, reference_ids,
    written_at)
  select text.* from json_to_recordset(${storableJson(texts.map(asRow))}::json) as text (
    send_id bigint, from_name text, to_address text, subject text, body_text text,
    reference_ids text[], written_at timestamptz)
  join begun on begun.id = text.send_id
  on conflict (send_id) do update set from_name = excluded.from_name, to_address = excluded.to_address,
    subject = excluded.subject, body_text = excluded.body_text,
    reference_ids = excluded.reference_ids, written_at = excluded.written_at`;

const asRow = ({ sendId, fromName, to, subject, text, references, at }: SendText) => ({
  send_id: sendId,
  from_name: fromName,
  to_address: to,
  subject,
  body_text: text,
  reference_ids: references,
  written_at: at,
});

/** A message of a campaign that was sent to a person who has answered one of them. */
export interface AnsweredMessage {
  sendId: number;
  /** The send that the answer is about; messages before it went to the same person. */
  answeredId: number;
  campaignId: number;
  mailboxId: number;
  messageId: string;
  fromAddress: string;
  fromName: string;
  to: string;
  subject: string;
  text: string;
  references: string[];
  /** Its Date header, in whole seconds. */
  at: Date;
  /** When its host accepted it. */
  takenAt: Date;
}

/**
 * The messages of the same campaigns to the people of these sends, oldest first: the answered ones, and those
 * that were certainly sent. Those that are already in the inbox are left out. Waits for a message that is
 * being inserted, whose transaction looks for the thread first.
 */
export async function listAnsweredMessages(
  trx: Transaction<Database>,
  answeredIds: readonly number[],
): Promise<AnsweredMessage[]> {
  if (answeredIds.length === 0) return [];
  const { rows } = await sql<AnsweredMessage & { state: SendState }>`
    select sends.id as "sendId", answered.id as "answeredId", sends.campaign_id as "campaignId",
      sends.mailbox_id as "mailboxId", sends.message_id as "messageId",
      mailboxes.email as "fromAddress", text.from_name as "fromName",
      text.to_address as "to", text.subject, text.body_text as "text",
      text.reference_ids as "references", text.written_at as "at",
      coalesce(sends.sent_at, text.written_at) as "takenAt",
      sends.state
    from sends as answered
    join sends on sends.campaign_id = answered.campaign_id and sends.lead_id = answered.lead_id
      and (sends.state in ('sending', 'sent') or sends.id = answered.id)
    join send_texts as text on text.send_id = sends.id
    join mailboxes on mailboxes.id = sends.mailbox_id
    where answered.id = any (${[...new Set(answeredIds)]}::bigint[])
      and not exists (select from messages
        where messages.mailbox_id = sends.mailbox_id and messages.message_id = sends.message_id)
    order by sends.step for share of sends`.execute(trx);
  return rows.filter(({ sendId, answeredId, state }) => state === 'sent' || sendId === answeredId);
}
