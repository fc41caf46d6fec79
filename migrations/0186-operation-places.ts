/** Jobs of an account wait for a place: only so many of them run at once. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Null: it needs none, as all operations of before.
  await sql`alter table operations add column place text
    check (place in ('waiting', 'taken', 'released'))`.execute(db);
  await sql`create index operations_places on operations (user_id, place, id)
    where place is not null and finished_at is null`.execute(db);
}
