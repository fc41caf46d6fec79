/** Separates openings and clicks of people from those of programs, in parallel to the deliveries. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../src/context.ts';
import { judgeDueFetches } from '../../src/transactions/link-fetches.ts';
import { STEP_MS, within } from '../engine/time-limit.ts';

const EVERY_MS = 3_000;

/** Runs until the signal fires. Failures are retried the next time. */
export async function judgeFetches(
  { db, clock, config, logger }: Pick<Context, 'db' | 'clock' | 'config' | 'logger'>,
  signal: AbortSignal,
  stepMs: number = STEP_MS,
): Promise<void> {
  while (!signal.aborted) {
    try {
      // After a full batch the next one follows at once.
      const next = () => within(stepMs, judgeDueFetches(db, clock.now(), config));
      while (!signal.aborted && (await next()) > 0);
    } catch (err) {
      logger.warn({ err }, 'openings and clicks could not be judged yet');
    }
    await sleep(EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}
