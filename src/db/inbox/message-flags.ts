/** Read state of messages as their host has it. */
import { sql, type Transaction } from 'kysely';
import { arrayLiteral } from '../array-literal.ts';
import { countMessages, lockInbox } from './inbox-counts.ts';
import type { FolderKey } from './mailbox-folders.ts';
import type { Database } from '../tables.ts';

/** A message's location and whether the host has it as read. */
export interface SeenAt {
  uid: number;
  isSeen: boolean;
}

interface Changed {
  thread_id: number;
  is_read: boolean;
  in_inbox: boolean;
}

/** Sets the read state of inbound messages to that of the host, counters included. Safe to repeat. */
export async function followSeen(
  trx: Transaction<Database>,
  userId: string,
  { mailboxId, path }: FolderKey,
  seen: readonly SeenAt[],
): Promise<number> {
  if (seen.length === 0) return 0;
  await lockInbox(trx, userId);
  const { rows } = await sql<Changed>`
    update messages set is_read = seen.is_seen
    from unnest(${arrayLiteral(seen, ({ uid }) => uid)}::bigint[],
      ${arrayLiteral(seen, ({ isSeen }) => isSeen)}::boolean[]) as seen (uid, is_seen)
    join message_places as place
      on place.mailbox_id = ${mailboxId} and place.path = ${path} and place.uid = seen.uid
    where messages.id = place.message_id and messages.direction = 'inbound'
      and messages.is_read <> seen.is_seen and not messages.seen_unpushed
    returning messages.thread_id, messages.is_read, messages.in_inbox`.execute(trx);
  const changes = rows.map(({ thread_id: threadId, is_read: isRead, in_inbox: inInbox }) => ({
    before: { threadId, isRead: !isRead, inInbox },
    after: { threadId, isRead, inInbox },
  }));
  await countMessages(trx, userId, changes);
  return rows.length;
}
