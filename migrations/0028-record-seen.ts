/** When a record was seen at the registrar: what is gone after that has been deleted, and is not late. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table published_records add column seen_at timestamptz`.execute(db);
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
