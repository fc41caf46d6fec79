/** How long an operation has waited for a person, over all its blocks that have ended. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table operations add column blocked_seconds float8 not null default 0`.execute(
    db,
  );
}
