/** Defines flows: long jobs that the API requests, Temporal runs and a row of `operations` shows. */
import type { Pace, StepProgress } from './operations.ts';

/** The input of every flow: ids and words, never rows, never a secret. */
export interface FlowOrder {
  pace: Pace;
}

/** Who gets workers first where there are too few: `high` a person waits for, `low` nobody misses for an hour. */
export type FlowPriority = 'high' | 'normal' | 'low';

/** A flow with its input; `Key` is what its workflow's id is made of. */
export interface FlowOf<Input extends FlowOrder, Key = never> {
  /** The type of its workflow. Open runs refer to it: it never changes. */
  kind: string;
  /** The task queue of its workflow. */
  queue: string;
  /** What it works on, with `resourceId`: `cluster/7`. */
  resource: string;
  resourceId: (input: Input) => number;
  /** A workflow id is used for one run: a flow that may run again on its resource counts its runs. */
  workflowId: (key: Key) => string;
  /** The steps that its row shows from the start; a job has none. */
  steps?: (input: Input) => StepProgress[];
  /**
   * What its end changes: `job` the row that it works for (`jobRows`), which also pauses or stops it;
   * `ending` what `ENDINGS` defines for its kind.
   */
  outcome: 'job' | 'ending';
  /**
   * What happens after its run was lost: `forward` starts again and continues from its rows, so each step of
   * it MUST be safe to repeat; `back` only undoes and refunds, or ends the job as failed.
   */
  direction: 'forward' | 'back';
  priority: FlowPriority;
}

/** Any flow, whatever its input. */
export type AnyFlow = FlowOf<never>;

/**
 * Defines a flow, once, for all code that requests, starts, ends or recovers it. It belongs in `flows.ts` of
 * its noun's folder, and in `FLOWS`. Two calls, since one cannot both take `Input` and infer the rest.
 */
export const defineFlow =
  <Input extends FlowOrder>() =>
  <const F extends FlowOf<Input>>(flow: F): F =>
    flow;

/** What a flow is ordered with. */
export type InputOf<F extends AnyFlow> = Parameters<F['resourceId']>[0];

/** What a workflow's id needs beside the input, such as the number of the run. */
export type RunOf<F extends AnyFlow> = Omit<Parameters<F['workflowId']>[0], keyof InputOf<F>>;

/** Steps that all apply, none of them begun. */
export const pendingSteps = (...names: string[]): StepProgress[] =>
  names.map((name) => ({ name, state: 'pending' }));
