/** Deletes old events, a few at a time, in parallel to the deliveries. */
import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS } from '../../src/domain/day.ts';
import type { Context } from '../../src/context.ts';
import { pruneEvents } from '../../src/db/webhooks/event-retention.ts';
import { STEP_MS, within } from '../engine/time-limit.ts';

const PORTION = 500;
/** Pause between two batches: clients' events have priority. */
const PAUSE_MS = 100;

/** Runs until nothing old is left, or the signal fires. Failures are retried the next time. */
export async function pruneOldEvents(
  { db, clock, config, logger }: Pick<Context, 'db' | 'clock' | 'config' | 'logger'>,
  signal: AbortSignal,
): Promise<number> {
  const before = new Date(clock.now().getTime() - config.EVENT_RETENTION_DAYS * DAY_MS);
  let pruned = 0;
  try {
    for (let after: number | null = 0; after !== null && !signal.aborted;) {
      const portion = pruneEvents(db, { before, after, limit: PORTION });
      const { deleted, next }: { deleted: number; next: number | null } = await within(
        STEP_MS,
        portion,
      );
      pruned += deleted;
      after = next;
      if (next !== null) await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
    }
  } catch (err) {
    logger.warn({ err, pruned }, 'old events could not be deleted yet');
  }
  return pruned;
}
