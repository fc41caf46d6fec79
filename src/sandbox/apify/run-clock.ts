/** What a run is doing at a moment: a function of the clock, so a restart changes nothing. */

export type RunOutcome = 'SUCCEEDED' | 'FAILED' | 'TIMED-OUT';
export type RunStatus = 'READY' | 'RUNNING' | 'TIMING-OUT' | 'ABORTING' | 'ABORTED' | RunOutcome;

/** All times are epoch ms by the clock on the wall; the pace is counted in already. */
export interface RunPlan {
  startedAtMs: number;
  /** The container is up. */
  runsAtMs: number;
  endsAtMs: number;
  outcome: RunOutcome;
  /** Rows that the run saves if nobody aborts it. */
  itemsCount: number;
  /** Time that rows saved last take to be seen by readers. */
  lagMs: number;
  /** When somebody aborted it, and when that was done. */
  abortedAtMs?: number | undefined;
  goneAtMs?: number | undefined;
}

/** The actors save their rows in steps. */
const STEP = 30;
/** At the end so many rows of a hundred are not seen yet. */
const LATE_PERCENT = 12;
/** Part of the way from "it has to stop" to "it has stopped", in shares of the lag. */
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

/** When the run is over: known from the start, unless somebody aborts it. */
export function finishAtMs(plan: RunPlan): number {
  if (plan.goneAtMs !== undefined) return plan.goneAtMs;
  const stoppingMs = plan.outcome === 'TIMED-OUT' ? plan.lagMs * STOPPING_SHARE : 0;
  return plan.endsAtMs + Math.round(stoppingMs);
}

export const isFinished = (plan: RunPlan, now: number): boolean => now >= finishAtMs(plan);

/** Rows that a reader sees; the last ones come a little after the run has ended. */
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
