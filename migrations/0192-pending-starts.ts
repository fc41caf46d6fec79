/** Who is to enter a campaign is read in the order of when, and who has entered it or not in that of the leads. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index subsequence_starts_order
    on subsequence_starts (campaign_id, status, due_at, lead_id)`.execute(db);
  await sql`drop index subsequence_starts_pending`.execute(db);
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
