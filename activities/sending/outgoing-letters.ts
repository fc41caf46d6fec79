/** Sending the letters that people write, and putting a copy into their Sent folder. */
import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import type { Context } from '../../src/context.ts';
import { listAttachments, listPlaces } from '../../src/db/inbox/inbox-letters.ts';
import { findMailboxAccess } from '../../src/db/mailboxes/mailbox-access.ts';
import {
  claimOutgoingLetter,
  findOutgoingLetter,
  noteFiled,
  settleOutgoingLetter,
  type OutgoingLetter,
} from '../../src/db/sending/outgoing-letters.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import type { PageResult } from '../../src/domain/operations/jobs.ts';
import { MAX_LETTER_BYTES } from '../../src/domain/inbox/inbox.ts';
import type { ImapSession, MailboxAccess } from '../../src/providers/mail-transport/port.ts';

type Needs = Pick<Context, 'db' | 'cipher' | 'mailTransport' | 'clock'>;

export const outgoingLetterActivities = (context: Needs) => ({
  /**
   * Sends it unless that was begun before: a letter whose answer was lost may have arrived and is
   * `uncertain`, never sent again. Safe to repeat. docs/sending-rules.md#send-once.
   */
  async sendOutgoingLetter({
    outgoingId,
  }: {
    outgoingId: number;
  }): Promise<PageResult & { isSent: boolean }> {
    const letter = await findOutgoingLetter(context.db, outgoingId);
    const ended = (isSent: boolean, progress: string) =>
      ({ state: 'active', isDone: true, isSent, progress }) as const;
    if (!letter) return ended(false, 'The letter is gone');
    if (letter.state === 'sending') {
      await settleOutgoingLetter(context.db, outgoingId, { state: 'uncertain' });
      return ended(false, 'It may have arrived');
    }
    if (letter.state === 'queued') await send(context, letter);
    const { state } = (await findOutgoingLetter(context.db, outgoingId)) ?? letter;
    return ended(state === 'sent', state);
  },

  /** Safe to repeat: looks for the letter in the Sent folder first, where the server put it perhaps. */
  async fileOutgoingLetter({ outgoingId }: { outgoingId: number }): Promise<void> {
    const letter = await findOutgoingLetter(context.db, outgoingId);
    if (!letter || letter.filed_at !== null) return;
    const access = await accessTo(context, letter.mailbox_id);
    const raw = await compose(context, access, letter);
    await inImap(context, access, async (imap) => {
      const folders = await imap.folders();
      const sent = folders.find(({ role }) => role === 'sent');
      if (!sent) return;
      const header = { name: 'Message-ID', value: letter.message_id };
      if ((await imap.search(sent.path, header)).length > 0) return;
      await imap.append(sent.path, raw, ['\\Seen']);
    });
    await noteFiled(context.db, outgoingId, context.clock.now());
  },
});

/** Throws what heals by itself; everything else is settled in the row. */
async function send(context: Needs, letter: OutgoingLetter): Promise<void> {
  const { db } = context;
  const access = await accessTo(context, letter.mailbox_id);
  const raw = await compose(context, access, letter).catch(async (error: unknown) => {
    if (!(error instanceof ApplicationFailure)) throw error;
    await settleOutgoingLetter(db, letter.id, { state: 'failed', failure: error.message });
  });
  if (!raw) return;
  const session = await context.mailTransport.openSubmission(access);
  const to = [...letter.to_addresses, ...letter.cc_addresses];
  try {
    const { reply, refused } = await session.send({ from: access.email, to, raw }, async () => {
      if (await claimOutgoingLetter(db, letter.id, randomUUID())) return;
      throw new NotQueued('The letter is not queued any more');
    });
    const failure = refused.length === 0 ? null : `Refused for ${refused.join(', ')}`;
    const at = context.clock.now();
    await settleOutgoingLetter(db, letter.id, { state: 'sent', smtpReply: reply, failure, at });
  } catch (error) {
    await settleFailure(context, letter.id, error);
  } finally {
    session.close();
  }
}

class NotQueued extends Error {}

async function settleFailure({ db }: Needs, id: number, error: unknown): Promise<void> {
  if (error instanceof NotQueued) return;
  if (!(error instanceof ProviderError)) throw error;
  if (error.kind === 'outcome_unknown') {
    return settleOutgoingLetter(db, id, { state: 'uncertain' });
  }
  if (error.kind === 'rejected') {
    const failure = error.facts.reply ?? error.message;
    return settleOutgoingLetter(db, id, { state: 'failed', failure });
  }
  // The server deferred it, or the text was never begun: it has not got it.
  await settleOutgoingLetter(db, id, { state: 'queued' });
  throw error;
}

async function accessTo(context: Needs, mailboxId: number): Promise<MailboxAccess> {
  const access = await findMailboxAccess(context, mailboxId);
  if (access) return access;
  throw ApplicationFailure.nonRetryable('The mailbox is not active any more', 'NotFound');
}

/** The same letter each time, but for the boundaries of its parts. */
async function compose(
  context: Needs,
  access: MailboxAccess,
  letter: OutgoingLetter,
): Promise<Buffer> {
  const own = (letter.attachments ?? []).map(({ filename, contentType, content }) => ({
    filename,
    contentType,
    content: Buffer.from(content, 'base64'),
  }));
  const forwarded =
    letter.forwarded_id === null ? [] : await filesOf(context, access, letter.forwarded_id);
  return context.mailTransport.compose({
    from: { address: letter.from_address, name: letter.from_name ?? undefined },
    to: letter.to_addresses.join(', '),
    cc: letter.cc_addresses,
    subject: letter.subject,
    text: letter.body_text,
    html: letter.body_html ?? undefined,
    messageId: letter.message_id,
    date: letter.sent_at,
    inReplyTo: letter.in_reply_to ?? undefined,
    references: letter.reference_ids,
    files: [...own, ...forwarded],
  });
}

/** The files of a letter that is forwarded, from its host; it is not sent without one of them. */
async function filesOf(context: Needs, access: MailboxAccess, messageId: number) {
  const attachments = await listAttachments(context.db, [messageId]);
  const [place] = await listPlaces(context.db, messageId);
  const files: { filename: string; contentType: string; content: Buffer }[] = [];
  const total = attachments.reduce((sum, each) => sum + each.size_bytes, 0);
  if (attachments.length === 0) return files;
  if (!place) throw filesGone();
  if (total > MAX_LETTER_BYTES) {
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
        if (size > MAX_LETTER_BYTES) throw new Error('a file is larger than it said');
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
