/** Keeps searches from reading what was written last, and its writers from waiting for it. */
import type { Context } from '../../src/context.ts';
import { emptyPendingList, TEXT_INDEXES } from '../../src/db/pending-lists.ts';

/**
 * Sorts it into the indexes of texts, one after the other, to the end or until the time is over. Otherwise each search reads
 * up to a megabyte of it, and a request that fills the list waits for all of it: 0.9 s where the index comes from the disk.
 * Safe to repeat, and to run twice at once; what fails is tried again with the next look. Choice 212.
 */
export async function emptyPendingLists(
  { db, logger }: Pick<Context, 'db' | 'logger'>,
  { forMs, signal }: { forMs: number; signal: AbortSignal },
): Promise<void> {
  const until = performance.now() + forMs;
  for (const index of TEXT_INDEXES) {
    if (signal.aborted || performance.now() > until) return;
    await emptyPendingList(db, index).catch((err: unknown) =>
      logger.warn({ err, index }, 'the pending list of an index was not emptied yet'),
    );
  }
}
