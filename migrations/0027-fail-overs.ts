/** Fail-overs are counted at every scrape, and are few among the events of a million operations. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index operation_events_failed_over on operation_events (at)
    where kind = 'failed_over'`.execute(db);
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
