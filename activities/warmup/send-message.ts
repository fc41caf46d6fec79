/** Sends the warm-up message that is due, at most once: claimed, sending, then its delivery result. */
import { isDatabaseDown } from '../../src/domain/database-down.ts';
import {
  claimMessage,
  finishMessage,
  markSending,
  readThread,
  unclaimMessage,
} from '../../src/db/warmup/warmup-sends.ts';
import type { WarmupMessage } from '../../src/db/warmup/warmup-messages.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { sendingMs } from '../../src/domain/sending/sending-time.ts';
import { storable } from '../../src/domain/storable-text.ts';
import { warmupTokenOf } from '../../src/domain/warmup/warmup-message-id.ts';
import { fullNameOf, writeWarmupMessage } from '../../src/domain/warmup/warmup-writing.ts';
import type { RawMessage, SubmissionSession } from '../../src/providers/mail-transport/port.ts';
import { quarantineForLogin } from './health.ts';
import type { WarmupMailbox, WarmupSession } from './warmup-mailbox.ts';

/** Seconds of sending until a message that was deferred, or not accepted, is retried. */
const DEFERRED_SECONDS = 900;

/** The server's last reply is kept, up to what a person would read. */
const MAX_REPLY = 500;

/** The claim was taken back while the message was on its way to the server. */
class NotOurs extends Error {}

/** Sends at most one message; returns when the next one may be due, null = none is planned. */
export async function sendNextMessage(
  warmupSession: WarmupSession,
  mailbox: WarmupMailbox,
): Promise<Date | null> {
  const { context, mailboxId, claimedBy } = warmupSession;
  const now = context.clock.now();
  const claim = await context.db
    .transaction()
    .execute((trx) => claimMessage(trx, context.config, { mailboxId, claimedBy, now }));
  if (claim.message === null) return claim.until;
  await sendClaimed(warmupSession, mailbox, claim.message);
  return context.clock.now();
}

async function sendClaimed(
  warmupSession: WarmupSession,
  mailbox: WarmupMailbox,
  message: WarmupMessage,
): Promise<void> {
  const { context, claimedBy } = warmupSession;
  const later = () => {
    const ms = sendingMs(DEFERRED_SECONDS, context.config.DAY_SECONDS);
    return new Date(context.clock.now().getTime() + Math.max(1_000, ms));
  };
  const takeBack = () => unclaimMessage(context.db, message.id, claimedBy, later());
  let session: SubmissionSession;
  try {
    session = await context.mailTransport.openSubmission(mailbox.access);
  } catch (error) {
    await takeBack();
    await troubleAtLogin(warmupSession, error);
    return;
  }
  try {
    await submit(
      warmupSession,
      session,
      message,
      await rawMessage(warmupSession, mailbox, message),
    );
  } catch (error) {
    if (!(error instanceof NotOurs)) throw error;
    await takeBack();
  } finally {
    session.close();
  }
}

async function submit(
  { context, claimedBy }: WarmupSession,
  session: SubmissionSession,
  message: WarmupMessage,
  raw: RawMessage,
): Promise<void> {
  const { db, clock } = context;
  const finish = (state: 'sent' | 'refused' | 'uncertain', reply: string | null) =>
    finishMessage(db, message.id, claimedBy, { state, at: clock.now(), reply: short(reply) });
  try {
    const { reply } = await session.send(raw, async () => {
      if (!(await markSending(db, message.id, claimedBy))) throw new NotOurs();
    });
    await finish('sent', reply);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const reply = error.facts.reply ?? error.facts.providerCode ?? null;
    if (error.kind === 'rejected') await finish('refused', reply);
    else if (error.kind === 'outcome_unknown') await finish('uncertain', reply);
    // A 4xx, or a connection lost before the text: nothing was accepted.
    else {
      const ms = sendingMs(DEFERRED_SECONDS, context.config.DAY_SECONDS);
      const later = new Date(clock.now().getTime() + Math.max(1_000, ms));
      await unclaimMessage(db, message.id, claimedBy, later);
    }
  }
}

const short = (reply: string | null) => reply && storable(reply.slice(0, MAX_REPLY));

/** Generated again from its token; its text is not stored. */
async function rawMessage(
  { context }: WarmupSession,
  { email }: WarmupMailbox,
  message: WarmupMessage,
): Promise<RawMessage> {
  const thread = await readThread(context.db, message.id);
  const { subject, text } = writeWarmupMessage(
    thread.map(({ message_id, from_email, to_address, at }) => ({
      token: warmupTokenOf(message_id),
      from: from_email,
      to: to_address,
      at,
    })),
  );
  const references = thread.slice(0, -1).map(({ message_id }) => message_id);
  const raw = await context.mailTransport.compose({
    from: { address: email, name: fullNameOf(email) },
    to: message.to_address,
    subject,
    text,
    messageId: message.message_id,
    date: context.clock.now(),
    inReplyTo: references.at(-1),
    references,
  });
  return { from: email, to: message.to_address, raw };
}

async function troubleAtLogin(warmupSession: WarmupSession, error: unknown): Promise<void> {
  if (isDatabaseDown(error) || !(error instanceof ProviderError)) throw error;
  if (error.kind === 'rejected') {
    await quarantineForLogin(warmupSession.context, warmupSession.mailboxId);
  } else {
    const { mailboxId } = warmupSession;
    warmupSession.context.logger.warn(
      { mailboxId, kind: error.kind },
      'warm-up cannot reach its server',
    );
  }
}
