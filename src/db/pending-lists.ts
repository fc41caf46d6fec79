/** What was written last to indexes of texts waits in lists beside them, until it is sorted in. */
import { sql, type Kysely } from 'kysely';
import type { Database } from './tables.ts';

/** Those that the function knows: migrations/0311-emptied-pending-lists.ts. */
export const TEXT_INDEXES = [
  'suppressions_search_blocks',
  'lifted_suppressions_search_blocks',
  'leads_search_texts',
  'companies_search_blocks',
  'messages_search_blocks',
] as const;

/** Sorts all of one in. Safe to repeat, and to run twice at once: one waits for the other. */
export async function emptyPendingList(
  db: Kysely<Database>,
  index: (typeof TEXT_INDEXES)[number],
): Promise<void> {
  await sql`select empty_pending_list(${index})`.execute(db);
}
