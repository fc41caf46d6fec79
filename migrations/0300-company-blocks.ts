/**
 * Companies are searched block by block, as leads are (0100): by name and domain in one column, and by the name alone for
 * leads of companies. Searches by programs of before 0301 do without it.
 */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Nobody writes companies while it is built: a minute or two for 2.5 million. It may be there already: docs/deployment.md says
  // how to build it beforehand while writes go on.
  await sql`create index if not exists companies_search_blocks on companies
    using gin (search_block(user_id, id), (name || chr(10) || coalesce(domain, '')) gin_trgm_ops,
      name gin_trgm_ops)`.execute(db);
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
