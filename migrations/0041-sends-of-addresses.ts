/** Who of a campaign was written to at an address, whichever lead had it. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Nobody writes sends while it is built. Reads go on.
  await sql`create index sends_email on sends (campaign_id, email_key)
    where email_key is not null`.execute(db);
}
