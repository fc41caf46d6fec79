/** What a suppression of a domain and the erasure of a person look up, without reading the account. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Nobody writes leads while it is built: some seconds for a million of them. Reads go on.
  await sql`create index leads_domain on leads (user_id, (reverse(email_key) collate "C"))
    where email_key is not null`.execute(db);
  // The same of messages and attachments: To and Cc, and what is said, have an index each already.
  await sql`create index messages_from on messages (user_id, lower(from_address))`.execute(db);
  await sql`create index messages_reply_to on messages (user_id, lower(reply_to))
    where reply_to is not null`.execute(db);
  await sql`create index attachments_filename on attachments
    using gin (lower(filename) gin_trgm_ops)`.execute(db);
  await sql`create index threads_subject on threads
    using gin (lower(subject) gin_trgm_ops)`.execute(db);
}
