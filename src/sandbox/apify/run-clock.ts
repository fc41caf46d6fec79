/** The state of a run at a moment: a function of the clock, so a restart changes nothing. */

export type RunOutcome = 'SUCCEEDED' | 'FAILED' | 'TIMED-OUT';
export type RunStatus = 'READY' | 'RUNNING' | 'TIMING-OUT' | 'ABORTING' | 'ABORTED' | RunOutcome;

/** All times are epoch ms of the real clock; the pace is already applied. */
export interface RunPlan {
  startedAtMs: number;
  /** When the container is up. */
  runsAtMs: number;
  endsAtMs: number;
  outcome: RunOutcome;
  /** Rows that the run saves unless it is aborted. */
  itemsCount: number;
  /** How long the rows saved last are invisible to readers. */
  lagMs: number;
  /** When it was aborted, and when the abort took effect. */
  abortedAtMs?: number | undefined;
  goneAtMs?: number | undefined;
}

/** The actors save their rows in steps. */
const STEP = 30;
/** The share of rows, in percent, that is not visible yet at the end. */
const LATE_PERCENT = 12;
/** The time from "must stop" to "has stopped", as a share of the lag. */
const STOPPING_SHARE = 0.25;

export function statusAt(plan: RunPlan, now: number): RunStatus {
  if (plan.abortedAtMs !== undefined && plan.goneAtMs !== undefined) {
    return now < plan.goneAtMs ? 'ABORTING' : 'ABORTED';
  }
  if (now < plan.runsAtMs) return 'READY';
  if (now < plan.endsAtMs) return 'RUNNING';
  if (plan.outcome === 'TIMED-OUT' && now < finishAtMs(plan)) return 'TIMING-OUT';
  return plan.outcome;
}

/** When the run is over: known from the start, unless it is aborted. */
export function finishAtMs(plan: RunPlan): number {
  if (plan.goneAtMs !== undefined) return plan.goneAtMs;
  const stoppingMs = plan.outcome === 'TIMED-OUT' ? plan.lagMs * STOPPING_SHARE : 0;
  return plan.endsAtMs + Math.round(stoppingMs);
}

export const isFinished = (plan: RunPlan, now: number): boolean => now >= finishAtMs(plan);

/** Rows that a reader sees; the last ones become visible a little after the run has ended. */
export function itemsSeenAt(plan: RunPlan, now: number): number {
  const { itemsCount, abortedAtMs, endsAtMs, lagMs } = plan;
  if (abortedAtMs !== undefined && now > abortedAtMs) return itemsSeenAt(whole(plan), abortedAtMs);
  if (now >= endsAtMs + lagMs) return itemsCount;
  if (now >= endsAtMs) return itemsCount - Math.floor((itemsCount * LATE_PERCENT) / 100);
  const share = (now - plan.runsAtMs) / (endsAtMs - plan.runsAtMs);
  return Math.max(0, Math.floor((share * itemsCount * (100 - LATE_PERCENT)) / 100 / STEP) * STEP);
}

const whole = (plan: RunPlan): RunPlan => ({
  ...plan,
  abortedAtMs: undefined,
  goneAtMs: undefined,
});
