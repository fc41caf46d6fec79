/** Sends messages that people write, and stores a copy in their Sent folder. */
import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import type { Context } from '../../src/context.ts';
import { listAttachments, listPlaces } from '../../src/db/inbox/inbox-messages.ts';
import { releaseScheduled } from '../../src/db/inbox/scheduled-messages.ts';
import { findMailboxAccess } from '../../src/db/mailboxes/mailbox-access.ts';
import {
  claimOutgoingMessage,
  findOutgoingMessage,
  noteFiled,
  settleOutgoingMessage,
  type OutgoingMessage,
} from '../../src/db/sending/outgoing-messages.ts';
import { invalid, ProviderError } from '../../src/domain/errors.ts';
import type { PageResult } from '../../src/domain/operations/jobs.ts';
import { MAX_MESSAGE_BYTES } from '../../src/domain/inbox/inbox.ts';
import {
  connectionCodeOf,
  connectionWords,
} from '../../src/domain/mailboxes/connection-problems.ts';
import { RECIPIENT_REFUSED } from '../../src/domain/operations/objectives.ts';
import { refusalOf } from '../../src/domain/sending/smtp-refusals.ts';
import type {
  ImapSession,
  MailboxAccess,
  SubmissionSession,
} from '../../src/providers/mail-transport/port.ts';

type Needs = Pick<Context, 'db' | 'cipher' | 'mailTransport' | 'clock'>;

export const outgoingMessageActivities = (context: Needs) => ({
  /**
   * Sends it when its time has come, unless that was begun before: a message whose answer was lost may have
   * arrived, becomes `uncertain` and is never sent again. Safe to repeat. docs/sending-rules.md#send-once.
   */
  async sendOutgoingLetter({
    outgoingId,
  }: {
    outgoingId: number;
  }): Promise<PageResult & { isSent: boolean; waitMs?: number }> {
    const now = context.clock.now();
    const waitMs = await releaseScheduled(context.db, { id: outgoingId, now });
    if (waitMs > 0) {
      const progress = `Waits until ${new Date(now.getTime() + waitMs).toISOString()} to be sent`;
      return { state: 'active', isDone: false, isSent: false, progress, waitMs };
    }
    const message = await findOutgoingMessage(context.db, outgoingId);
    const ended = (isSent: boolean, progress: string) =>
      ({ state: 'active', isDone: true, isSent, progress }) as const;
    if (!message) return ended(false, 'The message is gone');
    if (message.state === 'sending') {
      const begun = { id: outgoingId, claimedBy: message.claimed_by };
      await settleOutgoingMessage(context.db, begun, { state: 'uncertain' });
      return ended(false, 'It may have arrived');
    }
    if (message.state === 'queued') await send(context, message);
    const { state } = (await findOutgoingMessage(context.db, outgoingId)) ?? message;
    return ended(state === 'sent', state);
  },

  /** Safe to repeat: first looks for the message in the Sent folder, where the server may have put it. */
  async fileOutgoingLetter({ outgoingId }: { outgoingId: number }): Promise<void> {
    const message = await findOutgoingMessage(context.db, outgoingId);
    if (!message || message.filed_at !== null) return;
    const access = await accessTo(context, message.mailbox_id);
    const raw = await compose(context, access, message);
    await inImap(context, access, async (imap) => {
      const folders = await imap.folders();
      const sent = folders.find(({ role }) => role === 'sent');
      if (!sent) return;
      const header = { name: 'Message-ID', value: message.message_id };
      if ((await imap.search(sent.path, header)).length > 0) return;
      await imap.append(sent.path, raw, ['\\Seen']);
    });
    await noteFiled(context.db, outgoingId, context.clock.now());
  },
});

/** Throws failures that heal by themselves; all others are settled in the row. */
async function send(context: Needs, message: OutgoingMessage): Promise<void> {
  const { db } = context;
  const access = await accessTo(context, message.mailbox_id);
  const raw = await compose(context, access, message).catch(async (error: unknown) => {
    if (!(error instanceof ApplicationFailure)) throw error;
    const { message: failure, type } = error;
    const code = type === 'NotFound' ? 'NOT_FOUND' : 'CONFLICT';
    const unclaimed = { id: message.id, claimedBy: null };
    await settleOutgoingMessage(db, unclaimed, { state: 'failed', failure, code });
  });
  if (!raw) return;
  const session = await openSession(context, access);
  const to = [...message.to_addresses, ...message.cc_addresses];
  const mine: Claim = { id: message.id, claimedBy: null };
  try {
    const { reply, refused } = await session.send({ from: access.email, to, raw }, async () => {
      const claimedBy = randomUUID();
      if (await claimOutgoingMessage(db, message.id, claimedBy)) {
        mine.claimedBy = claimedBy;
        return;
      }
      throw new NotQueued('The message is not queued any more');
    });
    const failure = refused.length === 0 ? null : `Refused for ${refused.join(', ')}`;
    const at = context.clock.now();
    await settleOutgoingMessage(db, mine, { state: 'sent', smtpReply: reply, failure, at });
  } catch (error) {
    await settleFailure(context, mine, error);
  } finally {
    session.close();
  }
}

/** At the server of a connected mailbox its owner cures a refused login; at a host of ours we do. */
async function openSession(
  { mailTransport }: Needs,
  access: MailboxAccess,
): Promise<SubmissionSession> {
  try {
    return await mailTransport.openSubmission(access);
  } catch (error) {
    const { servers } = access;
    if (!servers || !(error instanceof ProviderError) || error.kind !== 'rejected') throw error;
    const said = connectionCodeOf(error) ?? 'LOGIN_REFUSED';
    const code = said === 'LOGIN_REFUSED' && servers.oauth ? 'ACCESS_REFUSED' : said;
    const at = { protocol: 'SMTP', host: servers.smtp.host } as const;
    throw invalid(code, connectionWords(code, at, { words: '', guidance: undefined }));
  }
}

/** `claimedBy`: the token of this attempt, once its text is about to be sent. */
interface Claim {
  id: number;
  claimedBy: string | null;
}

class NotQueued extends Error {}

async function settleFailure({ db }: Needs, mine: Claim, error: unknown): Promise<void> {
  if (error instanceof NotQueued) return;
  if (!(error instanceof ProviderError)) throw error;
  if (error.kind === 'outcome_unknown') {
    return settleOutgoingMessage(db, mine, { state: 'uncertain' });
  }
  if (error.kind === 'rejected') {
    const failure = error.facts.reply ?? error.message;
    const isAddress = refusalOf(failure) === 'recipient';
    const code = isAddress ? RECIPIENT_REFUSED : 'PROVIDER_REJECTED';
    return settleOutgoingMessage(db, mine, { state: 'failed', failure, code });
  }
  // The server deferred it, or the text was never begun: it was not accepted.
  await settleOutgoingMessage(db, mine, { state: 'queued' });
  throw error;
}

async function accessTo(context: Needs, mailboxId: number): Promise<MailboxAccess> {
  const access = await findMailboxAccess(context, mailboxId);
  if (access) return access;
  throw ApplicationFailure.nonRetryable('The mailbox is not active any more', 'NotFound');
}

/** The same message each time, except for the boundaries of its parts. */
async function compose(
  context: Needs,
  access: MailboxAccess,
  message: OutgoingMessage,
): Promise<Buffer> {
  const own = (message.attachments ?? []).map(({ filename, contentType, content }) => ({
    filename,
    contentType,
    content: Buffer.from(content, 'base64'),
  }));
  const forwarded =
    message.forwarded_id === null ? [] : await filesOf(context, access, message.forwarded_id);
  return context.mailTransport.compose({
    from: { address: message.from_address, name: message.from_name ?? undefined },
    to: message.to_addresses.join(', '),
    cc: message.cc_addresses,
    subject: message.subject,
    text: message.body_text,
    html: message.body_html ?? undefined,
    messageId: message.message_id,
    date: message.sent_at,
    inReplyTo: message.in_reply_to ?? undefined,
    references: message.reference_ids,
    files: [...own, ...forwarded],
  });
}

/** The files of a forwarded message, from its host; without any one of them it is not sent. */
async function filesOf(context: Needs, access: MailboxAccess, messageId: number) {
  const attachments = await listAttachments(context.db, [messageId]);
  const [place] = await listPlaces(context.db, messageId);
  const files: { filename: string; contentType: string; content: Buffer }[] = [];
  const total = attachments.reduce((sum, each) => sum + each.size_bytes, 0);
  if (attachments.length === 0) return files;
  if (!place) throw filesGone();
  if (total > MAX_MESSAGE_BYTES) {
    throw ApplicationFailure.nonRetryable('Its files are too large to forward', 'Conflict');
  }
  await inImap(context, access, async (imap) => {
    for (const { part, filename, content_type } of attachments) {
      const stream = await imap.download(place.path, place.uid, part).catch((error: unknown) => {
        const isGone = error instanceof ProviderError && error.kind === 'rejected';
        throw isGone ? filesGone() : error;
      });
      const chunks: Buffer[] = [];
      let size = 0;
      for await (const chunk of stream) {
        size += (chunk as Buffer).length;
        if (size > MAX_MESSAGE_BYTES) throw new Error('a file is larger than it said');
        chunks.push(chunk as Buffer);
      }
      files.push({ filename, contentType: content_type, content: Buffer.concat(chunks) });
    }
  });
  return files;
}

const filesGone = () =>
  ApplicationFailure.nonRetryable('Its files are gone from the mailbox', 'NotFound');

async function inImap<T>(
  { mailTransport }: Needs,
  access: MailboxAccess,
  work: (imap: ImapSession) => Promise<T>,
): Promise<T> {
  const imap = await mailTransport.openImap(access);
  try {
    return await work(imap);
  } finally {
    await imap.close();
  }
}
