/** Writes messages read from mailboxes, many per statement. */
import { sql, type Kysely, type Transaction } from 'kysely';
import type { MessageDirection, MessageKind } from '../../domain/inbox/inbox.ts';
import type { Judgement } from '../../domain/inbox/interest/interest.ts';
import { countMessages } from './inbox-counts.ts';
import { storableJson } from '../storable-json.ts';
import type { Database } from '../tables.ts';

/** A part of a message that is kept at the host. */
export interface NewAttachment {
  /** IMAP's number of the part, `2.1`. */
  part: string;
  filename: string;
  contentType: string;
  sizeBytes: number;
  contentId: string | null;
  isInline: boolean;
}

/** The contents of a message; its Message-IDs are storable. */
export interface MessageContents {
  messageId: string;
  inReplyTo: string | null;
  referenceIds: string[];
  fromAddress: string;
  fromName: string | null;
  toAddresses: string[];
  ccAddresses: string[];
  replyTo: string | null;
  subject: string;
  snippet: string;
  bodyText: string;
  bodyHtml: string | null;
  sentAt: Date;
  receivedAt: Date;
  sizeBytes: number;
  attachments: NewAttachment[];
}

/** A message that is not known yet. */
export interface NewMessage extends MessageContents {
  threadId: number;
  direction: MessageDirection;
  kind: MessageKind;
  isRead: boolean;
  labels: string[];
  archived: boolean;
  campaignId: number | null;
  leadId: number | null;
  sendId: number | null;
  facts: Record<string, unknown>;
  /** Of a person's answer. */
  judgement?: Judgement;
}

/** The owner of the messages. */
export interface MailboxKey {
  userId: string;
  mailboxId: number;
}

/** Ids of the messages of a mailbox by Message-ID, with the columns needed of known messages. */
export async function findMessages(
  db: Kysely<Database>,
  mailboxId: number,
  messageIds: readonly string[],
): Promise<Map<string, { id: number; threadId: number }>> {
  if (messageIds.length === 0) return new Map();
  const { rows } = await sql<{ id: number; message_id: string; thread_id: number }>`
    select id, message_id, thread_id from messages
    where mailbox_id = ${mailboxId} and message_id = any(${messageIds}::text[])`.execute(db);
  return new Map(
    rows.map(({ id, message_id, thread_id }) => [message_id, { id, threadId: thread_id }]),
  );
}

/**
 * Inserts messages and their attachments and counts them; returns ids by Message-ID. One that was inserted
 * meanwhile (a reply that the API has just sent) stays unchanged. Needs `lockInbox`.
 */
export async function insertMessages(
  trx: Transaction<Database>,
  { userId, mailboxId }: MailboxKey,
  messages: readonly NewMessage[],
): Promise<Map<string, number>> {
  if (messages.length === 0) return new Map();
  const { rows } = await sql<{ id: number; message_id: string }>`
    insert into messages (user_id, mailbox_id, thread_id, direction, kind, message_id, in_reply_to,
      reference_ids, from_address, from_name, to_addresses, cc_addresses, reply_to, subject,
      snippet, body_text, body_html, sent_at, received_at, is_read, has_attachments, labels,
      archived, in_inbox, campaign_id, lead_id, send_id, size_bytes, facts, interest, interest_by,
      interest_confidence)
    select ${userId}, ${mailboxId}, thread_id, direction, kind, message_id, in_reply_to,
      reference_ids, from_address, from_name, to_addresses, cc_addresses, reply_to, subject,
      snippet, body_text, body_html, sent_at, received_at, is_read, has_attachments, labels,
      archived, not archived, campaign_id, lead_id, send_id, size_bytes, facts, interest, interest_by,
      interest_confidence
    from json_to_recordset(${storableJson(messages.map(asRow))}::json) as message (
      thread_id bigint, direction text, kind text, message_id text, in_reply_to text,
      reference_ids text[], from_address text, from_name text, to_addresses text[],
      cc_addresses text[], reply_to text, subject text, snippet text, body_text text,
      body_html text, sent_at timestamptz, received_at timestamptz, is_read boolean,
      has_attachments boolean, labels text[], archived boolean, campaign_id bigint,
      lead_id bigint, send_id bigint, size_bytes bigint, facts jsonb, interest text,
      interest_by text, interest_confidence real)
    on conflict (mailbox_id, message_id) do nothing
    returning id, message_id`.execute(trx);
  const ids = new Map(rows.map(({ id, message_id }) => [message_id, id]));
  const inserted = messages.filter(({ messageId }) => ids.has(messageId));
  await insertAttachments(
    trx,
    inserted.flatMap(({ messageId, attachments }) =>
      attachments.map((each) => ({ ...each, id: ids.get(messageId)! })),
    ),
  );
  await countMessages(
    trx,
    userId,
    inserted.map(({ threadId, isRead, archived, receivedAt }) => ({
      before: null,
      after: { threadId, isRead, inInbox: !archived },
      arrivedAt: receivedAt,
    })),
  );
  return ids;
}

const asRow = (message: NewMessage) => ({
  thread_id: message.threadId,
  direction: message.direction,
  kind: message.kind,
  message_id: message.messageId,
  in_reply_to: message.inReplyTo,
  reference_ids: message.referenceIds,
  from_address: message.fromAddress,
  from_name: message.fromName,
  to_addresses: message.toAddresses,
  cc_addresses: message.ccAddresses,
  reply_to: message.replyTo,
  subject: message.subject,
  snippet: message.snippet,
  body_text: message.bodyText,
  body_html: message.bodyHtml,
  sent_at: message.sentAt,
  received_at: message.receivedAt,
  is_read: message.isRead,
  has_attachments: message.attachments.some(({ isInline }) => !isInline),
  labels: message.labels,
  archived: message.archived,
  campaign_id: message.campaignId,
  lead_id: message.leadId,
  send_id: message.sendId,
  size_bytes: message.sizeBytes,
  facts: message.facts,
  interest: message.judgement?.interest ?? null,
  interest_by: message.judgement?.by ?? null,
  interest_confidence: message.judgement?.confidence ?? null,
});

async function insertAttachments(
  trx: Transaction<Database>,
  attachments: readonly (NewAttachment & { id: number })[],
): Promise<void> {
  if (attachments.length === 0) return;
  await trx
    .insertInto('attachments')
    .values(
      attachments.map((each) => ({
        message_id: each.id,
        part: each.part,
        filename: each.filename,
        content_type: each.contentType,
        size_bytes: each.sizeBytes,
        content_id: each.contentId,
        is_inline: each.isInline,
      })),
    )
    .execute();
}
