/** Read state, labels, archive and snooze of letters, with the counters in the same transaction. */
import { sql, type Transaction } from 'kysely';
import { countLetters, lockInbox } from './inbox-counts.ts';
import type { Database } from '../tables.ts';

export interface LetterPatch {
  isRead?: boolean | undefined;
  labels?: readonly string[] | undefined;
  archived?: boolean | undefined;
  /** Null brings it back now. */
  snoozedUntil?: Date | null | undefined;
}

/**
 * Changes the user's letters among these ids and answers which they were. Letters whose read state
 * changes are marked for the sync to tell the host.
 */
export async function changeLetters(
  trx: Transaction<Database>,
  { userId, ids }: { userId: string; ids: readonly number[] },
  patch: LetterPatch,
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
  const changes = before.map((letter) => {
    const isRead = patch.isRead ?? letter.is_read;
    const archived = patch.archived ?? letter.archived;
    const snoozedUntil =
      patch.snoozedUntil === undefined ? letter.snoozed_until : patch.snoozedUntil;
    const isMoved = patch.archived !== undefined || patch.snoozedUntil !== undefined;
    const inInbox = isMoved ? !archived && snoozedUntil === null : letter.in_inbox;
    return { letter, isRead, archived, snoozedUntil, inInbox };
  });
  if (changes.length === 0) return [];
  await sql`
    update messages as m set
      seen_unpushed = m.seen_unpushed or m.is_read <> change.is_read,
      is_read = change.is_read, archived = change.archived,
      snoozed_until = change.snoozed_until, in_inbox = change.in_inbox
      ${patch.labels === undefined ? sql`` : sql`, labels = ${[...patch.labels]}::text[]`}
    from jsonb_to_recordset(${JSON.stringify(
      changes.map(({ letter, isRead, archived, snoozedUntil, inInbox }) => ({
        id: letter.id,
        is_read: isRead,
        archived,
        snoozed_until: snoozedUntil,
        in_inbox: inInbox,
      })),
    )}::jsonb) as change (id bigint, is_read boolean, archived boolean,
      snoozed_until timestamptz, in_inbox boolean)
    where m.id = change.id`.execute(trx);
  await countLetters(
    trx,
    userId,
    changes.map(({ letter, isRead, inInbox }) => ({
      before: { threadId: letter.thread_id, isRead: letter.is_read, inInbox: letter.in_inbox },
      after: { threadId: letter.thread_id, isRead, inInbox },
    })),
  );
  return before.map(({ id }) => id);
}
