/**
 * Whose a message was that went to an address which bounced and was corrected: it is no longer the lead's,
 * and an erasure of the person finds it all the same. A column alone: the table is not rewritten.
 */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sends add column former_lead_id bigint`.execute(db);
}
