/** Arrived warm-up messages: where they were found, which were rescued from spam, which are answered. */
import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../tables.ts';
import type { WarmupMessage } from './warmup-messages.ts';

/** The rest is checked the next time. */
const MOST_MESSAGES = 100;

/** Messages to a mailbox that were not found in it yet, or are still to be moved out of spam. */
export const listExpectedMessages = (
  db: Kysely<Database>,
  mailboxId: number,
  since: Date,
): Promise<WarmupMessage[]> =>
  db
    .selectFrom('warmup_letters')
    .selectAll()
    .where('to_mailbox_id', '=', mailboxId)
    .where('claimed_at', '>', since)
    .where('state', 'in', ['sending', 'sent', 'uncertain'])
    .where((eb) =>
      eb.or([
        eb('seen_at', 'is', null),
        eb.and([eb('seen_in', '=', 'spam'), eb('saved_at', 'is', null)]),
      ]),
    )
    .orderBy('claimed_at', 'desc')
    .limit(MOST_MESSAGES)
    .execute();

/** Records where a message was first seen. One whose outcome was unknown has arrived. */
export async function noteSeen(
  trx: Transaction<Database>,
  messageId: number,
  seen: { in: 'inbox' | 'spam'; at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('warmup_letters')
    .set({ seen_in: seen.in, seen_at: seen.at })
    .where('id', '=', messageId)
    .where('seen_at', 'is', null)
    .executeTakeFirstOrThrow();
  await trx
    .updateTable('warmup_letters')
    .set(({ fn }) => ({ state: 'sent', sent_at: fn.coalesce('sent_at', 'claimed_at') }))
    .where('id', '=', messageId)
    .where('state', '=', 'uncertain')
    .execute();
  return numUpdatedRows > 0n;
}

export async function noteSaved(db: Kysely<Database>, messageId: number, at: Date): Promise<void> {
  await db
    .updateTable('warmup_letters')
    .set({ saved_at: at })
    .where('id', '=', messageId)
    .where('saved_at', 'is', null)
    .execute();
}

/**
 * Plans the answer to a message, once. It replaces the last message planned for today, so that a day never
 * exceeds its volume; false when there is none to replace.
 */
export async function planAnswer(
  trx: Transaction<Database>,
  original: WarmupMessage,
  answer: { messageId: string; toAddress: string; plannedAt: Date; today: Date },
): Promise<'planned' | 'no_room' | 'answered'> {
  const mailboxId = original.to_mailbox_id!;
  const inserted = await trx
    .insertInto('warmup_letters')
    .values({
      from_mailbox_id: mailboxId,
      to_mailbox_id: original.from_mailbox_id,
      to_address: answer.toAddress,
      in_reply_to_id: original.id,
      message_id: answer.messageId,
      planned_at: answer.plannedAt,
    })
    .onConflict((conflict) =>
      conflict.column('in_reply_to_id').where('in_reply_to_id', 'is not', null).doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  if (!inserted) return 'answered';
  const last = await trx
    .updateTable('warmup_letters')
    .set({ state: 'cancelled' })
    .where('state', 'in', ['planned'])
    .where('id', '=', (eb) =>
      eb
        .selectFrom('warmup_letters')
        .select('id')
        .where('from_mailbox_id', '=', mailboxId)
        .where('state', 'in', ['planned'])
        .where('in_reply_to_id', 'is', null)
        .where('planned_at', '<', answer.today)
        .orderBy('planned_at', 'desc')
        .limit(1),
    )
    .executeTakeFirstOrThrow();
  return last.numUpdatedRows > 0n ? 'planned' : 'no_room';
}

/** Postpones an answer for which today's volume had no room. */
export async function postponeAnswer(
  trx: Transaction<Database>,
  originalId: number,
  until: Date,
): Promise<void> {
  await trx
    .updateTable('warmup_letters')
    .set({ planned_at: until })
    .where('in_reply_to_id', '=', originalId)
    .where('state', 'in', ['planned'])
    .execute();
}
