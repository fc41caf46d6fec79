/** The indexes that 0222 and 0223 replace; in a transaction of its own, as in 0101. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index if exists messages_search, messages_campaign, suppressions_search,
    lifted_suppressions_search`.execute(db);
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
