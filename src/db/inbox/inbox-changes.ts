/** Read state, labels, archive and snooze of messages, with the counters in the same transaction. */
import { sql, type Transaction } from 'kysely';
import { countMessages, lockInbox } from './inbox-counts.ts';
import type { Database } from '../tables.ts';

/** Of messages that came in by the junk folder. */
export const JUNK_LABEL = 'junk';

/** Our mark of them, among their facts: clients may set the label on any message. */
export const CAME_BY_JUNK = { cameByJunk: true };

export interface MessagePatch {
  isRead?: boolean | undefined;
  labels?: readonly string[] | undefined;
  archived?: boolean | undefined;
  /** Null ends the snooze now. */
  snoozedUntil?: Date | null | undefined;
}

/**
 * Changes the user's messages among these ids and returns which they were. Messages whose read state changes
 * are marked, so that the sync updates the host.
 */
export async function changeMessages(
  trx: Transaction<Database>,
  { userId, ids }: { userId: string; ids: readonly number[] },
  patch: MessagePatch,
): Promise<number[]> {
  await lockInbox(trx, userId);
  const before = await trx
    .selectFrom('messages')
    .select(['id', 'thread_id', 'is_read', 'in_inbox', 'archived', 'snoozed_until'])
    .where('user_id', '=', userId)
    .where('id', '=', sql<number>`any(${ids}::bigint[])`)
    .orderBy('id')
    .forUpdate()
    .execute();
  const changes = before.map((message) => {
    const isRead = patch.isRead ?? message.is_read;
    const archived = patch.archived ?? message.archived;
    const snoozedUntil =
      patch.snoozedUntil === undefined ? message.snoozed_until : patch.snoozedUntil;
    const isMoved = patch.archived !== undefined || patch.snoozedUntil !== undefined;
    const inInbox = isMoved ? !archived && snoozedUntil === null : message.in_inbox;
    return { message, isRead, archived, snoozedUntil, inInbox };
  });
  if (changes.length === 0) return [];
  await sql`
    update messages as m set
      seen_unpushed = m.seen_unpushed or m.is_read <> change.is_read,
      is_read = change.is_read, archived = change.archived,
      snoozed_until = change.snoozed_until, in_inbox = change.in_inbox
      ${patch.labels === undefined ? sql`` : sql`, labels = ${[...patch.labels]}::text[]`}
    from jsonb_to_recordset(${JSON.stringify(
      changes.map(({ message, isRead, archived, snoozedUntil, inInbox }) => ({
        id: message.id,
        is_read: isRead,
        archived,
        snoozed_until: snoozedUntil,
        in_inbox: inInbox,
      })),
    )}::jsonb) as change (id bigint, is_read boolean, archived boolean,
      snoozed_until timestamptz, in_inbox boolean)
    where m.id = change.id`.execute(trx);
  await countMessages(
    trx,
    userId,
    changes.map(({ message, isRead, inInbox }) => ({
      before: { threadId: message.thread_id, isRead: message.is_read, inInbox: message.in_inbox },
      after: { threadId: message.thread_id, isRead, inInbox },
    })),
  );
  return before.map(({ id }) => id);
}

/**
 * Messages among these that came in by the junk folder (those of before the mark: that are there as far as we know) are
 * in the inbox now: somebody has said that they are no junk.
 * What was archived as junk is shown; an answer never was, and stays as its owner has left it. Needs `lockInbox`.
 */
export async function takeOutOfJunk(
  trx: Transaction<Database>,
  { userId, ids }: { userId: string; ids: readonly number[] },
): Promise<void> {
  if (ids.length === 0) return;
  const junk = await trx
    .selectFrom('messages')
    .select(['id', 'labels', 'send_id'])
    .where('id', '=', sql<number>`any(${ids}::bigint[])`)
    .where(sql<boolean>`${JUNK_LABEL} = any(labels)`)
    .where(
      sql<boolean>`(facts @> ${JSON.stringify(CAME_BY_JUNK)}::jsonb or exists (
        select from message_places as place join mailbox_folders as folder using (mailbox_id, path)
        where place.message_id = messages.id and folder.role = 'junk'))`,
    )
    .orderBy('id')
    .execute();
  for (const { id, labels, send_id } of junk) {
    await changeMessages(
      trx,
      { userId, ids: [id] },
      {
        labels: labels.filter((label) => label !== JUNK_LABEL),
        ...(send_id === null && { archived: false }),
      },
    );
  }
  await sql`update messages set facts = facts - ${Object.keys(CAME_BY_JUNK)}::text[]
    where id = any (${junk.map(({ id }) => id)}::bigint[])`.execute(trx);
}
