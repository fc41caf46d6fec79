/** Tends partners' letters as a friendly reader would: out of spam, important, read, answered. */
import { findMailboxEmail } from '../../src/db/warmup/warmup-letters.ts';
import {
  listExpectedLetters,
  noteSaved,
  noteSeen,
  planAnswer,
  postponeAnswer,
} from '../../src/db/warmup/warmup-arrivals.ts';
import type { WarmupLetter } from '../../src/db/warmup/warmup-letters.ts';
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
import type { WarmupMailbox, WarmupRound } from './round.ts';

/** Logs in only when a letter is expected. A server that cannot be reached is asked the next time. */
export async function tendLetters(round: WarmupRound, mailbox: WarmupMailbox): Promise<void> {
  const { context, mailboxId } = round;
  const lookMs = sendingDaysMs(WARMUP_RULES.lookDays, context.config.DAY_SECONDS);
  const since = new Date(mailbox.now.getTime() - lookMs);
  const expected = await listExpectedLetters(context.db, mailboxId, since);
  if (expected.length === 0) return;
  try {
    const session = await context.mailTransport.openImap(mailbox.access);
    try {
      await tendIn(round, mailbox, session, expected);
    } finally {
      await session.close();
    }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.kind === 'rejected') await quarantineForLogin(context, mailboxId);
    else context.logger.warn({ mailboxId, kind: error.kind }, 'warm-up cannot read its mailbox');
  }
}

async function tendIn(
  round: WarmupRound,
  mailbox: WarmupMailbox,
  session: ImapSession,
  expected: WarmupLetter[],
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
    const missing: WarmupLetter[] = [];
    for (const letter of left) {
      round.signal.throwIfAborted();
      const header = { name: 'Message-ID', value: letter.message_id };
      const uids = await session.search(place.path, header);
      if (uids.length === 0) missing.push(letter);
      else await tendLetter(round, mailbox, session, { letter, uids, place });
    }
    left = missing;
  }
}

interface Place {
  path: string;
  seenIn: 'inbox' | 'spam';
  inbox: string;
}

/**
 * Noted before it is moved: a repeat after a crash finds it in the inbox, where it was not seen
 * first.
 */
async function tendLetter(
  round: WarmupRound,
  mailbox: WarmupMailbox,
  session: ImapSession,
  found: { letter: WarmupLetter; uids: number[]; place: Place },
): Promise<void> {
  const { letter, uids, place } = found;
  const { db, clock } = round.context;
  await db.transaction().execute(async (trx) => {
    const isNew = await noteSeen(trx, letter.id, { in: place.seenIn, at: clock.now() });
    if (isNew) await answer(round, mailbox, trx, letter);
  });
  await session.addFlags(place.path, uids, ['\\Seen', '\\Flagged']);
  if (place.seenIn === 'spam') await session.move(place.path, uids, place.inbox);
  const wasInSpam = place.seenIn === 'spam' || letter.seen_in === 'spam';
  if (wasInSpam) await noteSaved(db, letter.id, clock.now());
}

/** Per cent of letters get an answer, answers to answers fewer; the letter's id decides which. */
async function answer(
  { context }: WarmupRound,
  mailbox: WarmupMailbox,
  trx: Parameters<typeof planAnswer>[0],
  letter: WarmupLetter,
): Promise<void> {
  const { row, email, timezone } = mailbox;
  const isSending = SENDING_STATUSES.some((status) => status === row.status);
  const isAnswer = letter.in_reply_to_id !== null;
  const share = isAnswer ? WARMUP_RULES.answerToAnswerShare : 1;
  if (!isSending || choose(`${letter.message_id}/answered`, 100) >= row.reply_rate * share) return;
  const thread = await readThread(trx, letter.id);
  const toAddress = await findMailboxEmail(trx, letter.from_mailbox_id);
  if (thread.length >= WARMUP_RULES.longestThread || toAddress === undefined) return;
  const { DAY_SECONDS: daySeconds } = context.config;
  const calendar = { timezone, weekdaysOnly: row.weekdays_only, daySeconds };
  const now = context.clock.now();
  const { from, to } = WARMUP_RULES.answerAfterSeconds;
  const delay = from + choose(`${letter.message_id}/delay`, to - from);
  const wanted = new Date(now.getTime() + sendingMs(delay, daySeconds));
  const hours = wakingHours(calendar, wanted);
  const plannedAt = hours.from > wanted ? hours.from : wanted;
  const today = wakingHours(calendar, now);
  const messageId = newMessageId(email);
  const room = await planAnswer(trx, letter, {
    messageId,
    toAddress,
    plannedAt,
    today: today.until,
  });
  const isToday = plannedAt < today.until;
  if (room === 'no_room' && isToday) {
    await postponeAnswer(trx, letter.id, wakingHours(calendar, today.until).from);
  }
}
