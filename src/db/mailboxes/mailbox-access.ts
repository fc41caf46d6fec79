/** What it takes to log in to a mailbox, wherever it lives: the one place that knows its servers. */
import { sql, type Kysely } from 'kysely';
import type { Cipher } from '../../domain/cipher.ts';
import type { MailServers } from '../../domain/mailboxes/mail-servers.ts';
import { passwordBinding } from './mailboxes.ts';
import type { Database } from '../tables.ts';

/** A login whose password is sealed. */
export interface SealedLogin {
  /** Of the cluster's server, or where a connected mailbox is read. */
  host: string;
  email: string;
  /** See `passwordBinding`. Null where `servers.oauth` names a consent instead. */
  password: Buffer | null;
  /** Of a connected mailbox. */
  servers?: MailServers | undefined;
}

/** Its password is empty where `servers.oauth` names a consent instead. */
export type MailboxLogin = Omit<SealedLogin, 'password'> & { password: string };

/** The columns of `mailboxes` and `mailbox_hosts` that a login is made of. */
export interface LoginColumns {
  email: string;
  password: Buffer | null;
  host_name: string | null;
  servers: MailServers | null;
}

/** Undefined without a password or consent, or a host. */
export function sealedLoginOf(row: LoginColumns): SealedLogin | undefined {
  const { email, password, host_name: hostName, servers } = row;
  const host = hostName ?? servers?.imap.host;
  if (host === undefined) return undefined;
  if (password === null && servers?.oauth === undefined) return undefined;
  return { host, email, password, ...(servers !== null && { servers }) };
}

export const openLogin = (
  { cipher }: { cipher: Cipher },
  mailboxId: number,
  login: SealedLogin,
): MailboxLogin => ({
  ...login,
  password: login.password === null ? '' : cipher.open(login.password, passwordBinding(mailboxId)),
});

/** Undefined for a mailbox that is not active, or whose host is not known. */
export async function findMailboxAccess(
  { db, cipher }: { db: Kysely<Database>; cipher: Cipher },
  mailboxId: number,
): Promise<MailboxLogin | undefined> {
  const row = await db
    .selectFrom('mailboxes')
    .modifyFront(sql`/*find-mailbox-access*/`)
    .innerJoin('mailbox_hosts as host', 'host.mailbox_id', 'mailboxes.id')
    .select(['mailboxes.email', 'mailboxes.password', 'host.host_name', 'host.servers'])
    .where('mailboxes.id', '=', mailboxId)
    .where('mailboxes.status', '=', 'active')
    .executeTakeFirst();
  const login = row && sealedLoginOf(row);
  return login && openLogin({ cipher }, mailboxId, login);
}
