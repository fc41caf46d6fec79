/** Messages of people that wait for their time. Each change locks the row: a message leaves, or is changed. Choice 126. */
import { sql, type Kysely, type Transaction } from 'kysely';
import { emailKey } from '../../domain/leads/lead-keys.ts';
import { domainsAbove } from '../../domain/suppressions/suppressions.ts';
import { countMessages, lockInbox } from './inbox-counts.ts';
import type { Database } from '../tables.ts';

export interface ScheduledMessage {
  id: number;
  message_row_id: number;
  user_id: string;
  thread_id: number;
  is_read: boolean;
  in_inbox: boolean;
  state: string;
  send_at: Date | null;
  cancel_on_reply: boolean;
  recipients: string[];
}

/** Locks it until the transaction ends; of any state. Needs `lockInbox`, where its message is changed as well. */
async function lockScheduled(
  trx: Transaction<Database>,
  by: { id: number } | { userId: string; messageRowId: number },
): Promise<ScheduledMessage | undefined> {
  const which =
    'id' in by
      ? sql`o.id = ${by.id}`
      : sql`o.message_id = ${by.messageRowId} and o.user_id = ${by.userId}`;
  const { rows } = await sql<ScheduledMessage>`
    select o.id, o.message_id as message_row_id, o.user_id, m.thread_id, m.is_read, m.in_inbox, o.state,
      o.send_at, o.cancel_on_reply, m.to_addresses || m.cc_addresses as recipients
    from outgoing_letters as o join messages as m on m.id = o.message_id
    where ${which} for update of o`.execute(trx);
  return rows[0];
}

export const lockScheduledMessage = (
  trx: Transaction<Database>,
  userId: string,
  messageRowId: number,
): Promise<ScheduledMessage | undefined> => lockScheduled(trx, { userId, messageRowId });

/** How many messages of the account wait. */
export async function countScheduled(db: Kysely<Database>, userId: string): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`select count(*)::integer as waiting
    from outgoing_letters where user_id = ${userId} and state = 'scheduled'`.execute(db);
  return rows[0]!.waiting;
}

/** Another time for a message that is locked and waits. */
export async function moveScheduled(
  trx: Transaction<Database>,
  { id, message_row_id }: Pick<ScheduledMessage, 'id' | 'message_row_id'>,
  sendAt: Date,
): Promise<void> {
  await trx
    .updateTable('outgoing_letters')
    .set({ send_at: sendAt })
    .where('id', '=', id)
    .where('state', '=', 'scheduled')
    .execute();
  await trx
    .updateTable('messages')
    .set({ sent_at: sendAt })
    .where('id', '=', message_row_id)
    .execute();
}

/** It is never sent. Nothing happens to one that waits no more. */
export async function cancelScheduled(
  trx: Transaction<Database>,
  id: number,
  failure: string,
): Promise<void> {
  await trx
    .updateTable('outgoing_letters')
    .set({ state: 'cancelled', failure, attachments: null })
    .where('id', '=', id)
    .where('state', '=', 'scheduled')
    .execute();
}

/**
 * Queues a message whose time has come, or cancels it where something has happened since it was written.
 * Returns how long it still waits, 0 where it does not wait (any more). Safe to repeat.
 */
export async function releaseScheduled(
  db: Kysely<Database>,
  { id, now }: { id: number; now: Date },
): Promise<number> {
  const found = await db
    .selectFrom('outgoing_letters')
    .select(['user_id', 'state'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (found?.state !== 'scheduled') return 0;
  return db.transaction().execute(async (trx) => {
    await lockInbox(trx, found.user_id);
    const message = await lockScheduled(trx, { id });
    if (message?.state !== 'scheduled') return 0;
    const waitMs = message.send_at!.getTime() - now.getTime();
    if (waitMs > 0) return waitMs;
    const objection = await objectionTo(trx, message);
    if (objection !== undefined) await cancelScheduled(trx, id, objection);
    else await queue(trx, message, now);
    return 0;
  });
}

/** What its author did not know when they wrote it. */
async function objectionTo(
  trx: Transaction<Database>,
  { id, message_row_id, thread_id, cancel_on_reply, recipients }: ScheduledMessage,
): Promise<string | undefined> {
  const keys = recipients.map((address) => emailKey(address) ?? address);
  const { rows } = await sql<{ isSuppressed: boolean; isAnswered: boolean }>`
    select exists (
        select from suppressions as s
        where s.user_id = o.user_id and greatest(s.created_at, s.weightier_at) > o.created_at
          and s.value = any (${keys.flatMap((key) => [key, ...domainsAbove(key)])}::text[])
      ) as "isSuppressed", exists (
        select from messages as answer
        where answer.thread_id = ${thread_id} and answer.id > ${message_row_id}
          and answer.direction = 'inbound'
          and answer.kind not in ('auto_reply', 'bounce', 'needs_review')
      ) as "isAnswered"
    from outgoing_letters as o where o.id = ${id}`.execute(trx);
  const { isSuppressed, isAnswered } = rows[0]!;
  if (isSuppressed) return 'A recipient was suppressed after it was written';
  return cancel_on_reply && isAnswered ? 'An answer came first' : undefined;
}

/** It is dated, and stands in its thread, as written now. */
async function queue(
  trx: Transaction<Database>,
  { id, message_row_id, user_id, thread_id, is_read, in_inbox }: ScheduledMessage,
  now: Date,
): Promise<void> {
  await trx.updateTable('outgoing_letters').set({ state: 'queued' }).where('id', '=', id).execute();
  await trx
    .updateTable('messages')
    .set({ sent_at: now, received_at: now })
    .where('id', '=', message_row_id)
    .execute();
  const same = { threadId: thread_id, isRead: is_read, inInbox: in_inbox };
  await countMessages(trx, user_id, [{ before: same, after: same, arrivedAt: now }]);
}

/** When the message was to be sent (null: at once), and how it ended; undefined where it is gone. */
export const findDelivery = (db: Kysely<Database>, id: number) =>
  db
    .selectFrom('outgoing_letters')
    .select(['state', 'failure_code', 'send_at'])
    .where('id', '=', id)
    .executeTakeFirst();
