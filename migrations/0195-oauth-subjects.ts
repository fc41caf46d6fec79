/** Whose consent it is at the vendor, who takes back all of a person's consents to us at once. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table oauth_grants add column subject text`.execute(db);
  await sql`create index oauth_grants_subject on oauth_grants (provider, subject)`.execute(db);
}
