/** What was written last to indexes of texts waits in lists beside them, until it is sorted in. */
import { sql, type Kysely } from 'kysely';
import type { Database } from './tables.ts';

/** Those that the function knows: migrations/0311-emptied-pending-lists.ts. */
const TEXT_INDEXES = [
  'suppressions_search_blocks',
  'lifted_suppressions_search_blocks',
  'leads_search_texts',
  'companies_search_blocks',
  'messages_search_blocks',
] as const;

/**
 * Sorts them in, one index after the other. Otherwise each search reads up to a megabyte of them, and a request that
 * fills the list waits for all of it: 0.7 s where the index comes from the disk. Safe to repeat, and to run twice at once.
 */
export async function emptyPendingLists(db: Kysely<Database>): Promise<void> {
  for (const index of TEXT_INDEXES) {
    await sql`select empty_pending_list(${index})`.execute(db);
  }
}
