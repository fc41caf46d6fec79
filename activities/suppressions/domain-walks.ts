/** Gives the leads of large domains their status after what was suppressed or lifted. Choice 144. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../src/context.ts';
import { despiteDeadlocks } from '../../src/db/deadlocks.ts';
import {
  countLeads,
  listWalks,
  walkOn,
  type DomainWalk,
} from '../../src/db/suppressions/domain-walks.ts';
import { isDatabaseDown } from '../../src/domain/database-down.ts';

type Needs = Pick<Context, 'db' | 'clock' | 'logger'>;

interface WalkOptions {
  forMs: number;
  signal: AbortSignal;
  /** Between looks while there is nothing to do. */
  everyMs?: number;
  portion?: number;
}

/** A walk that failed rests for so long. */
const REST_MS = 5_000;

/**
 * Portions of all walks in turns, with pauses, for so long; looks for new ones meanwhile. Safe to repeat, and to run
 * twice at once.
 */
export async function walkDomains(
  context: Needs,
  { forMs, signal, everyMs = 3_000, portion }: WalkOptions,
): Promise<void> {
  const until = performance.now() + forMs;
  const left = () => (signal.aborted ? 0 : Math.max(0, until - performance.now()));
  const pause = (ms: number) =>
    sleep(Math.min(ms, left()), undefined, { signal }).catch(() => undefined);
  while (left() > 0) {
    const walks = await listWalks(context.db);
    if (walks.length === 0) await pause(everyMs);
    for (const walk of walks) {
      if (left() === 0) return;
      await pause(await walkOnce(context, walk, portion));
    }
  }
}

/** How long to pause after it: as long as it took, so the busier the database, the longer. */
async function walkOnce(
  context: Needs,
  walk: DomainWalk,
  portion: number | undefined,
): Promise<number> {
  const started = performance.now();
  try {
    if (walk.leads === null) await countLeads(context.db, walk);
    const { db, clock } = context;
    await despiteDeadlocks(() =>
      db.transaction().execute((trx) => walkOn(trx, walk, { now: clock.now(), portion })),
    );
  } catch (err) {
    if (isDatabaseDown(err)) throw err;
    // It stops no other.
    context.logger.error({ err, walkId: walk.id }, 'leads of a domain could not get their status');
    return REST_MS;
  }
  return performance.now() - started;
}
