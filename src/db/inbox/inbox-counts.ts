/** Counters of threads and of the inbox, exact in the transaction that changes messages. */
import { sql, type Kysely, type Transaction } from 'kysely';
import type { Database } from '../tables.ts';

/** The fields of a message that counters depend on. */
export interface CountedMessage {
  threadId: number;
  isRead: boolean;
  inInbox: boolean;
}

/** A message that arrived (`before` null), changed, or was removed (`after` null). */
export interface MessageChange {
  before: CountedMessage | null;
  after: CountedMessage | null;
  /** When the message arrived; moves its thread to the top. */
  arrivedAt?: Date;
}

/**
 * Every transaction that adds, changes or deletes messages of a user calls this first, then `countMessages`
 * once or more: writers are serialized, so no count is lost and no deadlock occurs.
 */
export async function lockInbox(trx: Transaction<Database>, userId: string): Promise<void> {
  // The row is locked even where the condition says that nothing is to be updated.
  await sql`insert into inbox_counts (user_id) values (${userId})
    on conflict (user_id) do update set messages = excluded.messages where false`.execute(trx);
}

/** Applies the changes to the counters of threads and inbox. Needs `lockInbox`. */
export async function countMessages(
  trx: Transaction<Database>,
  userId: string,
  changes: readonly MessageChange[],
): Promise<void> {
  const threads = new Map<number, ThreadChange>();
  const inbox = { messages: 0, unread: 0 };
  for (const { before, after, arrivedAt } of changes) {
    count(threads, inbox, before, -1);
    count(threads, inbox, after, 1);
    const thread = after && threads.get(after.threadId);
    if (thread && arrivedAt && (!thread.last_at || thread.last_at < arrivedAt)) {
      thread.last_at = arrivedAt;
    }
  }
  if (threads.size > 0) {
    await sql`
      update threads set messages_count = messages_count + change.messages,
        unread_count = unread_count + change.unread,
        last_message_at = greatest(last_message_at, change.last_at)
      from jsonb_to_recordset(${JSON.stringify([...threads.values()])}::jsonb)
        as change (id bigint, messages integer, unread integer, last_at timestamptz)
      where threads.id = change.id`.execute(trx);
  }
  if (inbox.messages === 0 && inbox.unread === 0) return;
  await sql`update inbox_counts set messages = messages + ${inbox.messages},
    unread = unread + ${inbox.unread} where user_id = ${userId}`.execute(trx);
}

interface ThreadChange {
  id: number;
  messages: number;
  unread: number;
  last_at?: Date;
}

function count(
  threads: Map<number, ThreadChange>,
  inbox: { messages: number; unread: number },
  message: CountedMessage | null,
  sign: 1 | -1,
): void {
  if (!message) return;
  const { threadId, isRead, inInbox } = message;
  const thread = threads.get(threadId) ?? { id: threadId, messages: 0, unread: 0 };
  threads.set(threadId, thread);
  thread.messages += sign;
  if (!isRead) thread.unread += sign;
  if (!inInbox) return;
  inbox.messages += sign;
  if (!isRead) inbox.unread += sign;
}

/** Unread messages in the inbox: neither archived nor snoozed. Choice 34. */
export async function readUnreadCount(db: Kysely<Database>, userId: string): Promise<number> {
  const row = await db
    .selectFrom('inbox_counts')
    .select('unread')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.unread ?? 0;
}
