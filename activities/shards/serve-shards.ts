/**
 * A worker's part of the work that mostly waits: campaigns, inboxes, warm-ups. It holds shards by leases in
 * Postgres, begins a session for what is due, and tells the workflow when a job has no more to do. Waiting costs
 * Temporal nothing, and a worker that dies is replaced within `LEASE_SECONDS`. docs/workflow-rules.md#shards.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../src/context.ts';
import { endLeases, LEASE_SECONDS, renewLeases } from '../../src/db/shards/shard-leases.ts';
import { listDueJobs, wakeChangedCampaigns } from '../../src/db/shards/shard-jobs.ts';
import { sendingMs } from '../../src/domain/sending/sending-time.ts';
import { callOtherBuilds, tellReports } from './reports.ts';
import { untilEnded, type Served } from './served.ts';
import { createRunningJobs, type RunningJobs } from './running-jobs.ts';

/** How often is looked for what is due; days that pass faster, as in the world, want it more often. */
const LOOK_MS = 1_000;
const LOOK_LEAST_MS = 100;
const LOOK_SECONDS = 10;
/** How often leases are renewed, beside the loop, and changes looked for. */
const RENEW_MS = 4_000;
const CHANGES_MS = 3_000;
/** Sessions of campaigns and warm-ups at once: each uses connections of Postgres while it works. */
export const SHORT_SESSIONS = 400;
/** Inboxes at once: they mostly wait. They log in as they begin: not all in one moment. */
const INBOXES = 5_000;
const INBOXES_AT_ONCE = 50;
/** A loop that has not come round for so long hangs itself: another one takes its place. */
const LOOP_HUNG_MS = 45_000;

interface Loop {
  worker: string;
  jobs: RunningJobs;
  hungMs: number;
}

export function serveShards(
  context: Context,
  jobs: RunningJobs = createRunningJobs(context),
  { hungMs = LOOP_HUNG_MS }: { hungMs?: number } = {},
): Served {
  const { db, logger } = context;
  const worker = randomUUID();
  const stop = new AbortController();
  const start = () => startLoop(context, { worker, jobs, hungMs }, stop.signal);
  let current = start();
  // By a timer, since a query that is never answered holds its loop.
  const watching = setInterval(
    () => {
      jobs.leaveHung();
      if (performance.now() - current.roundAt() < hungMs) return;
      logger.error('the loop over the shards hangs: another one takes its place');
      current.leave();
      current = start();
    },
    Math.min(LOOK_MS, hungMs),
  );
  return {
    async stop() {
      clearInterval(watching);
      stop.abort();
      await untilEnded(current.done, jobs.stop());
      await endLeases(db, worker).catch((err: unknown) =>
        logger.warn({ err }, 'the leases of shards end by themselves'),
      );
    },
  };
}

function startLoop(context: Context, given: Loop, signal: AbortSignal) {
  const { config, logger } = context;
  const left = new AbortController();
  const ends = AbortSignal.any([signal, left.signal]);
  const lookMs = Math.min(
    LOOK_MS,
    Math.max(LOOK_LEAST_MS, sendingMs(LOOK_SECONDS, config.DAY_SECONDS)),
  );
  const leases = createLeases(context, given, () => ends.aborted);
  const round = createRound(context, given, {
    isLeft: () => ends.aborted,
    held: () => leases.held(),
  });
  const turns = [
    repeat(
      () => leases.renew(),
      Math.min(RENEW_MS, given.hungMs),
      'the leases of shards were not renewed',
    ),
    repeat(round, lookMs, 'shards were not looked at'),
  ];
  /** What looks for due work may take long: leases do not wait for it. */
  function repeat(work: () => Promise<void>, ms: number, trouble: string) {
    let endedAt = performance.now();
    const loop = async (): Promise<void> => {
      while (!ends.aborted) {
        await work().catch((err: unknown) => logger.warn({ err }, trouble));
        endedAt = performance.now();
        await sleep(ms, undefined, { signal: ends }).catch(() => undefined);
      }
    };
    return { done: loop(), endedAt: () => endedAt };
  }
  return {
    roundAt: () => Math.min(...turns.map(({ endedAt }) => endedAt())),
    leave: () => left.abort(),
    done: Promise.all(turns.map(({ done }) => done)),
  };
}

/** Renews what it holds, and ends the sessions of what is no longer ours. */
function createLeases({ db }: Context, { worker, jobs }: Loop, isLeft: () => boolean) {
  let shards: number[] = [];
  let leaving: number[] = [];
  let heldUntil = -Infinity;
  return {
    /** Shards in which sessions may begin; none once the leases have ended, whatever Postgres answers later. */
    held: () => (performance.now() < heldUntil ? shards : []),
    async renew(): Promise<void> {
      const askedAt = performance.now();
      const keep = [...shards, ...leaving];
      // While Postgres answers, a session may begin in any of `shards`: these are left first and given up later.
      const mayGiveUp = new Set(leaving);
      const held = { keep, busy: jobs.shards(), mayGiveUp, atWork: jobs.shortIds() };
      const leases = await renewLeases(db, worker, held);
      if (isLeft()) return;
      heldUntil = askedAt + LEASE_SECONDS * 1_000;
      ({ leaving } = leases);
      shards = [...leases.kept, ...leases.taken];
      jobs.keepOnly(new Set(leases.kept));
    },
  };
}

/** One look: begin what is due, tell what is done. */
function createRound(
  context: Context,
  { jobs, hungMs }: Loop,
  { isLeft, held }: { isLeft: () => boolean; held: () => readonly number[] },
): () => Promise<void> {
  const { db, clock, logger } = context;
  let changesAt = -Infinity;
  let telling: Promise<void> | undefined;
  let toldAt = -Infinity;
  let isCallDue = false;
  const longCount = () => jobs.ids().length - jobs.shortIds().length;
  return async () => {
    const shards = held();
    if (isLeft() || shards.length === 0) return;
    if (performance.now() - changesAt >= CHANGES_MS) {
      await wakeChangedCampaigns(db, { shards, now: clock.now() });
      changesAt = performance.now();
      await beginDue(['inbox_sync'], Math.min(INBOXES_AT_ONCE, INBOXES - longCount()));
      isCallDue = true;
    }
    await beginDue(['campaign', 'warmup'], SHORT_SESSIONS - jobs.shortIds().length);
    tell(held());
  };

  /** Beside the loop: a Temporal that hangs holds neither leases nor sessions. A call that hangs is left, too. */
  function tell(shards: readonly number[]): void {
    if (telling && performance.now() - toldAt < hungMs) return;
    toldAt = performance.now();
    const tellAll = async () => {
      await tellReports(context, shards);
      if (isCallDue) await callOtherBuilds(context, shards);
      isCallDue = false;
    };
    const own = tellAll()
      .catch((err: unknown) => logger.warn({ err }, 'workflows were not told'))
      .finally(() => {
        if (telling === own) telling = undefined;
      });
    telling = own;
  }

  async function beginDue(
    types: Parameters<typeof listDueJobs>[1]['types'],
    limit: number,
  ): Promise<void> {
    const wanted = { shards: held(), types, running: jobs.ids(), now: clock.now(), limit };
    for (const job of await listDueJobs(db, wanted)) {
      // A shard may have gone to another worker meanwhile.
      if (!isLeft() && held().includes(job.shard)) jobs.begin(job);
    }
  }
}
