/** When a login last showed that mail to a connected mailbox's address comes to it: warm-up asks for it. Choice 156. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table connected_mailboxes add column address_proven_at timestamptz`.execute(db);
}
