/**
 * The index of texts knows where in the account a lead stands: of a search that many fit, the newest ones are
 * found without reading the others. A block is 16,384 ids of one account (`search_block`).
 */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // An array, so that Postgres' own operator class takes it.
  await sql`
    create or replace function search_block(p_user text, p_id bigint) returns bigint[]
    language sql immutable parallel safe
    return array[hashtextextended(p_user, 0) # (p_id >> 14)]`.execute(db);
  // Nobody writes leads while it is built. Reads go on by the one of before. It may be there already: docs/deployment.md
  // says how to build it beforehand while writes go on.
  await sql`create index if not exists leads_search_blocks on leads
    using gin (search_block(user_id, id), (first_name || ' ' || last_name) gin_trgm_ops,
      email gin_trgm_ops)`.execute(db);
  await sql`drop index if exists leads_search`.execute(db);
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
