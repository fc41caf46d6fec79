/** The indexes of messages that 0222 replaces; in a transaction of its own, as in 0101. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index if exists messages_search, messages_campaign`.execute(db);
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
