/** The threads of a mailbox, and those with unread messages, are read in order: their filters read all threads. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Nobody writes threads while these are built. They may be there already: docs/deployment.md says how to build
  // them beforehand while writes go on.
  await sql`create index if not exists threads_mailbox on threads
    (user_id, mailbox_id, last_message_at desc, id desc)`.execute(db);
  await sql`create index if not exists threads_unread on threads
    (user_id, last_message_at desc, id desc) where unread_count > 0`.execute(db);
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
