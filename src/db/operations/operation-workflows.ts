/** Whether an operation's row has its workflow: operations never started, and those not checked lately. */
import { sql, type Kysely } from 'kysely';
import type { RunRow } from '../../domain/operations/restores.ts';
import { workflowIdOf } from '../../domain/operations/run-keys.ts';
import type { Operation } from './operations.ts';
import type { Database } from '../tables.ts';

/** Operations that no workflow has been started for, oldest first. */
export const listOperationsNotStarted = (
  db: Kysely<Database>,
  before: Date,
  limit: number,
): Promise<Operation[]> =>
  db
    .selectFrom('operations')
    .selectAll()
    .where('started_at', 'is', null)
    .where('finished_at', 'is', null)
    // What waits for a place, or was paused while it waited, is not to be started by anybody else.
    .where(sql<boolean>`place is distinct from 'waiting' and place is distinct from 'released'`)
    .where('created_at', '<', before)
    .orderBy('created_at')
    .limit(limit)
    .execute();

/** Records that Temporal has the workflow. Safe to repeat. */
export async function markOperationStarted(db: Kysely<Database>, id: number): Promise<void> {
  await db
    .updateTable('operations')
    .set({
      started_at: new Date(),
      updated_at: new Date(),
      place: sql`case place when 'waiting' then 'taken' else place end`,
    })
    .where('id', '=', id)
    .where('started_at', 'is', null)
    .execute();
}

/** Started operations whose workflow was not checked since `before`, longest first. */
export const listOperationsUnseen = (
  db: Kysely<Database>,
  before: Date,
  limit: number,
): Promise<Operation[]> =>
  db
    .selectFrom('operations')
    .selectAll()
    .where('finished_at', 'is', null)
    .where(({ fn, eb }) => eb(fn.coalesce('workflow_seen_at', 'started_at'), '<', before))
    .orderBy(({ fn }) => fn.coalesce('workflow_seen_at', 'started_at'))
    .limit(limit)
    .execute();

/** Records that the workflow is open in Temporal. */
export async function markWorkflowSeen(db: Kysely<Database>, id: number): Promise<void> {
  await db
    .updateTable('operations')
    .set({ workflow_seen_at: new Date() })
    .where('id', '=', id)
    .execute();
}

/** What its run is compared with before each activity; undefined where the row is gone. */
export async function findRunRow(
  db: Kysely<Database>,
  operationId: number,
): Promise<RunRow | undefined> {
  const row = await db
    .selectFrom('operations')
    .select(['workflow_id', 'run_key', 'state', 'progress_number', 'finished_at'])
    .where('id', '=', operationId)
    .executeTakeFirst();
  return (
    row && {
      workflowId: workflowIdOf(row),
      state: row.state,
      progressNumber: row.progress_number,
      isFinished: row.finished_at !== null,
    }
  );
}

/** Lets a restarted workflow write its progress from the beginning, whichever of its runs goes on. */
export async function resetProgress(db: Kysely<Database>, id: number): Promise<void> {
  await db
    .updateTable('operations')
    .set({
      progress_number: 0,
      progress_run: null,
      workflow_seen_at: new Date(),
      updated_at: new Date(),
    })
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .execute();
}
