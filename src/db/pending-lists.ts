/** What was written last to indexes of texts waits in lists beside them, until it is sorted in. */
import { sql } from 'kysely';
import type { Context } from '../context.ts';

/** Those that the function knows: migrations/0311-emptied-pending-lists.ts. */
const TEXT_INDEXES = [
  'suppressions_search_blocks',
  'lifted_suppressions_search_blocks',
  'leads_search_texts',
  'companies_search_blocks',
  'messages_search_blocks',
] as const;

/**
 * Sorts them in, one index after the other, to the end or until the time is over. Otherwise each search reads up to a
 * megabyte of them, and a request that fills the list waits for all of it: 0.9 s where the index comes from the disk. Safe to
 * repeat, and to run twice at once; what fails is tried again with the next look. Choice 212.
 */
export async function emptyPendingLists(
  { db, logger }: Pick<Context, 'db' | 'logger'>,
  { forMs, signal }: { forMs: number; signal: AbortSignal },
): Promise<void> {
  const until = performance.now() + forMs;
  for (const index of TEXT_INDEXES) {
    if (signal.aborted || performance.now() > until) return;
    await sql`select empty_pending_list(${index})`
      .execute(db)
      .catch((err: unknown) =>
        logger.warn({ err, index }, 'the pending list of an index was not emptied yet'),
      );
  }
}
