/** A limit for work whose end may never come: what waits for it goes on without it. */
import pTimeout from 'p-timeout';

/** Longer than any statement may take, and a call to a relay. */
export const STEP_MS = 60_000;

/** Rejects when `work` has not settled within `ms`; its own end is then of no use to anybody. */
export const within = <T>(ms: number, work: Promise<T>): Promise<T> =>
  pTimeout(work, { milliseconds: ms, message: `No end within ${ms / 1_000} s` });
