/** Mailboxes on clusters; the password is sealed and bound to its row. */
import type { Kysely, Selectable, Transaction } from 'kysely';
import type { MailboxesTable } from './provisioning-tables.ts';
import type { Database } from './tables.ts';

export type Mailbox = Selectable<MailboxesTable>;

/** What a sealed mailbox password is bound to. */
export const passwordBinding = (mailboxId: number) => `mailbox:${mailboxId}:password`;

/** Claims the address. Undefined when it is alive already. */
export const insertMailbox = (
  trx: Transaction<Database>,
  mailbox: { userId: string; clusterId: number; email: string },
): Promise<Mailbox | undefined> =>
  trx
    .insertInto('mailboxes')
    .values({
      user_id: mailbox.userId,
      cluster_id: mailbox.clusterId,
      email: mailbox.email,
      password: null,
      operation_id: null,
    })
    .onConflict((conflict) =>
      conflict.column('email').where('status', 'in', ['pending', 'active']).doNothing(),
    )
    .returningAll()
    .executeTakeFirst();

export const getMailbox = (db: Kysely<Database>, id: number): Promise<Mailbox> =>
  db.selectFrom('mailboxes').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

export async function updateMailbox(
  db: Kysely<Database>,
  id: number,
  change: {
    password?: Buffer;
    status?: Mailbox['status'];
    operation_id?: number;
  },
): Promise<void> {
  await db
    .updateTable('mailboxes')
    .set({ ...change, updated_at: new Date() })
    .where('id', '=', id)
    .execute();
}

/** A page of a user's mailboxes, newest first, of one cluster or of all. */
export async function listMailboxes(
  db: Kysely<Database>,
  userId: string,
  page: { clusterId?: number | undefined; limit: number; offset: number },
): Promise<{ rows: Mailbox[]; total: number }> {
  let query = db
    .selectFrom('mailboxes')
    .where('user_id', '=', userId)
    .where('status', 'in', ['pending', 'active']);
  if (page.clusterId !== undefined) query = query.where('cluster_id', '=', page.clusterId);
  const [rows, count] = await Promise.all([
    query.selectAll().orderBy('id', 'desc').limit(page.limit).offset(page.offset).execute(),
    query.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return { rows, total: Number(count.total) };
}
