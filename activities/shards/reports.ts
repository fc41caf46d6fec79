/** Tells workflows that their jobs have no more to do; what cannot be told now is told later. */
import { WorkflowNotFoundError } from '@temporalio/client';
import type { Context } from '../../src/context.ts';
import {
  callRunsOfOtherBuilds,
  listReports,
  removeJob,
  type UntoldReport,
} from '../../src/db/shards/shard-jobs.ts';
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

/** Runs that are called at once: a release moves all of them within minutes, and not in one. */
const CALLS = 50;

/**
 * Wakes runs of other builds: a run that waits for its shard takes no task by which it could move to the build of
 * today, and its own would have to be kept for it. It hands its job over once more, from the new build where it can.
 */
export async function callOtherBuilds(
  { db, temporal, config }: Pick<Context, 'db' | 'temporal' | 'config'>,
  shards: readonly number[],
): Promise<void> {
  const build = config.WORKER_BUILD_ID;
  if (build === undefined) return;
  const runs = await callRunsOfOtherBuilds(db, { shards, build, limit: CALLS });
  if (runs.length === 0) return;
  const call: ShardReportMessage = { turn: 0, state: 'active', isDone: false, progress: '' };
  await temporal.withDeadline(Date.now() + DEADLINE_MS, () =>
    Promise.allSettled(
      runs.map((run) => temporal.workflow.getHandle(workflowIdOf(run)).signal('shardReport', call)),
    ),
  );
}
