/** The index of texts that 0300 replaces; in a transaction of its own, as in 0101. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index if exists companies_search`.execute(db);
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
