/** What a session said when it put its job off: why there is nothing to do before then. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table shard_jobs add column note text`.execute(db);
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
