/** Tells clients that the health of mailboxes has changed, in one form whoever finds it out. Choice 45. */
import type { Transaction } from 'kysely';
import { insertEvents } from '../webhooks/events.ts';
import type { Database } from '../tables.ts';

export interface MailboxHealthChange {
  mailboxId: number;
  /** What was looked at: each has a health of its own. */
  aspect: 'sending' | 'warmup' | 'sync';
  /** `failing`: nothing works before somebody or something has changed. */
  health: 'healthy' | 'throttled' | 'quarantined' | 'failing';
  /** Why it is not healthy, in the words of that aspect. */
  reason: string | null;
  /** Warm-up's, 0-100. */
  healthScore?: number | null;
}

/** The same transaction MUST have locked, or changed, the mailboxes or their rows of that aspect. */
export async function tellMailboxHealth(
  trx: Transaction<Database>,
  changes: readonly MailboxHealthChange[],
  now: Date,
): Promise<void> {
  if (changes.length === 0) return;
  const mailboxes = await trx
    .selectFrom('mailboxes')
    .select(['id', 'user_id', 'email'])
    .where(
      'id',
      'in',
      changes.map(({ mailboxId }) => mailboxId),
    )
    .execute();
  const byId = new Map(mailboxes.map((mailbox) => [mailbox.id, mailbox]));
  await insertEvents(
    trx,
    changes.flatMap(({ mailboxId, healthScore = null, ...change }) => {
      const mailbox = byId.get(mailboxId);
      if (!mailbox) return [];
      return {
        userId: mailbox.user_id,
        type: 'mailbox.health_changed' as const,
        resource: `mailbox/${mailboxId}`,
        payload: {
          mailboxId,
          email: mailbox.email,
          ...change,
          healthScore,
          at: now.toISOString(),
        },
      };
    }),
  );
}
