/** Handles partners' messages as a friendly reader would: out of spam, important, read, answered. */
import { findMailboxEmail } from '../../src/db/warmup/warmup-messages.ts';
import {
  listExpectedMessages,
  noteSaved,
  noteSeen,
  planAnswer,
  postponeAnswer,
} from '../../src/db/warmup/warmup-arrivals.ts';
import { askReader } from '../../src/db/warmup/tending-requests.ts';
import type { WarmupMessage } from '../../src/db/warmup/warmup-messages.ts';
import { readThread } from '../../src/db/warmup/warmup-sends.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { choose } from '../../src/domain/seeded-choice.ts';
import { sendingDaysMs, sendingMs } from '../../src/domain/sending/sending-time.ts';
import { wakingHours } from '../../src/domain/warmup/warmup-days.ts';
import { WARMUP_RULES } from '../../src/domain/warmup/warmup-rules.ts';
import { SENDING_STATUSES } from '../../src/domain/warmup/warmup.ts';
import type { ImapSession } from '../../src/providers/mail-transport/port.ts';
import { quarantineForLogin } from './health.ts';
import { newMessageId } from './plan-day.ts';
import type { WarmupMailbox, WarmupSession } from './warmup-mailbox.ts';

/** What handling messages needs of a session, which may be one of the inbox. */
export type Tending = Pick<WarmupSession, 'context' | 'mailboxId' | 'signal'>;
export type TendedMailbox = Omit<WarmupMailbox, 'access'>;

/**
 * Only when a message is expected. Whoever reads the mailbox does it, by the connection that is open: hosts limit
 * connections, and a worker that knows nothing of the other one's would hold a second one. Where nobody reads it, it is
 * logged in to; a server that cannot be reached is tried the next time.
 */
export async function tendMessages(
  warmupSession: WarmupSession,
  mailbox: WarmupMailbox,
): Promise<void> {
  const { context, mailboxId } = warmupSession;
  const expected = await listExpected(warmupSession, mailbox);
  if (expected.length === 0) return;
  if (await askReader(context.db, mailboxId, context.clock.now())) return;
  try {
    const session = await context.mailTransport.openImap(mailbox.access);
    try {
      await tendIn(warmupSession, mailbox, session, expected);
    } finally {
      await session.close();
    }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.kind === 'rejected') await quarantineForLogin(context, mailboxId);
    else context.logger.warn({ mailboxId, kind: error.kind }, 'warm-up cannot read its mailbox');
  }
}

export function listExpected(
  { context, mailboxId }: Tending,
  { now }: TendedMailbox,
): Promise<WarmupMessage[]> {
  const lookMs = sendingDaysMs(WARMUP_RULES.lookDays, context.config.DAY_SECONDS);
  return listExpectedMessages(context.db, mailboxId, new Date(now.getTime() - lookMs));
}

export async function tendIn(
  tending: Tending,
  mailbox: TendedMailbox,
  session: ImapSession,
  expected: WarmupMessage[],
): Promise<void> {
  const folders = await session.folders();
  const inbox = folders.find(({ role }) => role === 'inbox')?.path ?? 'INBOX';
  const junk = folders.find(({ role }) => role === 'junk')?.path;
  const places: Place[] = [{ path: inbox, seenIn: 'inbox', inbox }];
  if (junk !== undefined) places.push({ path: junk, seenIn: 'spam', inbox });
  let left = expected;
  for (const place of places) {
    if (left.length === 0) break;
    await session.open(place.path);
    const missing: WarmupMessage[] = [];
    for (const message of left) {
      tending.signal.throwIfAborted();
      const header = { name: 'Message-ID', value: message.message_id };
      const uids = await session.search(place.path, header);
      if (uids.length === 0) missing.push(message);
      else await tendMessage(tending, mailbox, session, { message, uids, place });
    }
    left = missing;
  }
}

interface Place {
  path: string;
  seenIn: 'inbox' | 'spam';
  inbox: string;
}

/** Recorded before it is moved: after a crash, a repeat finds it in the inbox, where it was not at first. */
async function tendMessage(
  tending: Tending,
  mailbox: TendedMailbox,
  session: ImapSession,
  found: { message: WarmupMessage; uids: number[]; place: Place },
): Promise<void> {
  const { message, uids, place } = found;
  const { db, clock } = tending.context;
  await db.transaction().execute(async (trx) => {
    const isNew = await noteSeen(trx, message.id, { in: place.seenIn, at: clock.now() });
    if (isNew) await answer(tending, mailbox, trx, message);
  });
  await session.addFlags(place.path, uids, ['\\Seen', '\\Flagged']);
  if (place.seenIn === 'spam') await session.move(place.path, uids, place.inbox);
  const wasInSpam = place.seenIn === 'spam' || message.seen_in === 'spam';
  if (wasInSpam) await noteSaved(db, message.id, clock.now());
}

/** A percentage of messages is answered, fewer answers to answers; the message's id decides which. */
async function answer(
  { context }: Tending,
  mailbox: TendedMailbox,
  trx: Parameters<typeof planAnswer>[0],
  message: WarmupMessage,
): Promise<void> {
  const { row, email, timezone } = mailbox;
  const isSending = SENDING_STATUSES.some((status) => status === row.status);
  const isAnswer = message.in_reply_to_id !== null;
  const share = isAnswer ? WARMUP_RULES.answerToAnswerShare : 1;
  if (!isSending || choose(`${message.message_id}/answered`, 100) >= row.reply_rate * share) return;
  const thread = await readThread(trx, message.id);
  const toAddress = await findMailboxEmail(trx, message.from_mailbox_id);
  if (thread.length >= WARMUP_RULES.longestThread || toAddress === undefined) return;
  const { DAY_SECONDS: daySeconds } = context.config;
  const calendar = { timezone, weekdaysOnly: row.weekdays_only, daySeconds };
  const now = context.clock.now();
  const { from, to } = WARMUP_RULES.answerAfterSeconds;
  const delay = from + choose(`${message.message_id}/delay`, to - from);
  const wanted = new Date(now.getTime() + sendingMs(delay, daySeconds));
  const hours = wakingHours(calendar, wanted);
  const plannedAt = hours.from > wanted ? hours.from : wanted;
  const today = wakingHours(calendar, now);
  const messageId = newMessageId(email);
  const room = await planAnswer(trx, message, {
    messageId,
    toAddress,
    plannedAt,
    today: today.until,
  });
  const isToday = plannedAt < today.until;
  if (room === 'no_room' && isToday) {
    await postponeAnswer(trx, message.id, wakingHours(calendar, today.until).from);
  }
}
