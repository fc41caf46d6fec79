/** Sends the warm-up letter that is due, at most once: claimed, sending, then what became of it. */
import { isDatabaseDown } from '../../src/domain/database-down.ts';
import {
  claimLetter,
  finishLetter,
  markSending,
  readThread,
  unclaimLetter,
} from '../../src/db/warmup/warmup-sends.ts';
import type { WarmupLetter } from '../../src/db/warmup/warmup-letters.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { sendingMs } from '../../src/domain/sending/sending-time.ts';
import { storable } from '../../src/domain/storable-text.ts';
import { warmupTokenOf } from '../../src/domain/warmup/warmup-message-id.ts';
import { fullNameOf, writeWarmupLetter } from '../../src/domain/warmup/warmup-writing.ts';
import type { RawLetter, SubmissionSession } from '../../src/providers/mail-transport/port.ts';
import { quarantineForLogin } from './health.ts';
import type { WarmupMailbox, WarmupRound } from './round.ts';

/** Seconds of sending after which a letter that was deferred, or not taken at all, is tried again. */
const DEFERRED_SECONDS = 900;

/** The server's last words are kept, as far as a person would read them. */
const MAX_REPLY = 500;

/** The claim was taken back while the letter was on its way to the server. */
class NotOurs extends Error {}

/** Sends at most one letter; answers when there may be another one, null = none is planned. */
export async function sendNextLetter(
  round: WarmupRound,
  mailbox: WarmupMailbox,
): Promise<Date | null> {
  const { context, mailboxId, claimedBy } = round;
  const now = context.clock.now();
  const claim = await context.db
    .transaction()
    .execute((trx) => claimLetter(trx, context.config, { mailboxId, claimedBy, now }));
  if (claim.letter === null) return claim.until;
  await sendClaimed(round, mailbox, claim.letter);
  return context.clock.now();
}

async function sendClaimed(
  round: WarmupRound,
  mailbox: WarmupMailbox,
  letter: WarmupLetter,
): Promise<void> {
  const { context, claimedBy } = round;
  const later = () => {
    const ms = sendingMs(DEFERRED_SECONDS, context.config.DAY_SECONDS);
    return new Date(context.clock.now().getTime() + Math.max(1_000, ms));
  };
  const takeBack = () => unclaimLetter(context.db, letter.id, claimedBy, later());
  let session: SubmissionSession;
  try {
    session = await context.mailTransport.openSubmission(mailbox.access);
  } catch (error) {
    await takeBack();
    await troubleAtLogin(round, error);
    return;
  }
  try {
    await submit(round, session, letter, await rawLetter(round, mailbox, letter));
  } catch (error) {
    if (!(error instanceof NotOurs)) throw error;
    await takeBack();
  } finally {
    session.close();
  }
}

async function submit(
  { context, claimedBy }: WarmupRound,
  session: SubmissionSession,
  letter: WarmupLetter,
  raw: RawLetter,
): Promise<void> {
  const { db, clock } = context;
  const finish = (state: 'sent' | 'refused' | 'uncertain', reply: string | null) =>
    finishLetter(db, letter.id, claimedBy, { state, at: clock.now(), reply: short(reply) });
  try {
    const { reply } = await session.send(raw, async () => {
      if (!(await markSending(db, letter.id, claimedBy))) throw new NotOurs();
    });
    await finish('sent', reply);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const reply = error.facts.reply ?? error.facts.providerCode ?? null;
    if (error.kind === 'rejected') await finish('refused', reply);
    else if (error.kind === 'outcome_unknown') await finish('uncertain', reply);
    // A 4xx, or a line that broke before the text: nothing was taken.
    else {
      const ms = sendingMs(DEFERRED_SECONDS, context.config.DAY_SECONDS);
      const later = new Date(clock.now().getTime() + Math.max(1_000, ms));
      await unclaimLetter(db, letter.id, claimedBy, later);
    }
  }
}

const short = (reply: string | null) => reply && storable(reply.slice(0, MAX_REPLY));

/** Written anew from its token; nothing of its text is kept. */
async function rawLetter(
  { context }: WarmupRound,
  { email }: WarmupMailbox,
  letter: WarmupLetter,
): Promise<RawLetter> {
  const thread = await readThread(context.db, letter.id);
  const { subject, text } = writeWarmupLetter(
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
    to: letter.to_address,
    subject,
    text,
    messageId: letter.message_id,
    date: context.clock.now(),
    inReplyTo: references.at(-1),
    references,
  });
  return { from: email, to: letter.to_address, raw };
}

async function troubleAtLogin(round: WarmupRound, error: unknown): Promise<void> {
  if (isDatabaseDown(error) || !(error instanceof ProviderError)) throw error;
  if (error.kind === 'rejected' || error.kind === 'auth') {
    await quarantineForLogin(round.context, round.mailboxId);
  } else {
    const { mailboxId } = round;
    round.context.logger.warn({ mailboxId, kind: error.kind }, 'warm-up cannot reach its server');
  }
}
