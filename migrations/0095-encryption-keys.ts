/** Since when each key of ENCRYPTION_KEYS was the first one: what was encrypted before needs an older key. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table encryption_keys (
      key_id text primary key,
      first_at timestamptz not null default now()
    )`.execute(db);
}
