/** What the steps of a long job can call: `runJob` gives it to them. docs/workflow-rules.md#long-jobs. */
import type { PageResult, SessionResult } from '../../src/domain/operations/jobs.ts';

/** What the steps of a job can call. */
export interface Job {
  /**
   * Runs one page of a step. Waits while the job is paused, and throws `JobOver` when the row is final.
   * `work` MUST be restartable: its cursor is in the database.
   */
  page<R extends PageResult>(step: string, work: () => Promise<R>): Promise<R>;
  /**
   * Sessions of a step until one says that nothing is left: by the job's shard, or, for runs of before, by an
   * activity for each, which is `work`.
   */
  sessions(step: string, work: () => Promise<SessionResult | PageResult>): Promise<void>;
  /** Pages of a step until one says that nothing is left. */
  pages<R extends PageResult>(step: string, work: () => Promise<R>): Promise<void>;
  /** Waits until an instant (ISO 8601 UTC), a request, or a signal that wakes it. */
  rest(until: string): Promise<void>;
  /** Something short that is no page (a start, an abort); a cancel interrupts it. */
  interruptible<T>(work: () => Promise<T>): Promise<T>;
  /** Waits for so many milliseconds; a cancel interrupts it. */
  wait(ms: number): Promise<void>;
}
