/** Replays histories of a running namespace with the workflows of this build, or of another one. */
import type { Client } from '@temporalio/client';
import { DefaultLogger, Runtime, Worker, type ReplayWorkerOptions } from '@temporalio/worker';
import { traceSinks } from './trace-calls.ts';

/** One run of a workflow, as the server's list names it. */
export interface ListedRun {
  workflowId: string;
  runId: string;
  type: string;
  isOpen: boolean;
}

export interface Replayed extends ListedRun {
  /** Why its history does not fit the code; null where it does. */
  error: string | null;
}

/** A namespace may have more runs than anybody wants to list: of each kind, the latest. */
const MAX_LISTED = 50_000;

/**
 * Of each workflow type, up to `sample` runs that are open and as many that were closed since `closedSince`,
 * spread evenly over their time of start. `listed` counts what they were drawn from.
 */
export async function sampleRuns(
  temporal: Client,
  { sample, closedSince }: { sample: number; closedSince: Date },
): Promise<{ runs: ListedRun[]; listed: number }> {
  const open = await listRuns(temporal, `ExecutionStatus = 'Running'`);
  const closed = await listRuns(temporal, `CloseTime >= '${closedSince.toISOString()}'`);
  const groups = [open, closed].flatMap((runs) =>
    [...new Set(runs.map(({ type }) => type))].map((type) =>
      runs.filter((run) => run.type === type),
    ),
  );
  return {
    runs: groups.flatMap((runs) => spread(runs, sample)),
    listed: open.length + closed.length,
  };
}

async function listRuns(temporal: Client, query: string): Promise<ListedRun[]> {
  const found: ListedRun[] = [];
  for await (const { workflowId, runId, type, status } of temporal.workflow.list({ query })) {
    found.push({ workflowId, runId, type, isOpen: status.name === 'RUNNING' });
    if (found.length === MAX_LISTED) break;
  }
  return found;
}

/** Every k-th: old runs and new ones, the first and the last among them. */
export function spread<T>(all: readonly T[], most: number): T[] {
  if (all.length <= most) return [...all];
  if (most === 1) return [all[0]!];
  return Array.from(
    { length: most },
    (_, n) => all[Math.round((n * (all.length - 1)) / (most - 1))]!,
  );
}

/**
 * Replays each run's history as far as it has got, one after the other; nothing is sent to the server. A run
 * that is gone meanwhile (its retention is over) is left out.
 */
export async function* replayRuns(
  temporal: Client,
  runs: readonly ListedRun[],
  build: Pick<ReplayWorkerOptions, 'workflowBundle' | 'dataConverter'>,
): AsyncIterable<Replayed> {
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: 'off', forward: {} } },
    shutdownSignals: [],
  });
  const byRun = new Map(runs.map((run) => [run.runId, run]));
  const replays = Worker.runReplayHistories(
    { ...build, sinks: traceSinks },
    historiesOf(temporal, runs),
  );
  for await (const { runId, error } of replays) {
    yield { ...byRun.get(runId)!, error: error?.message ?? null };
  }
}

async function* historiesOf(temporal: Client, runs: readonly ListedRun[]) {
  for (const { workflowId, runId } of runs) {
    const history = await temporal.workflow
      .getHandle(workflowId, runId)
      .fetchHistory()
      .catch((error: unknown) => {
        if ((error as Error).name === 'WorkflowNotFoundError') return undefined;
        throw error;
      });
    if (history) yield { workflowId, history };
  }
}
