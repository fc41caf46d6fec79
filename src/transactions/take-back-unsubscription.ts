/** A recipient takes back what the link of a message has done to their address. Choice 155. */
import type { Transaction } from 'kysely';
import { noteChange } from '../db/accounts/audit-log.ts';
import { findSendOfLink } from '../db/sending/recipient-links.ts';
import { deleteOwnUnsubscription, findSuppressionsOf } from '../db/suppressions/suppressions.ts';
import type { Database } from '../db/tables.ts';
import { insertEvents } from '../db/webhooks/events.ts';
import { AUDITED_FIELDS, told } from '../domain/accounts/audited-values.ts';
import { liftDeleted } from './lift-suppression.ts';
import { factsOf } from './send-outcomes.ts';

/**
 * `isDone`: no entry of the address is left. The row of the entry, which is deleted here and made where somebody
 * unsubscribes, keeps the two events in order.
 */
export async function takeBackUnsubscription(
  trx: Transaction<Database>,
  sendId: number,
  now: Date,
): Promise<{ isDone: boolean; campaignIds: number[] }> {
  const send = await findSendOfLink(trx, sendId);
  // Of a campaign that is gone, and of a person who was erased.
  if (!send || send.email_key === null) return { isDone: false, campaignIds: [] };
  const { user_id: userId, email_key: emailKey } = send;
  const row = await deleteOwnUnsubscription(trx, { userId, emailKey });
  if (!row) {
    noteChange({ userId });
    const left = await findSuppressionsOf(trx, userId, [emailKey]);
    return { isDone: left.length === 0, campaignIds: [] };
  }
  const { leads, campaignIds } = await liftDeleted(trx, row, { note: '', lifted_by: 'recipient' });
  const after = { sendId, liftedLeads: leads };
  noteChange({
    userId,
    resourceId: String(row.id),
    before: told(AUDITED_FIELDS.suppression, row),
    after,
  });
  const payload = { ...factsOf(send, now), suppressionId: row.id, reason: 'unsubscribe' } as const;
  const resource = `lead/${send.lead_id}`;
  await insertEvents(trx, [{ userId, type: 'suppression.lifted', resource, payload }]);
  return { isDone: true, campaignIds };
}
