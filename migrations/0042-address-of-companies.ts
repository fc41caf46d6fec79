/** An address is no longer unique in an account: `leads_company_email` has it once in each company. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index leads_email_key`.execute(db);
}
