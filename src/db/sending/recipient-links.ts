/** The message that a link belongs to, and the suppression of its recipient. */
import type { Kysely, Transaction } from 'kysely';
import { suppressLeads } from '../suppressions/suppressed-leads.ts';
import { insertSuppressions } from '../suppressions/suppressions.ts';
import type { Database } from '../tables.ts';

/** Undefined when the message was deleted with its campaign. */
export const findSendOfLink = (db: Kysely<Database>, sendId: number) =>
  db
    .selectFrom('sends')
    .select(['user_id', 'email_key'])
    .where('id', '=', sendId)
    .executeTakeFirst();

/**
 * Suppresses the address that the message went to, unless it is suppressed already or the person was erased:
 * following the link again, after the first suppression was lifted, is intended.
 */
export async function suppressRecipient(
  trx: Transaction<Database>,
  { user_id: userId, email_key: value }: { user_id: string; email_key: string | null },
): Promise<void> {
  if (value === null) return;
  const entry = { kind: 'email' as const, value, reason: 'unsubscribe' as const, note: null };
  const added = await insertSuppressions(trx, userId, [entry]);
  if (added.length > 0) await suppressLeads(trx, userId, [entry]);
}
