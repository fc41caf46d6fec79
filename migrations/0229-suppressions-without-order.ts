/** The indexes that 0223 replaces; in a transaction of its own, as in 0101. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // In the order in which a suppression is lifted.
  await sql`drop index if exists suppressions_search`.execute(db);
  await sql`drop index if exists lifted_suppressions_search`.execute(db);
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
