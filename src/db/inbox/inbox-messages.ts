/** One message with all its details, and its files. */
import { sql, type Kysely, type Selectable } from 'kysely';
import type { DeliveryState } from '../../domain/inbox/inbox.ts';
import { CAME_BY_JUNK } from './inbox-changes.ts';
import type { AttachmentsTable, MessagesTable } from './inbox-tables.ts';
import type { Database } from '../tables.ts';

export type Attachment = Selectable<AttachmentsTable>;

/** A message with its mailbox, thread, campaign and lead. */
export type Message = Omit<Selectable<MessagesTable>, 'search'> & {
  mailbox_email: string;
  campaign_name: string | null;
  lead_first_name: string | null;
  lead_last_name: string | null;
  lead_email: string | null;
  delivery_state: DeliveryState | null;
  delivery_failure: string | null;
  delivery_send_at: Date | null;
  delivery_cancel_on_reply: boolean | null;
};

const COLUMNS = [
  'm.id',
  'm.user_id',
  'm.mailbox_id',
  'm.thread_id',
  'm.direction',
  'm.kind',
  'm.message_id',
  'm.in_reply_to',
  'm.reference_ids',
  'm.from_address',
  'm.from_name',
  'm.to_addresses',
  'm.cc_addresses',
  'm.reply_to',
  'm.subject',
  'm.snippet',
  'm.body_text',
  'm.body_html',
  'm.sent_at',
  'm.received_at',
  'm.is_read',
  'm.seen_unpushed',
  'm.has_attachments',
  'm.labels',
  'm.archived',
  'm.snoozed_until',
  'm.in_inbox',
  'm.campaign_id',
  'm.lead_id',
  'm.send_id',
  'm.size_bytes',
  'm.interest',
  'm.interest_by',
  'm.interest_confidence',
  'm.created_at',
] as const;

/** Without our mark. */
const shownFacts = sql<Record<string, unknown>>`m.facts - ${Object.keys(CAME_BY_JUNK)}::text[]`.as(
  'facts',
);

const messages = (db: Kysely<Database>, userId: string) =>
  db
    .selectFrom('messages as m')
    .innerJoin('mailboxes as mailbox', 'mailbox.id', 'm.mailbox_id')
    .leftJoin('campaigns as campaign', 'campaign.id', 'm.campaign_id')
    .leftJoin('leads as lead', 'lead.id', 'm.lead_id')
    .leftJoin('outgoing_letters as outgoing', 'outgoing.message_id', 'm.id')
    .select(COLUMNS)
    .select(shownFacts)
    .select([
      'mailbox.email as mailbox_email',
      'campaign.name as campaign_name',
      'lead.first_name as lead_first_name',
      'lead.last_name as lead_last_name',
      'lead.email as lead_email',
      'outgoing.state as delivery_state',
      'outgoing.failure as delivery_failure',
      'outgoing.send_at as delivery_send_at',
      'outgoing.cancel_on_reply as delivery_cancel_on_reply',
    ])
    .where('m.user_id', '=', userId);

export const findUserMessage = (
  db: Kysely<Database>,
  userId: string,
  id: number,
): Promise<Message | undefined> => messages(db, userId).where('m.id', '=', id).executeTakeFirst();

/** A page of a thread, oldest first. */
export const listThreadMessages = (
  db: Kysely<Database>,
  { userId, threadId }: { userId: string; threadId: number },
  page: { limit: number; offset: number },
): Promise<Message[]> =>
  messages(db, userId)
    .where('m.thread_id', '=', threadId)
    .orderBy('m.received_at')
    .orderBy('m.id')
    .limit(page.limit)
    .offset(page.offset)
    .execute();

export const listAttachments = (
  db: Kysely<Database>,
  messageIds: readonly number[],
): Promise<Attachment[]> =>
  db
    .selectFrom('attachments')
    .selectAll()
    .where('message_id', '=', sql<number>`any(${messageIds}::bigint[])`)
    .orderBy('id')
    .execute();

/** A file of a message with the locations of the message at its host. */
export async function findUserAttachment(
  db: Kysely<Database>,
  userId: string,
  { messageId, attachmentId }: { messageId: number; attachmentId: number },
) {
  const attachment = await db
    .selectFrom('attachments')
    .innerJoin('messages', 'messages.id', 'attachments.message_id')
    .selectAll('attachments')
    .select('messages.mailbox_id')
    .where('messages.user_id', '=', userId)
    .where('messages.id', '=', messageId)
    .where('attachments.id', '=', attachmentId)
    .executeTakeFirst();
  if (!attachment) return undefined;
  return { attachment, places: await listPlaces(db, messageId) };
}

export const listPlaces = (db: Kysely<Database>, messageId: number) =>
  db
    .selectFrom('message_places')
    .select(['path', 'uid'])
    .where('message_id', '=', messageId)
    .orderBy('path')
    .execute();

/** Labels in use, and on how many messages; a user has few. */
export async function listLabels(
  db: Kysely<Database>,
  userId: string,
): Promise<{ label: string; letters: number }[]> {
  const { rows } = await sql<{ label: string; letters: number }>`
    select label, count(*)::integer as letters
    from messages, unnest(labels) as label
    where user_id = ${userId} and labels <> '{}'
    group by label order by label limit 1000`.execute(db);
  return rows;
}
