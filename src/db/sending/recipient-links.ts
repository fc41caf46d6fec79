/** The message that a link belongs to, and what its recipient may take back. */
import type { Kysely, Transaction } from 'kysely';
import { isOfSuppressedDomain, type Suppression } from '../suppressions/suppressions.ts';
import type { Database } from '../tables.ts';

/** Undefined when the message was deleted with its campaign. */
export const findSendOfLink = (db: Kysely<Database>, sendId: number) =>
  db.selectFrom('sends').selectAll().where('id', '=', sendId).executeTakeFirst();

/** Whether the recipient may take back the entry that their link has just made. Choice 155. */
export const mayTakeBack = async (
  trx: Transaction<Database>,
  { user_id: userId, value: emailKey }: Suppression,
): Promise<boolean> => !(await isOfSuppressedDomain(trx, { userId, emailKey }));
