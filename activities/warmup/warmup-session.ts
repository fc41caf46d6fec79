/** A session of a mailbox's warm-up: it plans the day, sends, and handles what partners wrote. */
import { setTimeout as sleep } from 'node:timers/promises';
import { recoverMessages } from '../../src/db/warmup/warmup-sends.ts';
import { endWarmup, readWarmupSnapshot, type WarmupSnapshot } from '../../src/db/warmup/warmups.ts';
import type { SessionResult } from '../../src/domain/operations/jobs.ts';
import { sendingMs } from '../../src/domain/sending/sending-time.ts';
import { wakingHours } from '../../src/domain/warmup/warmup-days.ts';
import { isBegun, isWorthBeginning } from '../../src/domain/warmup/warmup-plan.ts';
import { WARMUP_RULES } from '../../src/domain/warmup/warmup-rules.ts';
import { warmupJobState } from '../../src/domain/warmup/warmup.ts';
import type { SessionLimits } from '../engine/session-limits.ts';
import { judgeWarmup, tryLogin } from './health.ts';
import { measurePlacement } from './measure-placement.ts';
import { planDay } from './plan-day.ts';
import { sendNextMessage } from './send-message.ts';
import { tendMessages } from './tend.ts';
import { reachableMailbox, type WarmupMailbox, type WarmupSession } from './warmup-mailbox.ts';

/** A session holds a slot of the worker: it ends before the activity's own limit of 5 hours. */
const SESSION_MS = 4 * 3_600_000;

/**
 * How often the row is polled while nothing is due. Nothing is sent after a pause or stop, even if it is
 * noticed late: each claim locks the row.
 */
const POLL_MS = 60_000;

/** The least time between steps of the loop, whatever the clock says. */
const LEAST_PAUSE_MS = 20;

/** Seconds of sending between two checks for partners' messages, and after a failure. */
const TEND_SECONDS = 300;
const TROUBLE_SECONDS = 3_600;

/** What stays from one session of a warm-up to the next in the same process. */
export interface WarmupMemory {
  /** When partners' messages are to be looked for, milliseconds. */
  tendAt?: number;
}

/** Works until the waking hours are over, the row says stop, or its time is up. */
export async function runWarmupSession(
  warmupSession: WarmupSession,
  limits?: SessionLimits<WarmupMemory>,
): Promise<SessionResult> {
  const { context, mailboxId, claimedBy, signal } = warmupSession;
  const { db, clock, config } = context;
  const endsAt = clock.now().getTime() + (limits?.sessionMs ?? SESSION_MS);
  const memory = limits?.memory ?? {};
  if (limits?.isNew ?? true) await recoverMessages(db, mailboxId, claimedBy);
  for (;;) {
    signal.throwIfAborted();
    const now = clock.now();
    const look = await readWarmupSnapshot(db, mailboxId);
    const standing = await standingOf(warmupSession, look);
    if (standing !== 'ready') return standing;
    const mailbox = reachableMailbox(context, look!, now);
    if (mailbox === undefined) return result('active', 'The cluster is not active', trouble(now));
    if (now.getTime() >= (memory.tendAt ?? 0)) {
      await tendMessages(warmupSession, mailbox);
      await measurePlacement(warmupSession, mailbox);
      await judgeWarmup(context, mailboxId);
      memory.tendAt = now.getTime() + Math.max(500, sendingMs(TEND_SECONDS, config.DAY_SECONDS));
      continue;
    }
    // Nothing would leave. A blocklist only warms up more slowly: partners are mailboxes of our own.
    if (look!.isPort25Closed) {
      return result('active', 'Outgoing port 25 of the server is closed', trouble(now));
    }
    if (look!.row.status === 'quarantined') {
      const isOver =
        look!.row.status_reason === 'login_refused' && (await tryLogin(warmupSession, mailbox));
      if (isOver) continue;
      return result('active', 'In quarantine', trouble(now));
    }
    const step = await dayStep(warmupSession, mailbox);
    if (step.restUntil) return result('active', step.progress, step.restUntil);
    if (now.getTime() >= endsAt) return result('active', step.progress, null);
    const dueAt = Math.min(step.nextAt.getTime(), memory.tendAt ?? Infinity);
    if (limits && dueAt - clock.now().getTime() > limits.idleMs) {
      return result('active', step.progress, new Date(dueAt));
    }
    const until = Math.min(dueAt, now.getTime() + POLL_MS);
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

/** Plans the day where it is new, and sends the message that is due. */
async function dayStep(warmupSession: WarmupSession, mailbox: WarmupMailbox): Promise<DayStep> {
  const { config } = warmupSession.context;
  const { row, now, timezone, nextMessageAt } = mailbox;
  const calendar = {
    timezone,
    weekdaysOnly: row.weekdays_only,
    daySeconds: config.DAY_SECONDS,
  };
  const hours = wakingHours(calendar, now);
  const progress = `day ${row.day}: ${row.day_volume} messages planned`;
  if (hours.from > now) return { restUntil: hours.from, progress };
  if (!isBegun(row.day_started_at, hours, config.DAY_SECONDS)) {
    if (!isWorthBeginning(hours, now)) {
      return { restUntil: wakingHours(calendar, hours.until).from, progress };
    }
    if ((await planDay(warmupSession, mailbox, hours)) === 'no_partners') {
      const ms = Math.max(500, sendingMs(WARMUP_RULES.partnerRetrySeconds, config.DAY_SECONDS));
      return { restUntil: null, nextAt: new Date(now.getTime() + ms), progress: 'no partners' };
    }
    // The next poll sees what was planned.
    return { restUntil: null, nextAt: now, progress };
  }
  const isDue = nextMessageAt !== null && nextMessageAt <= now;
  const nextAt =
    (isDue ? await sendNextMessage(warmupSession, mailbox) : nextMessageAt) ?? hours.until;
  return { restUntil: null, nextAt: nextAt < hours.until ? nextAt : hours.until, progress };
}

/** Whether the session goes on; a mailbox or cluster that is gone ends the warm-up. */
async function standingOf(
  { context, mailboxId, operationId }: WarmupSession,
  look: WarmupSnapshot | undefined,
): Promise<'ready' | SessionResult> {
  if (!look || look.latestOperationId !== operationId) return result('over', 'Over', null);
  const state = warmupJobState(look.row.status);
  if (state === 'over') return result('over', 'Stopped', null);
  const isGone = !look.isMailboxActive || ['deleting', 'deleted'].includes(look.inboxStatus);
  if (isGone) {
    await context.db.transaction().execute((trx) => endWarmup(trx, mailboxId, 'mailbox_gone'));
    return result('over', 'The mailbox is gone', null);
  }
  return state === 'paused' ? result('paused', 'Paused', null) : 'ready';
}

const result = (
  state: SessionResult['state'],
  progress: string,
  nextAt: Date | null,
): SessionResult => ({
  state,
  isDone: state === 'over',
  progress,
  nextAt: nextAt && nextAt.toISOString(),
});
