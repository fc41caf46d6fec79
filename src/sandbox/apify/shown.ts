/** Runs, lists and datasets as Apify's API shows them. */
import type { Run, RunRecords } from './runs.ts';
import { finishAtMs, isFinished, itemsSeenAt, statusAt } from './run-clock.ts';

const USER_ID = 'sandboxUserPBWZBd7';
const BUILD_ID = 'sandboxBuild7sT5jc';

const iso = (ms: number): string => new Date(ms).toISOString();

/** `{data: Run}`, the form of every answer about one run; as it was at `now`. */
export function shownRun(book: RunRecords, run: Run, now: number = Date.now()): object {
  const isOver = isFinished(run, now);
  const status = statusAt(run, now);
  const workedMs = Math.max(0, Math.min(now, finishAtMs(run)) - run.runsAtMs);
  return {
    data: {
      ...head(run, now),
      actorTaskId: null,
      statusMessage: isOver ? run.statusMessage : (RUNNING_MESSAGES[status] ?? null),
      isStatusMessageTerminal: isOver,
      stats: {
        inputBodyLen: run.inputBytes,
        migrationCount: 0,
        restartCount: 0,
        resurrectCount: 0,
        durationMillis: workedMs,
        runTimeSecs: workedMs / 1_000,
        metamorph: 0,
        computeUnits: (workedMs / 3_600_000) * (run.options.memoryMbytes / 1_024),
      },
      options: run.options,
      exitCode: isOver ? exitCodeOf(status) : null,
      generalAccess: 'FOLLOW_USER_SETTING',
      storageIds: {
        datasets: { default: run.datasetId },
        keyValueStores: { default: run.storeId },
        requestQueues: { default: run.queueId },
      },
      chargedEventCounts: { 'actor-start': 1, 'result-item': itemsSeenAt(run, now) },
      usageTotalUsd: book.costUsd(run),
    },
  };
}

/** One line of a list of runs. */
export const shownShort = (book: RunRecords, run: Run): object => ({
  ...head(run, Date.now()),
  usageTotalUsd: book.costUsd(run),
});

export interface Slice {
  offset: number;
  limit: number;
  desc: boolean;
}

export const shownList = (
  book: RunRecords,
  runs: Run[],
  { offset, limit, desc }: Slice,
): object => {
  const page = (desc ? runs.toReversed() : runs).slice(offset, offset + limit);
  const items = page.map((run) => shownShort(book, run));
  return { data: { total: runs.length, offset, limit, desc, count: page.length, items } };
};

export function shownDataset(run: Run): object {
  const now = Date.now();
  const itemCount = itemsSeenAt(run, now);
  return {
    data: {
      id: run.datasetId,
      name: null,
      userId: USER_ID,
      createdAt: iso(run.startedAtMs),
      modifiedAt: iso(Math.min(now, finishAtMs(run))),
      accessedAt: iso(now),
      itemCount,
      cleanItemCount: itemCount,
      actId: run.actorId,
      actRunId: run.id,
      generalAccess: 'FOLLOW_USER_SETTING',
      stats: { readCount: 0, writeCount: itemCount, storageBytes: 0 },
      consoleUrl: `https://console.apify.com/storage/datasets/${run.datasetId}`,
    },
  };
}

const head = (run: Run, now: number) => ({
  id: run.id,
  actId: run.actorId,
  userId: USER_ID,
  startedAt: iso(run.startedAtMs),
  finishedAt: isFinished(run, now) ? iso(finishAtMs(run)) : null,
  status: statusAt(run, now),
  meta: { origin: 'API' },
  buildId: BUILD_ID,
  buildNumber: run.buildNumber,
  defaultKeyValueStoreId: run.storeId,
  defaultDatasetId: run.datasetId,
  defaultRequestQueueId: run.queueId,
});

const RUNNING_MESSAGES: Record<string, string> = {
  RUNNING: 'Actor is running',
  'TIMING-OUT': 'Actor is timing out',
  ABORTING: 'Actor is aborting',
};

const exitCodeOf = (status: string): number =>
  ({ SUCCEEDED: 0, FAILED: 91, ABORTED: 143 })[status] ?? 137;
