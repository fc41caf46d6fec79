/** Which unsubscriptions a recipient may take back. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Alone: nobody reads or writes suppressions until it is committed, and it waits for nothing else. Programs of before
  // leave it false: what they write cannot be taken back.
  await sql`alter table suppressions add column if not exists by_link boolean not null default false`.execute(
    db,
  );
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
