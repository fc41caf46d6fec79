/** Tells workflows that their jobs have no more to do; what cannot be told now is told later. */
import { WorkflowNotFoundError } from '@temporalio/client';
import type { Context } from '../../src/context.ts';
import { listReports, removeJob, type UntoldReport } from '../../src/db/shards/shard-jobs.ts';
import { workflowIdOf } from '../../src/domain/operations/run-keys.ts';
import type { ShardReportMessage } from '../../workflows/contracts/job.ts';

/** Temporal that hangs must not hold the shards. */
const DEADLINE_MS = 5_000;

export async function tellReports(
  { db, temporal, logger }: Pick<Context, 'db' | 'temporal' | 'logger'>,
  shards: readonly number[],
): Promise<void> {
  const told = async (one: UntoldReport) => {
    const message: ShardReportMessage = { ...one.report, turn: one.turn };
    try {
      await temporal.workflow.getHandle(workflowIdOf(one)).signal('shardReport', message);
    } catch (error) {
      // A run that has ended needs to be told nothing.
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
    await removeJob(db, one);
  };
  const reports = await listReports(db, shards);
  if (reports.length === 0) return;
  const ends = await temporal.withDeadline(Date.now() + DEADLINE_MS, () =>
    Promise.allSettled(reports.map(told)),
  );
  const failed = ends.find(({ status }) => status === 'rejected');
  if (failed) logger.warn({ err: (failed as PromiseRejectedResult).reason }, 'a job was not told');
}
