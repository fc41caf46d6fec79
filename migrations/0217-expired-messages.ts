/** When a mail host gave a message up after a day: nobody has read it, whatever became of its lead since. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sends add column expired_at timestamptz`.execute(db);
}
