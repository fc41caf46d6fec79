/** Terms of long jobs without money: the states that their row gives the workflow. */

/** `active`: go on; `paused`: wait; `over`: cancelled or ended, stop. */
export type JobState = 'active' | 'paused' | 'over';

export type JobRequest = 'pause' | 'resume' | 'cancel';

/** A job's place among those of its account that may run at once; `released`: it is paused. Choice 125. */
export type Place = 'waiting' | 'taken' | 'released';

/** The result of an activity that does one page of work. */
export interface PageResult {
  state: JobState;
  /** Nothing is left to do in this step. */
  isDone: boolean;
  /** One line for the operator: "412 of 1,000 addresses". */
  progress: string;
}

/** The result of an activity that works for hours and then may have to wait. */
export interface SessionResult extends PageResult {
  /** When there is something to do again, ISO 8601 UTC; null = go on at once. */
  nextAt: string | null;
  /** Of a campaign: what its last look was based on. Where something has changed since, it looks again. */
  seen?: SeenChanges;
}

/** By which a campaign tells that something has changed. As Postgres writes them: a `Date` lacks their microseconds. */
export interface SeenChanges {
  /** When its row was changed. */
  change: string;
  /** The first message that is due and has no mailbox yet. */
  due: string | null;
}
