/** When the reason of a suppression has become weightier: news to who wrote to the person before. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Null: never since it was made, or by a program of before.
  await sql`alter table suppressions add column if not exists weightier_at timestamptz`.execute(db);
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
