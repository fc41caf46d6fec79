/** Suppressions are searched block by block, as leads are (0100). */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Nobody writes them while these are built: seconds for a million of each. They may be there already:
  // docs/deployment.md says how to build them beforehand.
  await sql`create index if not exists suppressions_search_blocks on suppressions
    using gin (search_block(user_id, id), value gin_trgm_ops)`.execute(db);
  await sql`create index if not exists lifted_suppressions_search_blocks on lifted_suppressions
    using gin (search_block(user_id, id), value gin_trgm_ops)`.execute(db);
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
