/** A round of a mailbox's warm-up: it plans the day, sends, and looks after what partners wrote. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../src/context.ts';
import { passwordBinding } from '../../src/db/mailboxes/mailboxes.ts';
import { recoverLetters } from '../../src/db/warmup/warmup-sends.ts';
import { endWarmup, lookAtWarmup, type WarmupLook } from '../../src/db/warmup/warmups.ts';
import type { RoundResult } from '../../src/domain/operations/jobs.ts';
import { sendingMs } from '../../src/domain/sending/sending-time.ts';
import { wakingHours } from '../../src/domain/warmup/warmup-days.ts';
import { isWorthBeginning } from '../../src/domain/warmup/warmup-plan.ts';
import { WARMUP_RULES } from '../../src/domain/warmup/warmup-rules.ts';
import { warmupJobState } from '../../src/domain/warmup/warmup.ts';
import type { MailboxAccess } from '../../src/providers/mail-transport/port.ts';
import { judgeWarmup, tryLogin } from './health.ts';
import { measurePlacement } from './measure-placement.ts';
import { planDay } from './plan-day.ts';
import { sendNextLetter } from './send-letter.ts';
import { tendLetters } from './tend.ts';

export type WarmupContext = Pick<
  Context,
  'db' | 'config' | 'cipher' | 'clock' | 'logger' | 'mailTransport'
>;

/** One attempt at a round. */
export interface WarmupRound {
  context: WarmupContext;
  mailboxId: number;
  operationId: number;
  /** Fences what a dead attempt may still do. */
  claimedBy: string;
  signal: AbortSignal;
}

/** The mailbox as it was seen at the last look. */
export interface WarmupMailbox extends WarmupLook {
  access: MailboxAccess;
  now: Date;
}

/** A round holds a slot of the worker: it ends before the activity's own limit of 5 hours. */
const ROUND_MS = 4 * 3_600_000;

/**
 * The row is looked at so often while nothing is due. Nothing is sent after a pause or stop, however
 * late it is seen: each claim locks the row.
 */
const LOOK_MS = 60_000;

/** Steps of the loop are not closer together, whatever the clock says. */
const LEAST_PAUSE_MS = 20;

/** Seconds of sending between two looks for partners' letters, and after trouble. */
const TEND_SECONDS = 300;
const TROUBLE_SECONDS = 3_600;

/** Works until the waking hours are over, the row says stop, or `ROUND_MS` have passed. */
export async function runWarmupRound(round: WarmupRound): Promise<RoundResult> {
  const { context, mailboxId, claimedBy, signal } = round;
  const { db, clock, config } = context;
  const endsAt = clock.now().getTime() + ROUND_MS;
  await recoverLetters(db, mailboxId, claimedBy);
  let tendAt = 0;
  for (;;) {
    signal.throwIfAborted();
    const now = clock.now();
    const look = await lookAtWarmup(db, mailboxId);
    const standing = await standingOf(round, look);
    if (standing !== 'ready') return standing;
    const mailbox = reachable(context, look!, now);
    if (mailbox === undefined) return result('active', 'The cluster is not active', trouble(now));
    if (now.getTime() >= tendAt) {
      await tendLetters(round, mailbox);
      await measurePlacement(round, mailbox);
      await judgeWarmup(context, mailboxId);
      tendAt = now.getTime() + Math.max(500, sendingMs(TEND_SECONDS, config.DAY_SECONDS));
      continue;
    }
    if (look!.row.status === 'quarantined') {
      const isOver =
        look!.row.status_reason === 'login_refused' && (await tryLogin(round, mailbox));
      if (isOver) continue;
      return result('active', 'In quarantine', trouble(now));
    }
    const step = await dayStep(round, mailbox);
    if (step.restUntil) return result('active', step.progress, step.restUntil);
    if (now.getTime() >= endsAt) return result('active', step.progress, null);
    const until = Math.min(step.nextAt.getTime(), tendAt, now.getTime() + LOOK_MS);
    const waitMs = Math.max(LEAST_PAUSE_MS, until - clock.now().getTime());
    // The signal's own reason is thrown above: it says whether the activity was cancelled or paused.
    await sleep(waitMs, undefined, { signal }).catch(() => undefined);
  }

  function trouble(now: Date): Date {
    const ms = sendingMs(TROUBLE_SECONDS, config.DAY_SECONDS);
    return new Date(now.getTime() + Math.max(1_000, ms));
  }
}

type DayStep =
  { restUntil: Date; progress: string } | { restUntil: null; nextAt: Date; progress: string };

/** Plans the day where it is new, and sends the letter that is due. */
async function dayStep(round: WarmupRound, mailbox: WarmupMailbox): Promise<DayStep> {
  const { config } = round.context;
  const { row, now, timezone, nextLetterAt } = mailbox;
  const calendar = {
    timezone,
    weekdaysOnly: row.weekdays_only,
    daySeconds: config.DAY_SECONDS,
  };
  const hours = wakingHours(calendar, now);
  const progress = `day ${row.day}: ${row.day_volume} letters planned`;
  if (hours.from > now) return { restUntil: hours.from, progress };
  if (row.day_started_at?.getTime() !== hours.from.getTime()) {
    if (!isWorthBeginning(hours, now)) {
      return { restUntil: wakingHours(calendar, hours.until).from, progress };
    }
    if ((await planDay(round, mailbox, hours)) === 'no_partners') {
      const ms = Math.max(500, sendingMs(WARMUP_RULES.partnerRetrySeconds, config.DAY_SECONDS));
      return { restUntil: null, nextAt: new Date(now.getTime() + ms), progress: 'no partners' };
    }
    // The next look sees what was planned.
    return { restUntil: null, nextAt: now, progress };
  }
  const isDue = nextLetterAt !== null && nextLetterAt <= now;
  const nextAt = (isDue ? await sendNextLetter(round, mailbox) : nextLetterAt) ?? hours.until;
  return { restUntil: null, nextAt: nextAt < hours.until ? nextAt : hours.until, progress };
}

/** Whether the round goes on; a mailbox or cluster that is gone ends the warm-up. */
async function standingOf(
  { context, mailboxId, operationId }: WarmupRound,
  look: WarmupLook | undefined,
): Promise<'ready' | RoundResult> {
  if (!look || look.latestOperationId !== operationId) return result('over', 'Over', null);
  const state = warmupJobState(look.row.status);
  if (state === 'over') return result('over', 'Stopped', null);
  const isGone = !look.isMailboxActive || ['deleting', 'deleted'].includes(look.clusterStatus);
  if (isGone) {
    await context.db.transaction().execute((trx) => endWarmup(trx, mailboxId, 'mailbox_gone'));
    return result('over', 'The mailbox is gone', null);
  }
  return state === 'paused' ? result('paused', 'Paused', null) : 'ready';
}

function reachable(
  { cipher }: WarmupContext,
  look: WarmupLook,
  now: Date,
): WarmupMailbox | undefined {
  const { host, password, email, row } = look;
  if (look.clusterStatus !== 'active' || host === null || password === null) return undefined;
  const opened = cipher.open(password, passwordBinding(row.mailbox_id));
  return { ...look, access: { host, email, password: opened }, now };
}

const result = (
  state: RoundResult['state'],
  progress: string,
  nextAt: Date | null,
): RoundResult => ({
  state,
  isDone: state === 'over',
  progress,
  nextAt: nextAt && nextAt.toISOString(),
});
