/** The message that a link belongs to, and the suppression of its recipient. */
import type { Kysely, Transaction } from 'kysely';
import { suppressLeads } from '../suppressions/suppressed-leads.ts';
import { insertSuppressions, isOwnUnsubscription } from '../suppressions/suppressions.ts';
import type { Database } from '../tables.ts';

/** Undefined when the message was deleted with its campaign. */
export const findSendOfLink = (db: Kysely<Database>, sendId: number) =>
  db.selectFrom('sends').selectAll().where('id', '=', sendId).executeTakeFirst();

/**
 * Suppresses the address that the message went to, unless it is suppressed already or the person was erased:
 * following the link again, after the first suppression was lifted, is intended. True where it was not suppressed.
 */
export async function suppressRecipient(
  trx: Transaction<Database>,
  { user_id: userId, email_key: value }: { user_id: string; email_key: string | null },
): Promise<boolean> {
  if (value === null) return false;
  const of = { kind: 'email' as const, value };
  const entry = { ...of, reason: 'unsubscribe' as const, note: null, byLink: true };
  const added = await insertSuppressions(trx, userId, [entry]);
  if (added.length > 0) await suppressLeads(trx, userId, [entry]);
  return added.length > 0;
}

/** Whether the message's recipient may take the unsubscription of their address back. Choice 155. */
export const mayTakeBack = async (
  trx: Transaction<Database>,
  { user_id: userId, email_key: emailKey }: { user_id: string; email_key: string | null },
): Promise<boolean> => emailKey !== null && isOwnUnsubscription(trx, { userId, emailKey });
