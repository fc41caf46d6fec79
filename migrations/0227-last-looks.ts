/** When a mailbox was last looked at without an end of the reading: it failed, or was still going on. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table mailbox_syncs add column looked_at timestamptz`.execute(db);
}
