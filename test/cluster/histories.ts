/** Checks the histories and the workers' logs after one version replaced another. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import type { SharedWorld } from '../e2e/shared-world.ts';
import { PATCH } from './second-version.ts';

export interface HistoryBooks {
  /** Provisionings that took the patched path, and those that ended without it. */
  patched: number;
  unpatched: number;
  /** Those of `patched` that the earlier version had begun. */
  takenOver: number;
  /** Provisionings by the build that ran them, where workers are versioned; and those that two builds ran. */
  byBuild: Record<string, number>;
  mixed: string[];
  /** Workflow tasks that failed, and such failures in logs. */
  failures: string[];
}

interface Event {
  eventType: string;
  workflowTaskCompletedEventAttributes?: {
    identity?: string;
    deploymentVersion?: { buildId?: string };
  };
  workflowTaskFailedEventAttributes?: { cause: string; identity?: string };
  markerRecordedEventAttributes?: {
    markerName: string;
    details?: Record<string, { payloads?: { data: string }[] }>;
  };
}

/** Something arrived during the task, which is repeated with it. Not a fault. */
const USUAL = new Set(['WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND']);
const NON_DETERMINISM = /TMPRL1100|nondeterminism|DeterminismViolation/i;

/** Reads every history of the world. */
export async function readHistories(world: SharedWorld, logsDir: string): Promise<HistoryBooks> {
  const books: HistoryBooks = {
    patched: 0,
    unpatched: 0,
    takenOver: 0,
    byBuild: {},
    mixed: [],
    failures: [],
  };
  for await (const { workflowId, runId, type } of world.temporal.workflow.list()) {
    const handle = world.temporal.workflow.getHandle(workflowId, runId);
    const { events } = JSON.parse(historyToJSON(await handle.fetchHistory())) as {
      events: Event[];
    };
    for (const { workflowTaskFailedEventAttributes: failed } of events) {
      if (failed && !USUAL.has(failed.cause)) {
        books.failures.push(`${workflowId}: ${failed.cause} at ${failed.identity}`);
      }
    }
    if (type !== 'provisionCluster') continue;
    const builds = buildsOf(events);
    if (builds.length > 1) books.mixed.push(workflowId);
    for (const build of builds) books.byBuild[build] = (books.byBuild[build] ?? 0) + 1;
    const at = events.findIndex(isPatch);
    if (at === -1) books.unpatched += 1;
    else {
      books.patched += 1;
      if (workersOf(events.slice(0, at)) > 1) books.takenOver += 1;
    }
  }
  books.failures.push(...(await readLogs(logsDir)));
  return books;
}

function isPatch({ markerRecordedEventAttributes: marker }: Event): boolean {
  const payloads = Object.values(marker?.details ?? {}).flatMap((one) => one.payloads ?? []);
  return payloads.some(({ data }) => Buffer.from(data, 'base64').includes(PATCH));
}

const workersOf = (events: readonly Event[]): number =>
  new Set(events.flatMap(({ workflowTaskCompletedEventAttributes: done }) => done?.identity ?? []))
    .size;

const buildsOf = (events: readonly Event[]): string[] => [
  ...new Set(
    events.flatMap(
      ({ workflowTaskCompletedEventAttributes: done }) => done?.deploymentVersion?.buildId ?? [],
    ),
  ),
];

/** Later attempts at a task leave no event. */
async function readLogs(logsDir: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of (await readdir(logsDir)).filter((file) => file.startsWith('worker'))) {
    const lines = (await readFile(join(logsDir, name), 'utf8')).split('\n');
    for (const line of lines.filter((one) => NON_DETERMINISM.test(one))) {
      found.push(`${name}: ${line.slice(0, 300)}`);
    }
  }
  return found;
}
