/** What a suppression of a domain and the erasure of a person look up, without reading the account. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Nobody writes leads while it is built: some seconds for a million of them. Reads go on.
  await sql`create index leads_domain on leads (user_id, (reverse(email_key) collate "C"))
    where email_key is not null`.execute(db);
}
