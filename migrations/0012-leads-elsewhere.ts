/** Leads of a discovery whose companies are in another list already, and stay there. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table lead_processes
    add column leads_elsewhere integer not null default 0`.execute(db);
}
