/** Counts of campaigns by day, for the numbers of refusals that operators see at each scrape. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Nobody counts an outcome while it is built. It may be there already: docs/deployment.md says how to build it
  // beforehand while writes go on.
  await sql`create index if not exists campaign_counters_day on campaign_counters (day)`.execute(
    db,
  );
}
