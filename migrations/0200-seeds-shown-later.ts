/** A placement message whose look was broken off, and that a later test found in its seed: the seed is proven by it. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table placement_messages add column shown_at timestamptz`.execute(db);
}
