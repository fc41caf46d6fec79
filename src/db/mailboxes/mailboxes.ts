/** Mailboxes, on clusters or connected; the password is sealed and bound to its row. */
import type { Kysely, Selectable, Transaction } from 'kysely';
import type { MailboxesTable } from './mailbox-tables.ts';
import type { Database } from '../tables.ts';

export type Mailbox = Selectable<MailboxesTable>;

/** An address is taken by a mailbox in these states; the unique index enforces it. */
const LIVE_STATUSES: Mailbox['status'][] = ['pending', 'active', 'deleting'];

/** What a sealed mailbox password is bound to. */
export const passwordBinding = (mailboxId: number) => `mailbox:${mailboxId}:password`;

/** Claims the address. Undefined when a live mailbox has it already. */
export const insertMailbox = (
  trx: Transaction<Database>,
  mailbox: { userId: string; clusterId: number | null; email: string },
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
      conflict.column('email').where('status', 'in', LIVE_STATUSES).doNothing(),
    )
    .returningAll()
    .executeTakeFirst();

/** Whether a live mailbox of any user has it. */
export async function isAddressTaken(db: Kysely<Database>, email: string): Promise<boolean> {
  const row = await db
    .selectFrom('mailboxes')
    .select('id')
    .where('email', '=', email)
    .where('status', 'in', LIVE_STATUSES)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether mail to it comes to a cluster of another account, which alone makes addresses there. */
export async function isOnForeignCluster(
  db: Kysely<Database>,
  { userId, email }: { userId: string; email: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('clusters')
    .innerJoin('domains', 'domains.id', 'clusters.domain_id')
    .select('clusters.id')
    .where('domains.name', '=', email.slice(email.lastIndexOf('@') + 1))
    .where('clusters.user_id', '!=', userId)
    .where('clusters.status', 'not in', ['failed', 'deleted'])
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export const getMailbox = (db: Kysely<Database>, id: number): Promise<Mailbox> =>
  db.selectFrom('mailboxes').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

export async function updateMailbox(
  db: Kysely<Database>,
  id: number,
  change: {
    password?: Buffer | null;
    next_password?: Buffer | null;
    sender_name?: string | null;
    signature?: string | null;
    daily_limit?: number | null;
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

/**
 * Ends a change of its password, with the `next` or the `old` one in force; `seen` is the row at the start of
 * the change. False where that change was ended meanwhile: an attempt that was taken for dead must change
 * nothing any more.
 */
export async function endPasswordChange(
  db: Kysely<Database>,
  seen: Pick<Mailbox, 'id' | 'next_password'>,
  inForce: 'next' | 'old',
): Promise<boolean> {
  const { id, next_password: next } = seen;
  const done = await db
    .updateTable('mailboxes')
    .set({
      ...(inForce === 'next' && { password: next }),
      next_password: null,
      updated_at: new Date(),
    })
    .where('id', '=', id)
    .where('next_password', '=', next)
    .executeTakeFirst();
  return done.numUpdatedRows > 0n;
}

/** The sender's name and signature of a mailbox. */
export interface MailboxSender {
  /** Null: the account's. */
  name: string | null;
  signature: string | null;
}

/** By mailbox: the sender's name of its messages, and their signature. */
export async function listSenders(
  db: Kysely<Database>,
  ids: readonly number[],
): Promise<Map<number, MailboxSender>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('mailboxes')
    .select(['id', 'sender_name as name', 'signature'])
    .where('id', 'in', [...ids])
    .execute();
  return new Map(rows.map(({ id, ...sender }) => [id, sender]));
}

/** The user's mailbox; undefined for deleted ones. */
export const findUserMailbox = (
  db: Kysely<Database>,
  userId: string,
  id: number,
): Promise<Mailbox | undefined> =>
  db
    .selectFrom('mailboxes')
    .selectAll()
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('status', '!=', 'deleted')
    .executeTakeFirst();

/** The same, locked until the transaction ends. */
export const lockUserMailbox = (
  trx: Transaction<Database>,
  userId: string,
  id: number,
): Promise<Mailbox | undefined> =>
  trx
    .selectFrom('mailboxes')
    .selectAll()
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('status', '!=', 'deleted')
    .forUpdate()
    .executeTakeFirst();

/** Ends its creation; one that failed is on no host and needs no password. False where it was deleted meanwhile. */
export async function settleNewMailbox(
  trx: Transaction<Database>,
  id: number,
  status: 'active' | 'failed',
): Promise<boolean> {
  const done = await trx
    .updateTable('mailboxes')
    .set({ status, ...(status === 'failed' && { password: null }), updated_at: new Date() })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .executeTakeFirst();
  return done.numUpdatedRows > 0n;
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
    .where('status', 'in', LIVE_STATUSES);
  if (page.clusterId !== undefined) query = query.where('cluster_id', '=', page.clusterId);
  const [rows, count] = await Promise.all([
    query.selectAll().orderBy('id', 'desc').limit(page.limit).offset(page.offset).execute(),
    query.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return { rows, total: Number(count.total) };
}

/** The mailboxes that a server sends for. */
export async function listMailboxIdsOfServer(
  db: Kysely<Database>,
  serverId: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom('mailboxes')
    .innerJoin('clusters', 'clusters.id', 'mailboxes.cluster_id')
    .select('mailboxes.id')
    .where('clusters.server_id', '=', serverId)
    .where('mailboxes.status', '=', 'active')
    .execute();
  return rows.map(({ id }) => id);
}

/** In these states, in order. */
export async function listMailboxIdsOfCluster(
  db: Kysely<Database>,
  clusterId: number,
  statuses: readonly Mailbox['status'][],
): Promise<number[]> {
  const rows = await db
    .selectFrom('mailboxes')
    .select('id')
    .where('cluster_id', '=', clusterId)
    .where('status', 'in', statuses)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** The addresses of a cluster's mailboxes that are being deleted; no other mailbox has them meanwhile. */
export async function listLeavingAddresses(
  db: Kysely<Database>,
  clusterId: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('mailboxes')
    .select('email')
    .where('cluster_id', '=', clusterId)
    .where('status', '=', 'deleting')
    .orderBy('id')
    .execute();
  return rows.map(({ email }) => email);
}
