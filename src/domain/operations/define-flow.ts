/** What a flow is: a long job that the API orders, Temporal runs and a row of `operations` shows. */
import type { Pace, StepProgress } from './operations.ts';

/** What every flow is ordered with: ids and words, never rows, never a secret. */
export interface FlowOrder {
  pace: Pace;
}

/** A flow with its input; `Key` is what its workflow's id is made of. */
export interface FlowOf<Input extends FlowOrder, Key = never> {
  /** The type of its workflow. Runs that are open know it: it never changes. */
  kind: string;
  /** The task queue of its workflow. */
  queue: string;
  /** What it works on, with `resourceId`: `cluster/7`. */
  resource: string;
  resourceId: (input: Input) => number;
  /** One id is one run: a flow that may run again on its resource counts its runs. */
  workflowId: (key: Key) => string;
  /** The steps that its row shows from the start; a job has none. */
  steps?: (input: Input) => StepProgress[];
  /**
   * What its end changes: `job` the row that it works for (`jobRows`), which also tells it to pause
   * or stop; `ending` what stands under its kind in `ENDINGS`.
   */
  outcome: 'job' | 'ending';
  /**
   * Where it goes when its run was lost: `forward` begins anew and goes on from its rows, so each
   * step of it MUST be safe to repeat; `back` only undoes and refunds, or ends the job as failed.
   */
  direction: 'forward' | 'back';
}

/** Any flow, whatever its input. */
export type AnyFlow = FlowOf<never>;

/**
 * Defines a flow: once, for whoever orders, starts, ends or recovers it. Its place is `flows.ts` of
 * its room, and a line in `FLOWS`. Two calls, since one cannot both take `Input` and infer the rest.
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
