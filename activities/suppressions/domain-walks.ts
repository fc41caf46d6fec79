/** Gives the leads of large domains their status after what was suppressed or lifted. Choice 144. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../src/context.ts';
import { despiteDeadlocks } from '../../src/db/deadlocks.ts';
import {
  countLeads,
  nextWalks,
  walkOn,
  type DomainWalk,
} from '../../src/db/suppressions/domain-walks.ts';
import { isDownForAll } from '../../src/domain/database-down.ts';
import { attempt, createRests, type Rests } from '../engine/rests.ts';

type Needs = Pick<Context, 'db' | 'clock' | 'logger'>;

interface WalkOptions {
  forMs: number;
  signal: AbortSignal;
  /** Between looks while there is nothing to do. */
  everyMs?: number;
  portion?: number;
  turns?: WalkTurns;
}

/** Longer is no pause, also after a statement that ended at its limit. */
const LONGEST_PAUSE_MS = 5_000;

/** Whose turn it is, and what failed; from one run to the next. */
export interface WalkTurns {
  /** The account that was served last. */
  after: string;
  walks: Rests;
  counts: Rests;
}

export const newWalkTurns = (): WalkTurns => ({
  after: '',
  walks: createRests(),
  counts: createRests(),
});

/**
 * Portions of walks with pauses, in turns of the accounts, for so long; looks for new ones meanwhile. Safe to repeat, and
 * to run twice at once.
 */
export async function walkDomains(
  context: Needs,
  { forMs, signal, everyMs = 3_000, portion, turns = newWalkTurns() }: WalkOptions,
): Promise<void> {
  const until = performance.now() + forMs;
  const left = () => (signal.aborted ? 0 : Math.max(0, until - performance.now()));
  const pause = (ms: number) =>
    sleep(Math.min(ms, left()), undefined, { signal }).catch(() => undefined);
  while (left() > 0) {
    const resting = turns.walks.resting();
    const walks = await nextWalks(context.db, { after: turns.after, resting });
    if (walks.length === 0) await pause(everyMs);
    for (const walk of walks) {
      if (left() === 0) return;
      turns.after = walk.user_id;
      await pause(await walkOnce(context, walk, turns, portion));
    }
  }
}

/** Of work that began then: as long as it took, so the busier the database, the longer. */
export const pauseAfter = (started: number): number =>
  Math.min(performance.now() - started, LONGEST_PAUSE_MS);

/** How long to pause after it. */
async function walkOnce(
  context: Needs,
  walk: DomainWalk,
  { walks, counts }: WalkTurns,
  portion: number | undefined,
): Promise<number> {
  const { db, clock, logger } = context;
  const { id } = walk;
  const started = performance.now();
  const isWalked = await attempt(walks, id, () =>
    despiteDeadlocks(() =>
      db.transaction().execute((trx) => walkOn(trx, walk, { now: clock.now(), portion })),
    ),
  ).catch((err: unknown) => {
    if (isDownForAll(err)) throw err;
    logger.error({ err, walkId: id }, 'leads of a domain could not get their status');
    return true;
  });
  // Nothing waits for it.
  if (!isWalked && walk.leads === null && !counts.resting().includes(id)) {
    await attempt(counts, id, () => countLeads(db, walk)).catch((err: unknown) => {
      logger.warn({ err, walkId: id }, 'leads of a domain could not be counted');
    });
  }
  return pauseAfter(started);
}
