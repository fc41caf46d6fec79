/** What a shard does for each kind of job: one short session, or, for an inbox, one that stays. */
import { randomUUID } from 'node:crypto';
import type { Context } from '../../src/context.ts';
import type { ShardJob } from '../../src/db/shards/shard-jobs.ts';
import type { PageResult, SessionResult } from '../../src/domain/operations/jobs.ts';
import type { ShardedType } from '../../src/domain/shards/shards.ts';
import { runSendingSession, type SendingMemory } from '../campaigns/sending-session.ts';
import { processTools } from '../campaigns/tools.ts';
import { runSyncSession } from '../inbox/sync-session.ts';
import { runWarmupSession, type WarmupMemory } from '../warmup/warmup-session.ts';
import type { Watch } from '../engine/watch.ts';

/** A session gives others a turn after this time. */
const SESSION_MS = 25_000;
/** Shorter waits than this are part of a session, longer ones end it. */
const IDLE_MS = 2_000;

/** What a worker keeps of a job between two sessions. Nothing is lost with it but some repeated looks. */
export interface JobMemory {
  shard: number;
  /** Id of this worker's sessions of the job, for as long as each ends well. */
  attempt: string;
  isClean: boolean;
  sending: SendingMemory;
  warmup: WarmupMemory;
}

export const newMemory = (shard: number): JobMemory => ({
  shard,
  attempt: randomUUID(),
  isClean: false,
  sending: {},
  warmup: {},
});

export interface ShardSession {
  context: Context;
  job: ShardJob;
  memory: JobMemory;
  /** The last session of this worker did not end well, or there was none: others may have left something. */
  isNew: boolean;
  watch: Watch;
  signal: AbortSignal;
  /** Fires when it hangs and is left: it may never come to its end. */
  left: AbortSignal;
  /** Without an answer for so long it hangs. */
  hungMs: number;
}

/** Ends when nothing is due for a while; `nextAt` is when to look again, and null where more waits. */
const SESSIONS: Record<
  ShardedType,
  (session: ShardSession) => Promise<SessionResult | PageResult>
> = {
  campaign: ({ context, job, memory, isNew, watch, signal, left }) =>
    runSendingSession(
      {
        ...context,
        ...watched(watch),
        ...processTools,
        attempt: memory.attempt,
        endsAtOnce: true,
        signal,
        left,
      },
      job.resource_id,
      { sessionMs: SESSION_MS, idleMs: IDLE_MS, memory: memory.sending, isNew },
    ),
  warmup: ({ context, job, memory, isNew, watch, signal, left }) =>
    runWarmupSession(
      {
        context: { ...context, ...watched(watch) },
        mailboxId: job.resource_id,
        operationId: job.operation_id,
        claimedBy: memory.attempt,
        signal,
        left,
        leaseDb: context.db,
      },
      { sessionMs: SESSION_MS, idleMs: IDLE_MS, memory: memory.warmup, isNew },
    ),
  inbox_sync: ({ context, job, watch, signal, hungMs }) =>
    // Each of its mailboxes is watched by itself: this watch sees the rows being polled.
    runSyncSession(context, job.resource_id, { signal, hungMs, rows: watch.db }),
};

const watched = ({ db, mailTransport, dns }: Watch) => ({ db, mailTransport, ...(dns && { dns }) });

export const runShardSession = (session: ShardSession): Promise<SessionResult | PageResult> =>
  SESSIONS[session.job.resource_type](session);
