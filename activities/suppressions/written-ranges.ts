/** Keeps what is known of the texts of each 200 suppressions, for searches in large accounts. Choice 210. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../src/context.ts';
import {
  lastCompleteId,
  RANGE_SOURCES,
  writeRanges,
  type RangeSource,
} from '../../src/db/suppressions/written-ranges.ts';
import { pauseAfter } from './domain-walks.ts';

interface KeepOptions {
  forMs: number;
  signal: AbortSignal;
}

/**
 * What is new, and what is gone, in portions with pauses as long as they took; to the end or for so long. Safe to repeat,
 * and to run twice at once. Nothing waits for it: what fails is tried again with the next look.
 */
export async function keepRanges(
  { db, logger }: Pick<Context, 'db' | 'logger'>,
  { forMs, signal }: KeepOptions,
): Promise<void> {
  const until = performance.now() + forMs;
  const left = () => (signal.aborted ? 0 : Math.max(0, until - performance.now()));
  const keep = async (source: RangeSource) => {
    const upTo = await lastCompleteId(db, source);
    for (let isMore = true; isMore && left() > 0;) {
      const started = performance.now();
      isMore = await writeRanges(db, source, upTo);
      const pause = Math.min(pauseAfter(started), left());
      if (isMore) await sleep(pause, undefined, { signal }).catch(() => undefined);
    }
  };
  for (const source of RANGE_SOURCES) {
    if (left() === 0) return;
    await keep(source).catch((err: unknown) =>
      logger.warn({ err, source }, 'texts of suppressions were not looked at yet'),
    );
  }
}
