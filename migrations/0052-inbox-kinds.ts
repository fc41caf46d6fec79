/** Replies and other kinds of messages in the inbox are listed and counted by their index alone. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Small: most messages are of no kind. Archived ones are told apart without reading them.
  await sql`create index messages_kind_new on messages
    (user_id, kind, received_at desc, id desc) include (in_inbox) where kind <> 'message'`.execute(
    db,
  );
  await sql`drop index messages_kind`.execute(db);
  await sql`alter index messages_kind_new rename to messages_kind`.execute(db);
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
