/** A person may be a lead of several companies, one of each: an address is unique within its company. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Nobody writes leads while it is built: some seconds for a million of them. Reads go on. Alone in
  // its transaction: who has read leads and waits to write them must not hold what comes after it.
  await sql`create unique index leads_company_email on leads (user_id, email_key, company_id)
    nulls not distinct where email_key is not null`.execute(db);
}
