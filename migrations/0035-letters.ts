/** The inbox in the order of arrival, and the language that a campaign's letters speak. */
import { sql, type Kysely } from 'kysely';

/** Each index by name with its columns before the time, and its condition. */
const BY_TIME = [
  ['messages_inbox', 'user_id', 'where in_inbox'],
  ['messages_user', 'user_id', ''],
  ['messages_mailbox', 'mailbox_id', ''],
  ['messages_unread', 'user_id', 'where in_inbox and not is_read'],
  ['messages_archived', 'user_id', 'where archived'],
  ['messages_inbound', 'user_id', `where direction = 'inbound'`],
  ['messages_kind', 'user_id, kind', `where kind <> 'message'`],
  ['messages_from_domain', `user_id, split_part(lower(from_address), '@', -1)`, ''],
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  // Null: as the letters read.
  await sql`alter table campaigns add column language text`.execute(db);
  // A Date header is the sender's word: one from last year would hide a letter, and one of an erring
  // clock put it first.
  for (const [name, columns, condition] of BY_TIME) {
    await sql`drop index ${sql.ref(name)}`.execute(db);
    await sql`create index ${sql.ref(name)} on messages
      (${sql.raw(columns)}, received_at desc, id desc) ${sql.raw(condition)}`.execute(db);
  }
  await sql`drop index messages_campaign`.execute(db);
  await sql`create index messages_campaign on messages (campaign_id, received_at desc)
    where campaign_id is not null`.execute(db);
  await sql`drop index messages_thread`.execute(db);
  await sql`create index messages_thread on messages (thread_id, received_at, id)`.execute(db);
  // What the product sent itself stands where it was sent.
  await sql`update messages set received_at = sent_at
    where direction = 'outbound' and received_at <> sent_at`.execute(db);
  await sql`update threads set last_message_at = letters.last
    from (select thread_id, max(received_at) as last from messages group by thread_id) as letters
    where threads.id = letters.thread_id and threads.last_message_at <> letters.last`.execute(db);
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
