/** The progress of operations, as their workflows write it. */
import { sql, type Kysely, type Transaction } from 'kysely';
import type { OperationState, StepProgress } from '../../domain/operations/operations.ts';
import type { Database } from '../tables.ts';
import { insertOperationEvent } from './operations.ts';

/** The current step of an operation, and why it waits. */
export interface Progress {
  operationId: number;
  /** The workflow numbers its writes: a late write never overwrites a later one. */
  number: number;
  /** Which run numbers them; undefined in calls of before. */
  run?: string | undefined;
  state: OperationState;
  step: string | null;
  steps: StepProgress[];
  message: string;
  error: { code: string; message: string } | null;
}

/** Adds what the block that now ends, or is reported anew, has lasted: `blocked_at` says since when. */
const blockedSecondsAt = (now: Date) =>
  sql<number>`blocked_seconds + coalesce(greatest(0, extract(epoch from ${now}::timestamptz - blocked_at)), 0)`;

/** The runs that have written, the latest last: room for 27 ids of Temporal's, of which the oldest are forgotten. */
const RUNS_LENGTH = 1_000;
const runs = sql`string_to_array(progress_run, ' ')`;
const isLatestRun = (run: string) =>
  sql<boolean>`(progress_run is null or ${run}::text = split_part(progress_run, ' ', -1))`;
const isNewRun = (run: string) =>
  sql<boolean>`(progress_run is not null and ${run}::text <> all (${runs}))`;
const withRun = (
  run: string,
) => sql<string>`case when ${run}::text = any (${runs}) then progress_run
  else right(concat_ws(' ', progress_run, ${run}::text), ${RUNS_LENGTH}::int) end`;

/**
 * Overwrites the progress of an unfinished operation, unless it is older; false then. Another run numbers anew: one
 * that was reset to an earlier point would otherwise not be heard until it is further than before. From its first write
 * on the row is its own: a late write of a run before it changes nothing.
 */
export async function updateProgress(db: Kysely<Database>, progress: Progress): Promise<boolean> {
  const now = new Date();
  const { number, run } = progress;
  const { numUpdatedRows } = await db
    .updateTable('operations')
    .set({
      progress_number: number,
      ...(run !== undefined && { progress_run: withRun(run) }),
      state: progress.state,
      step: progress.step,
      steps: JSON.stringify(progress.steps),
      message: progress.message,
      blocked_seconds: blockedSecondsAt(now),
      blocked_at: progress.error === null ? null : now,
      error_code: progress.error?.code ?? null,
      error_message: progress.error?.message ?? null,
      started_at: (eb) => eb.fn.coalesce('started_at', eb.val(now)),
      updated_at: now,
    })
    .where('id', '=', progress.operationId)
    .where('finished_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb.and([
          eb('progress_number', '<', number),
          ...(run === undefined ? [] : [isLatestRun(run)]),
        ]),
        ...(run === undefined ? [] : [isNewRun(run)]),
      ]),
    )
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Sets a text for clients that wait while a step runs; the next progress overwrites it. */
export async function setOperationMessage(
  db: Kysely<Database>,
  id: number,
  { step, message }: { step: string; message: string },
): Promise<void> {
  await db
    .updateTable('operations')
    .set({ message, updated_at: new Date() })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .where('step', '=', step)
    .where('message', '!=', message)
    .execute();
}

export interface OperationEnd {
  operationId: number;
  outcome: 'succeeded' | 'failed';
  steps: StepProgress[];
  error?: { code: string; message: string } | undefined;
}

/** Ends an operation, and says so in its log; false when it had ended already. */
export async function endOperation(
  trx: Transaction<Database>,
  { operationId, outcome, steps, error }: OperationEnd,
): Promise<boolean> {
  const now = new Date();
  const done = await trx
    .updateTable('operations')
    .set({
      state: outcome,
      step: null,
      steps: JSON.stringify(steps),
      message: error?.message ?? 'Done.',
      blocked_seconds: blockedSecondsAt(now),
      blocked_at: null,
      error_code: error?.code ?? null,
      error_message: error?.message ?? null,
      finished_at: now,
      updated_at: now,
    })
    .where('id', '=', operationId)
    .where('finished_at', 'is', null)
    .executeTakeFirst();
  if (done.numUpdatedRows === 0n) return false;
  await insertOperationEvent(trx, {
    operationId,
    kind: 'finished',
    step: null,
    actor: 'system',
    reason: error?.message ?? '',
    detail: { outcome, code: error?.code },
  });
  return true;
}
