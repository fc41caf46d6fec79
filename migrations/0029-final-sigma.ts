/**
 * Keys of Greek names have one sigma: what they are made with since gives a final `ς` as `σ`, wherever in
 * the word it stands.
 */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update companies set name_key = replace(name_key, 'ς', 'σ') where name_key like '%ς%'`.execute(
    db,
  );
  await sql`update leads set name_key = replace(name_key, 'ς', 'σ'),
      profile_key = replace(profile_key, 'ς', 'σ')
    where name_key like '%ς%' or profile_key like '%ς%'`.execute(db);
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
