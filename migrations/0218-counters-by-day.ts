/** Counts of campaigns by day, for the numbers of refusals that operators see at each scrape. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index campaign_counters_day on campaign_counters (day)`.execute(db);
}
