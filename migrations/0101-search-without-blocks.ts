/**
 * The index of texts that 0100 replaces goes in a transaction of its own: one that has built an index waits for
 * readers that wait for it.
 */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index if exists leads_search`.execute(db);
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
