/** Clients list their operations, newest first. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index operations_user on operations (user_id, id desc)`.execute(db);
}
