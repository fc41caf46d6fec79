/** Tells clients that the health of mailboxes has changed, in one form whoever finds it out. Choice 45. */
import type { Transaction } from 'kysely';
import type { MailboxHealth } from '../../domain/webhooks/event-payloads.ts';
import { insertEvents } from '../webhooks/events.ts';
import type { Database } from '../tables.ts';

/** What the event tells of it; without a score it is none of warm-up's. */
export type MailboxHealthChange = Pick<
  MailboxHealth,
  'mailboxId' | 'aspect' | 'health' | 'reason'
> &
  Partial<Pick<MailboxHealth, 'healthScore'>>;

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
