/** The MTA-STS policy that a domain announces: mode and host; null while it announces none. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table domains add column mta_sts_policy text`.execute(db);
}
