/** Events about changes of mailbox health, in one form whatever detects them. Choice 45. */
import type { Transaction } from 'kysely';
import type { MailboxHealth } from '../../domain/webhooks/event-payloads.ts';
import { insertEvents } from '../webhooks/events.ts';
import type { Database } from '../tables.ts';

/** The fields of the event; without a score the change does not come from warm-up. */
export type MailboxHealthChange = Pick<
  MailboxHealth,
  'mailboxId' | 'aspect' | 'health' | 'reason'
> &
  Partial<Pick<MailboxHealth, 'healthScore'>>;

/** The same transaction MUST have locked, or changed, the mailboxes or the rows that the change is about. */
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
