/** Mailboxes that were never proven keep no password, and are found by their address once another attempt is proven. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update mailboxes set password = null, next_password = null
    where status = 'failed' and (password is not null or next_password is not null)`.execute(db);
  await sql`create index mailboxes_failed_email on mailboxes (email) where status = 'failed'`.execute(
    db,
  );
}
