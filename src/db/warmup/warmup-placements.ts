/** Where warm-up messages to seed mailboxes landed. */
import type { Kysely } from 'kysely';
import type { Database } from '../tables.ts';
import type { WarmupMessage } from './warmup-messages.ts';

/** The rest is checked the next time. */
const MOST_MESSAGES = 100;

/** A mailbox's messages to these addresses whose folder is unknown. */
export const listUnplacedMessages = (
  db: Kysely<Database>,
  mailboxId: number,
  { seeds, since }: { seeds: readonly string[]; since: Date },
): Promise<WarmupMessage[]> =>
  db
    .selectFrom('warmup_letters')
    .selectAll()
    .where('from_mailbox_id', '=', mailboxId)
    .where('to_mailbox_id', 'is', null)
    .where('to_address', 'in', [...seeds])
    .where('claimed_at', '>', since)
    .where('state', 'in', ['sending', 'sent', 'uncertain'])
    .where('seen_in', 'is', null)
    .orderBy('claimed_at', 'desc')
    .limit(MOST_MESSAGES)
    .execute();

/** The first folder counts. One whose outcome was unknown has arrived. Safe to repeat. */
export async function notePlacement(
  db: Kysely<Database>,
  messageId: number,
  { in: place, at }: { in: 'inbox' | 'spam'; at: Date },
): Promise<void> {
  await db
    .updateTable('warmup_letters')
    .set((eb) => ({
      seen_in: place,
      seen_at: eb.fn.coalesce('seen_at', eb.val(at)),
      state: 'sent',
      sent_at: eb.fn.coalesce('sent_at', 'claimed_at'),
    }))
    .where('id', '=', messageId)
    .where('seen_in', 'is', null)
    .execute();
}
