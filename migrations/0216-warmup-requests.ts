/** When a mailbox's warm-up asked whoever reads the mailbox to handle its messages by the connection that is open. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table mailbox_syncs add column warmup_asked_at timestamptz`.execute(db);
}
