/**
 * One index column for a lead's name and address: what both have is written and looked up once. Searches by
 * programs of before 0210 do without it.
 */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Nobody writes leads while it is built. It may be there already: docs/deployment.md says how to build it
  // beforehand while writes go on.
  await sql`create index if not exists leads_search_texts on leads
    using gin (search_block(user_id, id),
      (first_name || ' ' || last_name || chr(10) || coalesce(email, '')) gin_trgm_ops)`.execute(db);
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
