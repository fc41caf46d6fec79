/** Messages by interest are counted without reading them, as those of a kind are: their index tells what is in the inbox. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Nobody writes messages while it is built. It may be there already: docs/deployment.md says how to build it
  // beforehand while writes go on.
  await sql`create index if not exists messages_interests on messages
    (user_id, interest, received_at desc, id desc) include (in_inbox) where interest is not null`.execute(
    db,
  );
  await sql`drop index if exists messages_interest`.execute(db);
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
