/**
 * What was written last to an index of texts waits in a list that each search reads from end to end: 4 MB of it took a
 * search 50 ms. Short lists cost a suppression nothing, and a lead some 20 µs more.
 */
import { sql, type Kysely } from 'kysely';

/** Kilobytes; of imports and first syncs, which write many rows at once, more. */
const LIMITS = {
  suppressions_search_blocks: 64,
  lifted_suppressions_search_blocks: 64,
  leads_search_texts: 1_024,
  companies_search_blocks: 1_024,
  messages_search_blocks: 1_024,
};

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [index, limit] of Object.entries(LIMITS)) {
    // Neither reads nor writes wait for it.
    await sql`alter index ${sql.ref(index)} set (gin_pending_list_limit = ${sql.lit(limit)})`.execute(
      db,
    );
  }
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
