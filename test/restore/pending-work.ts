/** What the runs of operations that have not ended are waiting for, for whoever reads a drill that was not over. */
import { workflowIdOf } from '../../src/domain/operations/run-keys.ts';
import type { SharedWorld } from '../e2e/shared-world.ts';

/** One line for each, with its pending activities as Temporal has them. */
export async function pendingWork({ db, temporal }: SharedWorld): Promise<string[]> {
  const open = await db
    .selectFrom('operations')
    .select(['id', 'kind', 'state', 'step', 'workflow_id', 'run_key'])
    .where('finished_at', 'is', null)
    .where('kind', 'in', ['provisionCluster', 'destroyCluster'])
    .orderBy('id')
    .limit(20)
    .execute();
  return Promise.all(
    open.map(async (row) => {
      const handle = temporal.workflow.getHandle(workflowIdOf(row));
      const run = await handle.describe().then(
        ({ status, raw, historyLength }) => {
          const pending = (raw.pendingActivities ?? []).map(
            (one) =>
              `${one.activityId} (state ${one.state}, attempt ${one.attempt}, ` +
              `${one.lastFailure?.message ?? 'no failure'})`,
          );
          return `${status.name}, ${historyLength} events, pending: ${pending.join('; ') || 'none'}`;
        },
        (error: unknown) => String(error),
      );
      return `operation ${row.id} (${row.kind}) is ${row.state} at ${row.step}; its run: ${run}`;
    }),
  );
}
