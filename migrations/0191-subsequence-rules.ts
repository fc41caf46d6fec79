/** Since when answers let leads enter a campaign: those of before its rule do not. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table campaigns add column starts_since timestamptz`.execute(db);
  // When a rule was made is not known: not before its campaign.
  await sql`update campaigns set starts_since = created_at where starts_on_interests is not null`.execute(
    db,
  );
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
