/** The sessions that a worker runs for its shards: begun, watched, ended, and what follows from their end. */
import type { Logger } from 'pino';
import { putOff, reportJob, type ShardJob } from '../../src/db/shards/shard-jobs.ts';
import type { Context } from '../../src/context.ts';
import type { PageResult, SessionResult } from '../../src/domain/operations/jobs.ts';
import { newMemory, runShardSession, type JobMemory } from './sessions.ts';
import { createWatch, HUNG_MS, type Watch } from '../engine/watch.ts';

/** A failing job is tried again after this time, doubled for each failure in a row. */
const RETRY_MS = 2_000;
const RETRY_MOST_MS = 60_000;

/**
 * A session that was told to end has this time to do so. Nobody else may work on its shard meanwhile: a message in
 * delivery has its answer by then, or counts as uncertain, as after a death.
 */
const ENDING_MS = 60_000;

interface Running {
  job: ShardJob;
  watch: Watch;
  stop: AbortController;
  /** When it was told to end. */
  stoppedAt?: number;
  /** Fires when it is left, not when it is told to end. */
  left: AbortController;
  done: Promise<void>;
}

export interface RunningJobs {
  ids(): number[];
  /** Shards that have a session, also one that is ending. */
  shards(): Set<number>;
  /** Those of them that end soon: campaigns and warm-ups. */
  shortIds(): number[];
  begin(job: ShardJob): void;
  /** Ends those of shards that are not `kept`, and forgets what is known of their jobs: others work on them. */
  keepOnly(kept: ReadonlySet<number>): void;
  /**
   * Leaves sessions that hang, and those that were told to end and have not; the next look begins them anew. Waits for
   * no answer of Postgres: nor may leases.
   */
  leaveHung(): void;
  /** Ends all and waits for them. */
  stop(): Promise<void>;
}

export function createRunningJobs(
  context: Context,
  {
    hungMs = HUNG_MS,
    endingMs = ENDING_MS,
    run = runShardSession,
  }: { hungMs?: number; endingMs?: number; run?: typeof runShardSession } = {},
): RunningJobs {
  const { db, clock, logger } = context;
  const running = new Map<number, Running>();
  const memories = new Map<number, JobMemory>();

  const settle = async (job: ShardJob, result: SessionResult | PageResult): Promise<void> => {
    if (result.isDone || result.state !== 'active') {
      const { state, isDone, progress } = result;
      memories.delete(job.operation_id);
      return reportJob(db, job, { state, isDone, progress });
    }
    const now = clock.now();
    const nextAt = 'nextAt' in result && result.nextAt !== null ? new Date(result.nextAt) : now;
    const seen = 'seen' in result ? result.seen : undefined;
    await putOff(db, job, { until: nextAt, now, seen, note: result.progress.slice(0, 500) });
  };
  const fail = async (job: ShardJob, error: unknown): Promise<void> => {
    noteFailure(logger, job, error);
    const now = clock.now();
    const ms = Math.min(RETRY_MOST_MS, RETRY_MS * 2 ** Math.min(job.failures, 10));
    const words = (error instanceof Error ? error.message : String(error)).slice(0, 500);
    await putOff(db, job, { until: new Date(now.getTime() + ms), now, error: words });
  };

  const begin = (job: ShardJob): void => {
    const id = job.operation_id;
    // Two operations of one campaign, of which one is ending: never two sessions.
    const isBusy = ({ job: other }: Running) =>
      other.resource_type === job.resource_type && other.resource_id === job.resource_id;
    if ([...running.values()].some(isBusy)) return;
    const memory = memories.get(id) ?? newMemory(job.shard);
    memories.set(id, memory);
    const stop = new AbortController();
    const left = new AbortController();
    const watch = createWatch(context);
    const isCurrent = () => running.get(id)?.stop === stop;
    const isNew = !memory.isClean;
    memory.isClean = false;
    const signals = { signal: stop.signal, left: left.signal };
    const session = { context, job, memory, isNew, watch, ...signals, hungMs };
    const done = run(session)
      .then(
        async (result) => {
          memory.isClean = !stop.signal.aborted;
          if (isCurrent() && !stop.signal.aborted) await settle(job, result);
        },
        async (error: unknown) => {
          if (memories.get(id) === memory) memories.delete(id);
          if (isCurrent() && !stop.signal.aborted) await fail(job, error);
        },
      )
      .catch((err: unknown) => logger.warn({ err, operationId: id }, 'a session was not noted'))
      .finally(() => {
        if (isCurrent()) running.delete(id);
      });
    running.set(id, { job, watch, stop, left, done });
  };

  const leave = ({ job, stop, left }: Running): void => {
    stop.abort();
    left.abort();
    running.delete(job.operation_id);
    memories.delete(job.operation_id);
  };
  const noteHung = async (job: ShardJob): Promise<void> => {
    const now = clock.now();
    await putOff(db, job, { until: now, now, error: 'The last session hung' }).catch(
      (err: unknown) =>
        logger.warn({ err, operationId: job.operation_id }, 'a session that hung was not noted'),
    );
  };
  return {
    ids: () => [...running.keys()],
    shards: () => new Set([...running.values()].map(({ job }) => job.shard)),
    shortIds: () =>
      [...running].flatMap(([id, { job }]) => (job.resource_type === 'inbox_sync' ? [] : [id])),
    begin,
    keepOnly(kept) {
      for (const one of running.values()) {
        if (kept.has(one.job.shard)) continue;
        one.stop.abort();
        one.stoppedAt ??= performance.now();
      }
      for (const [id, { shard }] of memories) if (!kept.has(shard)) memories.delete(id);
    },
    leaveHung() {
      for (const one of running.values()) {
        const isSlow = performance.now() - (one.stoppedAt ?? Infinity) > endingMs;
        if (!isSlow && !one.watch.isHung(hungMs)) continue;
        const { operation_id: operationId, resource_type: type, resource_id: id } = one.job;
        logger.error({ operationId, resource: `${type}/${id}` }, 'a session hangs and is left');
        const isLeaving = one.stop.signal.aborted;
        leave(one);
        // Its shard has another worker by now.
        if (!isLeaving) void noteHung(one.job);
      }
    },
    async stop() {
      for (const { stop } of running.values()) stop.abort();
      await Promise.all([...running.values()].map(({ done }) => done));
    },
  };
}

function noteFailure(
  logger: Logger,
  { operation_id: operationId, ...job }: ShardJob,
  err: unknown,
) {
  const resource = `${job.resource_type}/${job.resource_id}`;
  logger.warn({ err, operationId, resource, failures: job.failures + 1 }, 'a session failed');
}
