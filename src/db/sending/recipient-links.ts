/** The message that a link belongs to. */
import type { Kysely } from 'kysely';
import type { Database } from '../tables.ts';

/** Undefined when the message was deleted with its campaign. */
export const findSendOfLink = (db: Kysely<Database>, sendId: number) =>
  db.selectFrom('sends').selectAll().where('id', '=', sendId).executeTakeFirst();
