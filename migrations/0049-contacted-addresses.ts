/** Whether an account has ever written to an address, whichever campaign it was. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Nobody writes sends while it is built. Reads go on.
  await sql`create index sends_account_email on sends (user_id, email_key)
    where email_key is not null`.execute(db);
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
