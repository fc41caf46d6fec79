/**
 * When a login last showed that mail to a connected mailbox's address comes to it, which warm-up asks for (choice 156),
 * and how many logins of an account were refused on the last day that had any (choice 157).
 */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table connected_mailboxes add column address_proven_at timestamptz`.execute(db);
  await sql`create table refused_logins (
    user_id text primary key references users (user_id),
    day date not null,
    refused integer not null
  )`.execute(db);
}
