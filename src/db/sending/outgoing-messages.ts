/** Messages that people write: the intent before the SMTP session, and the result. */
import { sql, type Kysely, type Transaction } from 'kysely';
import type { DeliveryState, OutgoingAttachment, SendingTime } from '../../domain/inbox/inbox.ts';
import { countMessages, lockInbox } from '../inbox/inbox-counts.ts';
import type { JobRows } from '../job-rows.ts';
import type { Database } from '../tables.ts';

export interface NewOutgoingMessage {
  userId: string;
  mailboxId: number;
  threadId: number;
  campaignId: number | null;
  leadId: number | null;
  forwardedId: number | null;
  messageId: string;
  inReplyTo: string | null;
  references: readonly string[];
  from: { address: string; name: string | null };
  to: string;
  cc: readonly string[];
  subject: string;
  text: string;
  /** As it is sent, and as it may be shown. */
  html: { sent: string; shown: string } | null;
  attachments: readonly OutgoingAttachment[];
  at: Date;
  /** Null: at once. */
  scheduled: SendingTime | null;
}

/** Inserts the message into its thread, and the intent to send it. */
export async function insertOutgoingMessage(
  trx: Transaction<Database>,
  message: NewOutgoingMessage,
): Promise<{ id: number; messageRowId: number }> {
  const { userId, mailboxId, threadId, attachments, html, at, scheduled } = message;
  await lockInbox(trx, userId);
  const row = await trx
    .insertInto('messages')
    .values({
      user_id: userId,
      mailbox_id: mailboxId,
      thread_id: threadId,
      direction: 'outbound',
      message_id: message.messageId,
      in_reply_to: message.inReplyTo,
      reference_ids: [...message.references],
      from_address: message.from.address,
      from_name: message.from.name,
      to_addresses: [message.to],
      cc_addresses: [...message.cc],
      reply_to: null,
      subject: message.subject,
      snippet: message.text.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_SNIPPET_CHARS),
      body_text: message.text,
      body_html: html?.shown ?? null,
      sent_at: scheduled?.sendAt ?? at,
      received_at: at,
      is_read: true,
      has_attachments: attachments.length > 0,
      snoozed_until: null,
      campaign_id: message.campaignId,
      lead_id: message.leadId,
      send_id: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await insertFiles(trx, row.id, attachments);
  const after = { threadId, isRead: true, inInbox: true };
  await countMessages(trx, userId, [{ before: null, after, arrivedAt: at }]);
  const { id } = await trx
    .insertInto('outgoing_letters')
    .values({
      message_id: row.id,
      user_id: userId,
      mailbox_id: mailboxId,
      forwarded_id: message.forwardedId,
      ...(scheduled && { state: 'scheduled' as const }),
      send_at: scheduled?.sendAt ?? null,
      cancel_on_reply: scheduled?.cancelOnReply ?? false,
      body_html: html?.sent ?? null,
      attachments: attachments.length === 0 ? null : JSON.stringify(attachments),
      claimed_by: null,
      smtp_reply: null,
      failure: null,
      sent_at: null,
      filed_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, messageRowId: row.id };
}

const MAX_SNIPPET_CHARS = 200;

/** With the part numbers of the copy at the host: the text is part 1. */
async function insertFiles(
  trx: Transaction<Database>,
  messageRowId: number,
  attachments: readonly OutgoingAttachment[],
): Promise<void> {
  if (attachments.length === 0) return;
  await trx
    .insertInto('attachments')
    .values(
      attachments.map(({ filename, contentType, content }, n) => ({
        message_id: messageRowId,
        part: String(n + 2),
        filename,
        content_type: contentType,
        size_bytes: Buffer.byteLength(content, 'base64'),
        content_id: null,
      })),
    )
    .execute();
}

export type OutgoingMessage = NonNullable<Awaited<ReturnType<typeof findOutgoingMessage>>>;

/** All data needed to send it. Undefined once its message is deleted. */
export const findOutgoingMessage = (db: Kysely<Database>, id: number) =>
  db
    .selectFrom('outgoing_letters as outgoing')
    .innerJoin('messages as m', 'm.id', 'outgoing.message_id')
    .innerJoin('users', 'users.user_id', 'outgoing.user_id')
    .select([
      'outgoing.id',
      'outgoing.message_id as message_row_id',
      'outgoing.mailbox_id',
      'outgoing.forwarded_id',
      'outgoing.state',
      'outgoing.claimed_by',
      'outgoing.body_html',
      'outgoing.attachments',
      'outgoing.filed_at',
      'm.message_id',
      'm.in_reply_to',
      'm.reference_ids',
      'm.from_address',
      'm.from_name',
      'm.to_addresses',
      'm.cc_addresses',
      'm.subject',
      'm.body_text',
      'm.sent_at',
    ])
    .where('outgoing.id', '=', id)
    .executeTakeFirst();

/** Its state, for a caller that waits for it. */
export const readDeliveryState = async (
  db: Kysely<Database>,
  id: number,
): Promise<DeliveryState | undefined> =>
  (await db.selectFrom('outgoing_letters').select('state').where('id', '=', id).executeTakeFirst())
    ?.state;

/**
 * The text is about to be sent: from here on a lost answer means `uncertain`. False when the message is not
 * queued (any more): then nothing may be sent.
 */
export async function claimOutgoingMessage(
  db: Kysely<Database>,
  id: number,
  claimedBy: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('outgoing_letters')
    .set({ state: 'sending', claimed_by: claimedBy })
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Records the result of the attempt with this claim; null: of one that has claimed nothing, which says nothing about a
 * message that another one has begun. A final state stays.
 */
export async function settleOutgoingMessage(
  db: Kysely<Database>,
  { id, claimedBy }: { id: number; claimedBy: string | null },
  end:
    | { state: 'queued' | 'uncertain' }
    | { state: 'failed'; failure: string; code: string }
    | { state: 'sent'; smtpReply: string; failure: string | null; at: Date },
): Promise<void> {
  await db
    .updateTable('outgoing_letters')
    .set({
      state: end.state,
      ...('failure' in end && { failure: end.failure }),
      ...('code' in end && { failure_code: end.code }),
      ...(end.state === 'sent' && { smtp_reply: end.smtpReply, sent_at: end.at }),
      ...(['failed', 'uncertain'].includes(end.state) && { attachments: null }),
    })
    .where('id', '=', id)
    .where((eb) =>
      claimedBy === null
        ? eb('state', '=', 'queued')
        : eb.and([eb('state', '=', 'sending'), eb('claimed_by', '=', claimedBy)]),
    )
    .execute();
}

/** The copy is at the host; the files need no longer be stored here. */
export async function noteFiled(db: Kysely<Database>, id: number, at: Date): Promise<void> {
  await db
    .updateTable('outgoing_letters')
    .set({ filed_at: at, attachments: null })
    .where('id', '=', id)
    .execute();
}

/** A message cannot be paused; one whose delivery never began can be cancelled. */
export const outgoingMessageRows: JobRows = {
  // A sent message may still have to be filed: only its workflow knows when it is done.
  lockState: async () => 'active',
  async apply(trx, id, request) {
    if (request !== 'cancel') return;
    await sql`update outgoing_letters set
        state = case state when 'scheduled' then 'cancelled' else 'failed' end,
        failure = 'Cancelled', failure_code = 'CANCELLED', attachments = null
      where id = ${id} and state in ('scheduled', 'queued')`.execute(trx);
  },
  async settle(trx, id, { outcome, error }) {
    if (outcome === 'succeeded') return;
    const failure = error?.message ?? 'It could not be sent';
    await sql`update outgoing_letters set
        state = case state when 'sending' then 'uncertain' else 'failed' end,
        failure = ${failure}, attachments = null
      where id = ${id} and state in ('scheduled', 'queued', 'sending')`.execute(trx);
  },
};
