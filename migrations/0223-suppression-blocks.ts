/** Suppressions are searched block by block, as leads are (0100), and the audit log is read by an action in order. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Nobody writes them while these are built: seconds for a million of each. They may be there already.
  await sql`create index if not exists suppressions_search_blocks on suppressions
    using gin (search_block(user_id, id), value gin_trgm_ops)`.execute(db);
  await sql`create index if not exists lifted_suppressions_search_blocks on lifted_suppressions
    using gin (search_block(user_id, id), value gin_trgm_ops)`.execute(db);
  await sql`create index if not exists audit_log_of_action on audit_log
    (user_id, action, id)`.execute(db);
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
