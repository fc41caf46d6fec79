/**
 * A worker's part of the work that mostly waits: campaigns, inboxes, warm-ups. It holds shards by leases in
 * Postgres, begins a session for what is due, and tells the workflow when a job has no more to do. Waiting costs
 * Temporal nothing, and a worker that dies is replaced within `LEASE_SECONDS`. docs/workflow-rules.md#shards.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../src/context.ts';
import { endLeases, renewLeases } from '../../src/db/shards/shard-leases.ts';
import { listDueJobs, wakeChangedCampaigns } from '../../src/db/shards/shard-jobs.ts';
import { sendingMs } from '../../src/domain/sending/sending-time.ts';
import { callOtherBuilds, tellReports } from './reports.ts';
import { untilEnded, type Served } from './served.ts';
import { createRunningJobs, type RunningJobs } from './running-jobs.ts';

/** How often is looked for what is due; days that pass faster, as in the world, want it more often. */
const LOOK_MS = 1_000;
const LOOK_LEAST_MS = 100;
const LOOK_SECONDS = 10;
/** How often leases are renewed, and changes looked for. */
const RENEW_MS = 4_000;
const CHANGES_MS = 3_000;
/** Sessions of campaigns and warm-ups at once: each uses connections of Postgres while it works. */
const SHORT_SESSIONS = 200;
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
  // By a timer, since a query that is never answered holds the loop, and with it its leases end.
  const watching = setInterval(
    () => {
      if (performance.now() - current.roundAt() < hungMs) return;
      logger.error('the loop over the shards hangs: another one takes its place');
      current.leave();
      current = start();
    },
    Math.min(RENEW_MS, hungMs),
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
  let roundAt = performance.now();
  const round = createRound(context, given, () => ends.aborted);
  const loop = async (): Promise<void> => {
    while (!ends.aborted) {
      await round().catch((err: unknown) => logger.warn({ err }, 'shards were not looked at'));
      roundAt = performance.now();
      await sleep(lookMs, undefined, { signal: ends }).catch(() => undefined);
    }
  };
  return { roundAt: () => roundAt, leave: () => left.abort(), done: loop() };
}

/** One look: renew, end what is no longer ours, begin what is due. */
function createRound(
  context: Context,
  { worker, jobs, hungMs }: Loop,
  isLeft: () => boolean,
): () => Promise<void> {
  const { db, clock, logger } = context;
  let shards: number[] = [];
  let leaving: number[] = [];
  let renewedAt = -Infinity;
  let changesAt = -Infinity;
  let telling: Promise<void> | undefined;
  let toldAt = -Infinity;
  let isCallDue = false;
  const longCount = () => jobs.ids().length - jobs.shortIds().length;
  const renew = async () => {
    const keep = [...shards, ...leaving];
    const held = { keep, busy: jobs.shards(), atWork: jobs.shortIds() };
    const leases = await renewLeases(db, worker, held);
    ({ leaving } = leases);
    shards = [...leases.kept, ...leases.taken];
    if (!isLeft()) jobs.keepOnly(new Set(leases.kept));
  };
  return async () => {
    // First of all: also where Postgres refuses.
    jobs.leaveHung();
    if (performance.now() - renewedAt >= RENEW_MS) {
      await renew();
      renewedAt = performance.now();
    }
    if (isLeft() || shards.length === 0) return;
    if (performance.now() - changesAt >= CHANGES_MS) {
      await wakeChangedCampaigns(db, { shards, now: clock.now() });
      changesAt = performance.now();
      await beginDue(['inbox_sync'], Math.min(INBOXES_AT_ONCE, INBOXES - longCount()));
      isCallDue = true;
    }
    await beginDue(['campaign', 'warmup'], SHORT_SESSIONS - jobs.shortIds().length);
    tell();
  };

  /** Beside the loop: a Temporal that hangs holds neither leases nor sessions. A call that hangs is left, too. */
  function tell(): void {
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
    const wanted = { shards, types, running: jobs.ids(), now: clock.now(), limit };
    for (const job of await listDueJobs(db, wanted)) if (!isLeft()) jobs.begin(job);
  }
}
