/** Replying to and forwarding messages from the mailbox that holds them. Choices 34, 57, 126. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Transaction } from 'kysely';
import type { Context } from '../../context.ts';
import { noteChange } from '../../db/accounts/audit-log.ts';
import { commitOnce } from '../../db/accounts/request-effects.ts';
import { findUser } from '../../db/accounts/accounts.ts';
import { findUserMessage, type Message } from '../../db/inbox/inbox-messages.ts';
import { findMailboxAccess } from '../../db/mailboxes/mailbox-access.ts';
import { listSenders } from '../../db/mailboxes/mailboxes.ts';
import {
  insertOperation,
  lockRequestedOperation,
  type Operation,
} from '../../db/operations/operations.ts';
import {
  findOutgoingMessage,
  insertOutgoingMessage,
  readDeliveryState,
} from '../../db/sending/outgoing-messages.ts';
import type { Database } from '../../db/tables.ts';
import { forwardedText, forwardSubject, referencesOf } from '../../domain/inbox/answers.ts';
import { invalid, notFound } from '../../domain/errors.ts';
import { sendReplyFlow } from '../../domain/inbox/flows.ts';
import {
  MAX_MESSAGE_BYTES,
  type OutgoingAttachment,
  type SendingTime,
} from '../../domain/inbox/inbox.ts';
import { answerTo } from '../../domain/sending/answer-subjects.ts';
import { withSignature } from '../../domain/mailboxes/signatures.ts';
import { sanitizeForDisplay } from '../../domain/inbox/inbox-html.ts';
import { ACTOR } from '../accounts/actors.ts';
import { checkScheduled, checkSendAt } from './scheduled-replies.ts';
import { getUserMessage, type WholeMessage } from './inbox.ts';
import { paceOf } from '../operations/operations.ts';
import { workflowIdOf } from '../../domain/operations/run-keys.ts';

type Needs = Pick<Context, 'db' | 'config' | 'cipher' | 'clock' | 'startOperation'>;

export interface Answer {
  body: string;
  bodyHtml?: string | undefined;
  cc: readonly string[];
  attachments: readonly OutgoingAttachment[];
  scheduled: SendingTime | null;
}

/** What is new in the message to be sent. */
interface Writing extends Answer {
  to: string;
  subject: string;
  inReplyTo: string | null;
  references: readonly string[];
  forwardedId: number | null;
  /** The forwarded message, placed below the new text. */
  quoted?: string;
}

interface Request {
  userId: string;
  id: number;
  /** A repeat with the same key is answered with the message of the first. */
  requestKey: string | undefined;
}

/**
 * Replies to a message in its thread: to its `Reply-To` or sender; for a message of our own, to its
 * recipients. Suppressions do not apply: a person who wrote may be answered. 400 NO_RECIPIENT where the
 * message has neither.
 */
export const replyToMessage = (context: Needs, request: Request, answer: Answer) =>
  write(context, request, (message) => ({
    ...answer,
    to: recipientOf(message),
    subject: answerTo(message.subject),
    inReplyTo: message.message_id,
    references: referencesOf({
      messageId: message.message_id,
      inReplyTo: message.in_reply_to,
      references: message.reference_ids,
    }),
    forwardedId: null,
  }));

function recipientOf(message: Message): string {
  const address = message.direction === 'outbound' ? message.to_addresses[0] : message.reply_to;
  const to = address || message.from_address;
  if (to) return to;
  throw invalid('NO_RECIPIENT', 'The message names no sender who could be answered; forward it');
}

/** Forwards a message, with its files, to recipients of the user's choice. */
export const forwardMessage = (
  context: Needs,
  request: Request,
  { to, body, scheduled }: Pick<Writing, 'to' | 'body' | 'scheduled'>,
) =>
  write(context, request, (message) => ({
    body,
    quoted: forwardedText({
      from: message.from_address,
      to: message.to_addresses.join(', '),
      sentAt: message.sent_at,
      subject: message.subject,
      text: message.body_text,
    }),
    cc: [],
    attachments: [],
    scheduled,
    to,
    subject: forwardSubject(message.subject),
    inReplyTo: null,
    references: [message.message_id],
    forwardedId: message.id,
  }));

/**
 * Stores message and intent in one transaction, then starts its workflow and waits a little for the
 * outcome, which a message that waits for its time has not yet.
 */
async function write(
  context: Needs,
  request: Request,
  compose: (message: Message) => Writing,
): Promise<WholeMessage & { workflowId: string }> {
  const { userId, id, requestKey } = request;
  const operation = await commitOnce(context.db, async (trx) => {
    const earlier = requestKey && (await lockRequestedOperation(trx, userId, requestKey));
    if (earlier) return earlier;
    const message = await findUserMessage(trx, userId, id);
    if (!message) throw notFound('message');
    return insertWriting(context, trx, { message, writing: compose(message), requestKey });
  });
  if (operation.started_at !== null || (await context.startOperation(operation))) {
    await awaitDelivery(context, operation.resource_id);
  }
  const sent = await findOutgoingMessage(context.db, operation.resource_id);
  if (!sent) throw notFound('message');
  const whole = await getUserMessage(context, userId, sent.message_row_id);
  return { ...whole, workflowId: workflowIdOf(operation) };
}

async function insertWriting(
  context: Needs,
  trx: Transaction<Database>,
  {
    message,
    writing,
    requestKey,
  }: { message: Message; writing: Writing; requestKey: string | undefined },
): Promise<Operation> {
  const { user_id: userId, mailbox_id: mailboxId } = message;
  const access = await findMailboxAccess({ db: trx, cipher: context.cipher }, mailboxId);
  if (!access) {
    throw invalid('MAILBOX_NOT_ACTIVE', 'The mailbox of this message is not active any more');
  }
  checkFiles(writing.attachments);
  const at = context.clock.now();
  if (writing.scheduled) checkSendAt(writing.scheduled.sendAt, at);
  const account = await findUser(trx, userId);
  const sender = (await listSenders(trx, [mailboxId])).get(mailboxId);
  const senderName = sender?.name ?? account?.sender_name ?? null;
  const { text, html } = partsOf(writing, sender?.signature ?? null);
  const domain = access.email.slice(access.email.lastIndexOf('@') + 1);
  const { id } = await insertOutgoingMessage(trx, {
    ...writing,
    userId,
    mailboxId,
    threadId: message.thread_id,
    campaignId: message.campaign_id,
    leadId: message.lead_id,
    messageId: `<${randomUUID()}@${domain}>`,
    from: { address: access.email, name: senderName },
    text,
    html: html === null ? null : { sent: html, shown: sanitizeForDisplay(html) },
    at,
  });
  if (writing.scheduled) await checkScheduled(trx, userId);
  noteChange({ after: { messageId: id, mailboxId, sendAt: writing.scheduled?.sendAt } });
  const input = { outgoingId: id, pace: paceOf(context) };
  return insertOperation(trx, sendReplyFlow, input, {
    userId,
    summary: 'Send a message that a person wrote',
    requested: { actor: ACTOR.user(userId), reason: 'created' },
    requestKey,
  });
}

/** What a person wrote, the signature of the mailbox, and what is forwarded, in this order. */
function partsOf({ body, bodyHtml, quoted }: Writing, signature: string | null) {
  const { text, html } = withSignature({ text: body, html: bodyHtml ?? null }, signature);
  if (quoted === undefined) return { text, html };
  return { text: text === '' ? quoted : `${text}\n\n${quoted}`, html };
}

function checkFiles(attachments: readonly OutgoingAttachment[]): void {
  const bytes = attachments.reduce(
    (sum, { content }) => sum + Buffer.byteLength(content, 'base64'),
    0,
  );
  if (bytes <= MAX_MESSAGE_BYTES) return;
  const message = 'attachments must have at most 10 MB together';
  throw invalid('VALIDATION_ERROR', message, [{ field: 'attachments', message }]);
}

/** Longer than most servers need; after this the answer says `queued` or `sending`. */
const AWAIT_MS = 10_000;
const POLL_MS = 50;

async function awaitDelivery({ db }: Needs, id: number): Promise<void> {
  const deadline = Date.now() + AWAIT_MS;
  while (Date.now() < deadline) {
    const state = await readDeliveryState(db, id);
    if (state !== 'queued' && state !== 'sending') return;
    await sleep(POLL_MS);
  }
}
