/**
 * What one worker at a time does for the whole installation: deliveries of events, looking after rows without
 * a workflow, after mail hosts in trouble, after companies that campaigns stop, after leads that enter campaigns by
 * their answers, after leads of domains that were suppressed, after what searches of suppressions know and what all
 * searches read beside indexes, after changes of campaigns that concern very many leads, after leads that got an address,
 * and asking a model what answers mean. A lease in Postgres says which one; when it dies, another begins
 * within `LEASE_SECONDS`.
 * docs/workflow-rules.md#shards.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../src/context.ts';
import { endStanding, holdStanding, LEASE_SECONDS } from '../../src/db/shards/shard-leases.ts';
import type { StandingWork } from '../../src/domain/shards/shards.ts';
import { createRests, type Rests } from '../engine/rests.ts';
import { createWatch, HUNG_MS, type Watch } from '../engine/watch.ts';
import { beginDueStarts } from '../campaigns/due-starts.ts';
import { followFilledAddresses } from '../campaigns/filled-addresses.ts';
import { continueChanges } from '../campaigns/open-portions.ts';
import { endOpenCompanies } from '../campaigns/open-companies.ts';
import { triggerHostChecks } from '../clusters/troubled-hosts.ts';
import { recoveryActivities } from '../operations/recovery.ts';
import { askModelFor } from '../inbox/ask-model.ts';
import { newWalkTurns, walkDomains, type WalkTurns } from '../suppressions/domain-walks.ts';
import { keepRanges } from '../suppressions/written-ranges.ts';
import { deliverFor } from '../webhooks/index.ts';
import { emptyPendingLists } from './pending-lists.ts';
import { untilEnded, type Served } from './served.ts';

const RENEW_MS = 4_000;
/** Twice within the minute that a row may stay without a workflow. docs/workflow-rules.md#the-row-comes-first. */
const RECONCILE_MS = 30_000;
/** Within which a change goes on after its request. */
const CHANGES_MS = 2_000;
/** After this time, deliveries delete old events and measure endpoints anew. */
const DELIVERIES_MS = 10 * 60_000;
/** After this time a vendor that answered nobody is asked anew, if it rests no longer. */
const INTERESTS_MS = 60 * 60_000;

/** What a part leaves to the next one. */
interface Memory {
  turns: WalkTurns;
  campaigns: Rests;
  accounts: Rests<string>;
}

type Work = (context: Context, signal: AbortSignal, watch: Watch, memory: Memory) => Promise<void>;

/** A part of each; it is begun again at once. */
const WORK: Record<StandingWork, Work> = {
  deliveries: (context, signal) => deliverFor(context, { forMs: DELIVERIES_MS, signal }),
  interests: (context, signal, { quietFor }) =>
    askModelFor(context, { forMs: INTERESTS_MS, signal, quietFor }),
  async changes(context, signal, watch, { campaigns, accounts }) {
    const isMore = await continueChanges(context, campaigns);
    if ((await followFilledAddresses(context, accounts)) || isMore) return;
    watch.quietFor(CHANGES_MS);
    await sleep(CHANGES_MS, undefined, { signal }).catch(() => undefined);
  },
  async reconciler(context, signal, watch, { turns, campaigns }) {
    // Each operation is progress, and the last one where the work has another worker by now.
    const startOperation: Context['startOperation'] = async (...input) => {
      signal.throwIfAborted();
      const isStarted = await context.startOperation(...input);
      watch.quietFor(0);
      return isStarted;
    };
    const recovery = recoveryActivities({ ...context, startOperation });
    await recovery.startMissingWorkflows();
    await recovery.undoLostWorkflows();
    await triggerHostChecks(context);
    await endOpenCompanies(context);
    await beginDueStarts(context, campaigns);
    watch.quietFor(RECONCILE_MS);
    // Until the next look.
    const options = { forMs: RECONCILE_MS, signal };
    const [walked] = await Promise.allSettled([
      walkDomains(context, { ...options, turns }),
      keepRanges(context, options),
      emptyPendingLists(context, options),
    ]);
    if (walked.status === 'rejected') throw walked.reason;
  },
};

interface Running {
  stop: AbortController;
  watch: Watch;
  done: Promise<void>;
}

/** Does this work whenever no other worker does. */
export function serveStanding(
  context: Context,
  name: StandingWork,
  {
    leaseMs = LEASE_SECONDS * 1_000,
    leaseDb: db = context.db,
  }: {
    leaseMs?: number;
    /** What the lease is held by: it may not wait behind sessions for a connection. */
    leaseDb?: Context['db'];
  } = {},
): Served {
  const { logger } = context;
  const worker = randomUUID();
  const ends = new AbortController();
  const memory: Memory = {
    turns: newWalkTurns(),
    campaigns: createRests(),
    accounts: createRests(),
  };
  let running: Running | undefined;
  let heldAt = -Infinity;

  const begin = (): Running => {
    const stop = new AbortController();
    const watch = createWatch(context);
    const own = { ...context, db: watch.db };
    const work = async () => {
      while (!stop.signal.aborted) {
        await WORK[name](own, stop.signal, watch, memory).catch(async (err: unknown) => {
          logger.warn({ err, name }, 'standing work failed and is begun again');
          await sleep(RENEW_MS, undefined, { signal: stop.signal }).catch(() => undefined);
        });
      }
    };
    return { stop, watch, done: work() };
  };
  const pause = (ms: number) =>
    sleep(ms, undefined, { signal: ends.signal }).catch(() => undefined);
  const look = async (): Promise<void> => {
    const askedAt = performance.now();
    const answer = holdStanding(db, { name, worker }).then(
      (isHeld) => void (heldAt = isHeld ? Math.max(heldAt, askedAt) : -Infinity),
      (err: unknown) => logger.warn({ err, name }, 'a lease was not renewed'),
    );
    await Promise.race([answer, pause(leaseMs)]);
    // One that is not renewed in time has ended, whether Postgres refuses or never answers.
    const isOurs = performance.now() - heldAt < leaseMs;
    if (running && (!isOurs || running.watch.isHung(HUNG_MS))) {
      if (isOurs) logger.error({ name }, 'standing work hangs and is left');
      running.stop.abort();
      running = undefined;
    }
    if (isOurs && !ends.signal.aborted) running ??= begin();
  };
  const loop = async (): Promise<void> => {
    while (!ends.signal.aborted) {
      await look();
      await pause(Math.min(RENEW_MS, leaseMs / 3));
    }
  };
  const looping = loop();
  return {
    async stop() {
      ends.abort();
      running?.stop.abort();
      await untilEnded(looping, ...(running ? [running.done] : []));
      await endStanding(db, { name, worker }).catch((err: unknown) =>
        logger.warn({ err, name }, 'a lease ends by itself'),
      );
    },
  };
}
