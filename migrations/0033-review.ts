/** Answers that a person has to read before it is known what they are, and endpoints that see answers. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Rows of before fit: they need no look, and nobody waits for it.
  await sql`alter table messages drop constraint messages_kind_check`.execute(db);
  await sql`alter table messages add constraint messages_kind_check check (kind in ('message',
    'reply', 'auto_reply', 'bounce', 'complaint', 'unsubscribe_request', 'needs_review'))
    not valid`.execute(db);
  await sql`alter table webhooks add column include_content boolean not null default false`.execute(
    db,
  );
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
