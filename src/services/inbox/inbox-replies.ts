/** Answering and forwarding letters from the mailbox that has them. Choices 34, 57. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Transaction } from 'kysely';
import { WORKFLOW_QUEUE } from '../../../workflows/contracts/queues.ts';
import { sendReplyType, sendReplyWorkflowId } from '../../../workflows/contracts/send-reply.ts';
import type { Context } from '../../context.ts';
import { findUser } from '../../db/accounts/accounts.ts';
import { findUserLetter, type Letter } from '../../db/inbox/inbox-letters.ts';
import { findMailboxAccess } from '../../db/mailboxes/mailbox-access.ts';
import { listSenders } from '../../db/mailboxes/mailboxes.ts';
import {
  insertOperation,
  lockRequestedOperation,
  type Operation,
} from '../../db/operations/operations.ts';
import {
  findOutgoingLetter,
  insertOutgoingLetter,
  readDeliveryState,
} from '../../db/sending/outgoing-letters.ts';
import type { Database } from '../../db/tables.ts';
import { forwardedText, forwardSubject, referencesOf } from '../../domain/inbox/answers.ts';
import { invalid, notFound } from '../../domain/errors.ts';
import { MAX_LETTER_BYTES, type OutgoingAttachment } from '../../domain/inbox/inbox.ts';
import { answerTo } from '../../domain/sending/letter-content.ts';
import { withSignature } from '../../domain/mailboxes/signatures.ts';
import { sanitizeForDisplay } from '../../inbox-html.ts';
import { ACTOR } from '../accounts/actors.ts';
import { getUserLetter, type WholeLetter } from './inbox.ts';
import { paceOf } from '../operations/operations.ts';

type Needs = Pick<Context, 'db' | 'config' | 'cipher' | 'clock' | 'startOperation'>;

export interface Answer {
  body: string;
  bodyHtml?: string | undefined;
  cc: readonly string[];
  attachments: readonly OutgoingAttachment[];
}

/** What is new in the letter that is sent. */
interface Writing extends Answer {
  to: string;
  subject: string;
  inReplyTo: string | null;
  references: readonly string[];
  forwardedId: number | null;
  /** The letter that is forwarded, under what is written here. */
  quoted?: string;
}

interface Request {
  userId: string;
  id: number;
  /** A repeat with the same one is answered with the letter of the first. */
  requestKey: string | undefined;
}

/**
 * Answers a letter in its thread: to its `Reply-To` or sender; for a letter of our own, to whom that
 * went. Nothing suppresses it: who wrote may be answered. 400 NO_RECIPIENT where the letter says neither.
 */
export const replyToLetter = (context: Needs, request: Request, answer: Answer) =>
  write(context, request, (letter) => ({
    ...answer,
    to: recipientOf(letter),
    subject: answerTo(letter.subject),
    inReplyTo: letter.message_id,
    references: referencesOf({
      messageId: letter.message_id,
      inReplyTo: letter.in_reply_to,
      references: letter.reference_ids,
    }),
    forwardedId: null,
  }));

function recipientOf(letter: Letter): string {
  const address = letter.direction === 'outbound' ? letter.to_addresses[0] : letter.reply_to;
  const to = address || letter.from_address;
  if (to) return to;
  throw invalid('NO_RECIPIENT', 'The letter names no sender who could be answered; forward it');
}

/** Sends a letter on, with its files, to whom the user chooses. */
export const forwardLetter = (
  context: Needs,
  request: Request,
  { to, body }: { to: string; body: string },
) =>
  write(context, request, (letter) => ({
    body,
    quoted: forwardedText({
      from: letter.from_address,
      to: letter.to_addresses.join(', '),
      sentAt: letter.sent_at,
      subject: letter.subject,
      text: letter.body_text,
    }),
    cc: [],
    attachments: [],
    to,
    subject: forwardSubject(letter.subject),
    inReplyTo: null,
    references: [letter.message_id],
    forwardedId: letter.id,
  }));

/** Letter and intent in one transaction, then its workflow; waits a little for the outcome. */
async function write(
  context: Needs,
  request: Request,
  compose: (letter: Letter) => Writing,
): Promise<WholeLetter & { workflowId: string }> {
  const { userId, id, requestKey } = request;
  const operation = await context.db.transaction().execute(async (trx) => {
    const earlier = requestKey && (await lockRequestedOperation(trx, userId, requestKey));
    if (earlier) return earlier;
    const letter = await findUserLetter(trx, userId, id);
    if (!letter) throw notFound('message');
    return insertWriting(context, trx, { letter, writing: compose(letter), requestKey });
  });
  if (operation.started_at !== null || (await context.startOperation(operation))) {
    await awaitDelivery(context, operation.resource_id);
  }
  const sent = await findOutgoingLetter(context.db, operation.resource_id);
  if (!sent) throw notFound('message');
  const whole = await getUserLetter(context, userId, sent.message_row_id);
  return { ...whole, workflowId: operation.workflow_id };
}

async function insertWriting(
  context: Needs,
  trx: Transaction<Database>,
  {
    letter,
    writing,
    requestKey,
  }: { letter: Letter; writing: Writing; requestKey: string | undefined },
): Promise<Operation> {
  const { user_id: userId, mailbox_id: mailboxId } = letter;
  const access = await findMailboxAccess({ db: trx, cipher: context.cipher }, mailboxId);
  if (!access) {
    throw invalid('MAILBOX_NOT_ACTIVE', 'The mailbox of this letter is not active any more');
  }
  checkFiles(writing.attachments);
  const account = await findUser(trx, userId);
  const sender = (await listSenders(trx, [mailboxId])).get(mailboxId);
  const senderName = sender?.name ?? account?.sender_name ?? null;
  const { text, html } = partsOf(writing, sender?.signature ?? null);
  const domain = access.email.slice(access.email.lastIndexOf('@') + 1);
  const { id } = await insertOutgoingLetter(trx, {
    ...writing,
    userId,
    mailboxId,
    threadId: letter.thread_id,
    campaignId: letter.campaign_id,
    leadId: letter.lead_id,
    messageId: `<${randomUUID()}@${domain}>`,
    from: { address: access.email, name: senderName },
    text,
    html: html === null ? null : { sent: html, shown: sanitizeForDisplay(html) },
    at: context.clock.now(),
  });
  return insertOperation(trx, {
    userId,
    kind: sendReplyType,
    workflowId: sendReplyWorkflowId(id),
    taskQueue: WORKFLOW_QUEUE,
    summary: 'Send a letter that a person wrote',
    input: { outgoingId: id, pace: paceOf(context) },
    resourceType: 'outgoing_letter',
    resourceId: id,
    steps: [],
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
  if (bytes <= MAX_LETTER_BYTES) return;
  const message = 'attachments must have at most 10 MB together';
  throw invalid('VALIDATION_ERROR', message, [{ field: 'attachments', message }]);
}

/** Longer than most servers need; slower than that the answer says `queued` or `sending`. */
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
