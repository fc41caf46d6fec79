/** A recipient takes back what the link of a message has done to their address. Choice 155. */
import type { Transaction } from 'kysely';
import { noteChange } from '../db/accounts/audit-log.ts';
import { isSuppressed } from '../db/leads/leads.ts';
import { findSendOfLink } from '../db/sending/recipient-links.ts';
import { deleteOwnUnsubscription, isOfSuppressedDomain } from '../db/suppressions/suppressions.ts';
import type { Database } from '../db/tables.ts';
import { insertEvents } from '../db/webhooks/events.ts';
import { AUDITED_FIELDS, told } from '../domain/accounts/audited-values.ts';
import { liftDeleted } from './lift-suppression.ts';
import { leadOf } from './recipient-outcomes.ts';
import { factsOf } from './send-outcomes.ts';

/** What a link takes back: the message's unsubscription, and the entry that this has made. */
export interface TakenBack {
  sendId: number;
  suppressionId: number;
}

/**
 * `isDone`: the address is not suppressed any more. Where its domain is, nothing is changed. The row of the entry, which is deleted here and made where somebody
 * unsubscribes, keeps the two events in order.
 */
export async function takeBackUnsubscription(
  trx: Transaction<Database>,
  { sendId, suppressionId }: TakenBack,
  now: Date,
): Promise<{ isDone: boolean; campaignIds: number[] }> {
  const send = await findSendOfLink(trx, sendId);
  // Of a campaign that is gone, and of a person who was erased.
  if (!send || send.email_key === null) return { isDone: false, campaignIds: [] };
  const { user_id: userId, email_key: emailKey } = send;
  const own = { userId, emailKey, id: suppressionId };
  const row = (await isOfSuppressedDomain(trx, own))
    ? undefined
    : await deleteOwnUnsubscription(trx, own);
  if (!row) {
    noteChange({ userId });
    return { isDone: !(await isSuppressed(trx, userId, emailKey)), campaignIds: [] };
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
  const resource = `lead/${leadOf(send)}`;
  await insertEvents(trx, [{ userId, type: 'suppression.lifted', resource, payload }]);
  return { isDone: !(await isSuppressed(trx, userId, emailKey)), campaignIds };
}
