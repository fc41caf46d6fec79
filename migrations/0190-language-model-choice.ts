/** Whether a language model may read what an account gets, where the installation has one. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column use_language_model boolean not null default true`.execute(
    db,
  );
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
