/**
 * Terms for a Postgres or a Temporal that was put back: what a run and its row know of each other.
 * docs/workflow-rules.md#after-a-restore.
 */
import type { FlowOf } from './define-flow.ts';
import type { OperationState, StepProgress } from './operations.ts';

/** The header of each activity that says what its run builds on. */
export const BUILT_ON_HEADER = 'built-on';

/** What the run knows that its row has taken. */
export interface BuiltOn {
  /** The number of its last write (`progress_number`). */
  number: number;
  /** The row says that everything is being undone. */
  isUndone: boolean;
}

/** The result of a run that came to its end. */
export interface RunEnd {
  outcome: 'succeeded' | 'failed';
  steps: StepProgress[];
  error?: { code: string; message: string };
}

/**
 * - `RowsBehind`: the row has lost writes of the run, which starts over from its rows
 * - `RunBehind`: the row is being undone, which the run has forgotten
 * - `RowLost`: there is no row of this run, or only another one's of the same id: it ends, touching nothing
 * - `RunOver`: the row has ended: so does the run
 */
export const PUT_BACK_FAILURES = ['RowsBehind', 'RunBehind', 'RowLost', 'RunOver'] as const;
export type PutBackFailure = (typeof PUT_BACK_FAILURES)[number];

/** The part of an operation's row by which a run is known. */
export interface RunRow {
  workflowId: string;
  state: OperationState;
  progressNumber: number;
  isFinished: boolean;
}

/** An activity of a run, and what it is told. */
export interface RunActivity {
  workflowId: string;
  builtOn: BuiltOn | undefined;
  /** The number of the write that it makes itself: a repeat finds it in the row. */
  writes?: number | undefined;
}

/** Why an activity of this run must not work on this row; undefined where it may. */
export function putBackFailure(
  { workflowId, builtOn, writes = 0 }: RunActivity,
  row: RunRow | undefined,
): PutBackFailure | undefined {
  if (!row || row.workflowId !== workflowId) return 'RowLost';
  if (row.isFinished) return 'RunOver';
  // Runs that began before they told.
  if (!builtOn) return undefined;
  if (row.progressNumber < builtOn.number) return 'RowsBehind';
  const written = Math.max(builtOn.number, writes);
  const isForgotten = row.state === 'compensating' && row.progressNumber > written;
  return isForgotten && !builtOn.isUndone ? 'RunBehind' : undefined;
}

/** How the run of an unfinished row was found in Temporal. `failed`: it was terminated, too. */
export type FoundRun = 'open' | 'completed' | 'failed' | 'lost';

/**
 * What is done for an unfinished row: `keep` nothing; `settle` it as its run has ended; `again` a new run, which
 * looks before it does anything; `undo` one that only undoes.
 */
export type Recovery = 'keep' | 'settle' | 'again' | 'undo';

/**
 * Only a run that failed or was terminated is undone, and one that was being undone. `isWhole`: the row has all
 * that its run had recorded but for the end. A job goes on from its cursor, and finds what is left of it.
 *
 * Without a `flow` only a newer build knows it, whose workers stand beside this one: whether it may be undone, and what
 * its end means, is theirs to say. That a lost run goes on holds for each.
 */
export function recoveryOf(
  flow: Pick<FlowOf<never>, 'direction'> | undefined,
  found: FoundRun,
  row: { state: OperationState; isWhole: boolean },
): Recovery {
  if (found === 'open') return 'keep';
  if (!flow) return found === 'lost' && row.state !== 'compensating' ? 'again' : 'keep';
  // A rebuild that was being given up must not wipe its host after all: its undo looks whether it was wiped.
  if (flow.direction === 'forward' && row.state !== 'compensating') return 'again';
  if (found === 'failed' || row.state === 'compensating') return 'undo';
  return found === 'completed' && row.isWhole ? 'settle' : 'again';
}
