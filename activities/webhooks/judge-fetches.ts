/** Tells people's openings and clicks from programs', beside the deliveries that tell clients of them. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../src/context.ts';
import { judgeDueFetches } from '../../src/transactions/link-fetches.ts';

const EVERY_MS = 3_000;

/** Until the signal fires. What fails is left to the next time. */
export async function judgeFetches(
  { db, clock, config, logger }: Pick<Context, 'db' | 'clock' | 'config' | 'logger'>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      // A full portion is followed by the next one at once.
      while (!signal.aborted && (await judgeDueFetches(db, clock.now(), config)) > 0);
    } catch (err) {
      logger.warn({ err }, 'openings and clicks could not be judged yet');
    }
    await sleep(EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}
