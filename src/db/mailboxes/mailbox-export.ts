/** Mailboxes with their credentials, page by page, for a file. */
import type { Kysely } from 'kysely';
import type { Database } from '../tables.ts';

/** An active mailbox; the password is sealed. */
export interface MailboxLogin {
  id: number;
  email: string;
  sender_name: string | null;
  account_name: string | null;
  password: Buffer;
  host_name: string;
  daily_limit: number | null;
  signature: string | null;
}

const PAGE = 500;

/** One of the user's active mailboxes. */
export const findMailboxLogin = (
  db: Kysely<Database>,
  userId: string,
  id: number,
): Promise<MailboxLogin | undefined> =>
  logins(db, userId).where('mailboxes.id', '=', id).executeTakeFirst();

/** The oldest first, of one cluster or of all. */
export async function* exportedMailboxes(
  db: Kysely<Database>,
  userId: string,
  clusterId?: number,
): AsyncGenerator<MailboxLogin[]> {
  let after = 0;
  for (;;) {
    let query = logins(db, userId).where('mailboxes.id', '>', after);
    if (clusterId !== undefined) query = query.where('mailboxes.cluster_id', '=', clusterId);
    const page = await query.orderBy('mailboxes.id').limit(PAGE).execute();
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
    after = page.at(-1)!.id;
  }
}

const logins = (db: Kysely<Database>, userId: string) =>
  db
    .selectFrom('mailboxes')
    .innerJoin('clusters', 'clusters.id', 'mailboxes.cluster_id')
    .innerJoin('servers', 'servers.id', 'clusters.server_id')
    .innerJoin('users', 'users.user_id', 'mailboxes.user_id')
    .select(['mailboxes.id', 'mailboxes.email', 'mailboxes.sender_name', 'mailboxes.daily_limit'])
    .select('mailboxes.signature')
    .select(['users.sender_name as account_name', 'servers.host_name', 'mailboxes.password'])
    .where('mailboxes.user_id', '=', userId)
    .where('mailboxes.status', '=', 'active')
    .where('mailboxes.password', 'is not', null)
    .$narrowType<{ password: Buffer }>();
