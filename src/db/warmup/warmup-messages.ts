/** Messages between warm-up partners, as seen by other parts of the product. */
import type { Kysely, Selectable, Transaction } from 'kysely';
import type { Database } from '../tables.ts';
import type { WarmupMessagesTable } from './warmup-tables.ts';

export type WarmupMessage = Selectable<WarmupMessagesTable>;

/**
 * Whether a message is one of warm-up, to or from this mailbox. Inbox sync leaves such messages out.
 * `messageId` with angle brackets; `warmupIdsAmong` preselects the candidates.
 */
export async function isWarmupMessage(
  db: Kysely<Database>,
  mailboxId: number,
  messageId: string,
): Promise<boolean> {
  const message = await db
    .selectFrom('warmup_letters')
    .select('id')
    .where('message_id', '=', messageId)
    .where((eb) =>
      eb.or([eb('from_mailbox_id', '=', mailboxId), eb('to_mailbox_id', '=', mailboxId)]),
    )
    .executeTakeFirst();
  return message !== undefined;
}

/**
 * Records that a mailbox's warm-up message bounced. True when one of the Message-IDs (with angle brackets) is
 * such a message: the report is then kept out of the user's inbox. Safe to repeat.
 */
export async function noteWarmupBounce(
  db: Kysely<Database>,
  mailboxId: number,
  messageIds: readonly string[],
  at: Date,
): Promise<boolean> {
  if (messageIds.length === 0) return false;
  const found = await db
    .updateTable('warmup_letters')
    .set((eb) => ({ bounced_at: eb.fn.coalesce('bounced_at', eb.val(at)) }))
    .where('from_mailbox_id', '=', mailboxId)
    .where('message_id', 'in', [...messageIds])
    .returning('id')
    .execute();
  return found.length > 0;
}

/**
 * Records that a seed has answered: it has read the message, in whichever folder. True when one of the
 * Message-IDs (with angle brackets) is a message to this very address: the answer is then kept out of the
 * user's inbox. Safe to repeat.
 */
export async function noteSeedAnswer(
  db: Kysely<Database>,
  mailboxId: number,
  { messageIds, from, at }: { messageIds: readonly string[]; from: string; at: Date },
): Promise<boolean> {
  if (messageIds.length === 0) return false;
  const found = await db
    .updateTable('warmup_letters')
    .set((eb) => ({
      seen_at: eb.fn.coalesce('seen_at', eb.val(at)),
      state: 'sent',
      sent_at: eb.fn.coalesce('sent_at', 'claimed_at'),
    }))
    .where('from_mailbox_id', '=', mailboxId)
    .where('to_mailbox_id', 'is', null)
    .where('to_address', '=', from)
    .where('state', 'in', ['sending', 'sent', 'uncertain'])
    .where('message_id', 'in', [...messageIds])
    .returning('id')
    .execute();
  return found.length > 0;
}

/** Cancels planned messages when a warm-up ends. A message in delivery is finished. */
export async function cancelPlannedMessages(
  trx: Transaction<Database>,
  mailboxId: number,
): Promise<void> {
  await trx
    .updateTable('warmup_letters')
    .set({ state: 'cancelled', claimed_by: null, claimed_at: null })
    .where('from_mailbox_id', '=', mailboxId)
    .where('state', 'in', ['planned', 'claimed'])
    .execute();
}

/** The address of a live mailbox. */
export async function findMailboxEmail(
  db: Kysely<Database>,
  mailboxId: number,
): Promise<string | undefined> {
  const found = await db
    .selectFrom('mailboxes')
    .select('email')
    .where('id', '=', mailboxId)
    .where('status', '=', 'active')
    .executeTakeFirst();
  return found?.email;
}
