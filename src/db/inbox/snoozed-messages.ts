/** Snoozed messages whose time has come. */
import { sql, type Kysely, type Transaction } from 'kysely';
import { countMessages, lockInbox } from './inbox-counts.ts';
import { samePlan } from '../same-plan.ts';
import type { Database } from '../tables.ts';

/** Most messages that return in one transaction. */
const RETURNED_AT_ONCE = 500;

/** Moves a user's snoozed messages whose time has come back into the inbox. Choice 34. */
export async function returnSnoozed(
  trx: Transaction<Database>,
  userId: string,
  now: Date,
): Promise<number> {
  await lockInbox(trx, userId);
  const { rows } = await sql<{ thread_id: number; is_read: boolean; in_inbox: boolean }>`
    update messages set snoozed_until = null, in_inbox = not archived
    where id in (select id from messages
      where snoozed_until <= ${now} and user_id = ${userId}
      order by snoozed_until limit ${RETURNED_AT_ONCE})
    returning thread_id, is_read, in_inbox`.execute(trx);
  await countMessages(
    trx,
    userId,
    rows.map(({ thread_id: threadId, is_read: isRead, in_inbox: inInbox }) => ({
      before: { threadId, isRead, inInbox: false },
      after: { threadId, isRead, inInbox },
    })),
  );
  return rows.length;
}

/** Users of the cluster's mailboxes who have a snoozed message whose time has come. */
export async function findSnoozeDue(
  db: Kysely<Database>,
  userIds: readonly string[],
  now: Date,
): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`/*find-snooze-due*/
    select distinct user_id from messages
    where snoozed_until <= ${now} and user_id = any (${samePlan(userIds, 'text[]')})`.execute(db);
  return rows.map(({ user_id }) => user_id);
}
