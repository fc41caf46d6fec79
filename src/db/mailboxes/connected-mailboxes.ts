/** Mailboxes elsewhere: where they live, and what is being proven of them. Choice 105. */
import { sql, type Kysely, type Transaction } from 'kysely';
import type { MailServers } from '../../domain/mailboxes/mail-servers.ts';
import { openLogin, sealedLoginOf, type MailboxLogin } from './mailbox-access.ts';
import type { Cipher } from '../../domain/cipher.ts';
import type { Database } from '../tables.ts';

/** The row of a connected mailbox, which is being proven from now on, and the holder of its account's inbox. */
export async function insertConnection(
  trx: Transaction<Database>,
  of: { mailboxId: number; userId: string; preset: string | null },
  { servers, proofId }: { servers: MailServers; proofId: string },
): Promise<void> {
  await trx
    .insertInto('connected_inboxes')
    .values({ user_id: of.userId })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .execute();
  await trx
    .insertInto('connected_mailboxes')
    .values({
      mailbox_id: of.mailboxId,
      preset: of.preset,
      servers: JSON.stringify(servers),
      next_servers: null,
      proof_id: proofId,
      proof_seen_at: null,
      proven_at: null,
      error_code: null,
      error_message: null,
    })
    .execute();
}

/** Undefined for a mailbox that is on a cluster. */
export const findConnection = (db: Kysely<Database>, mailboxId: number) =>
  db
    .selectFrom('connected_mailboxes')
    .selectAll()
    .where('mailbox_id', '=', mailboxId)
    .executeTakeFirst();

/** The connected mailbox of an account with this address; one that is live goes before those that have failed. */
export const findOwnMailbox = (
  db: Kysely<Database>,
  userId: string,
  email: string,
): Promise<{ id: number; servers: MailServers } | undefined> =>
  db
    .selectFrom('mailboxes')
    .innerJoin('connected_mailboxes as own', 'own.mailbox_id', 'mailboxes.id')
    .select(['mailboxes.id', 'own.servers'])
    .where('mailboxes.user_id', '=', userId)
    .where('mailboxes.email', '=', email)
    .where('mailboxes.status', 'in', ['pending', 'active', 'failed'])
    .orderBy(sql`mailboxes.status = 'failed'`)
    .orderBy('mailboxes.id', 'desc')
    .limit(1)
    .executeTakeFirst();

export async function updateConnection(
  db: Kysely<Database>,
  mailboxId: number,
  change: {
    preset?: string | null;
    servers?: MailServers;
    next_servers?: MailServers | null;
    proof_id?: string | null;
    proof_seen_at?: Date | null;
    proven_at?: Date;
    error_code?: string | null;
    error_message?: string | null;
  },
): Promise<void> {
  const { servers, next_servers: next, ...rest } = change;
  await db
    .updateTable('connected_mailboxes')
    .set({
      ...rest,
      ...(servers !== undefined && { servers: JSON.stringify(servers) }),
      ...(next !== undefined && { next_servers: next && JSON.stringify(next) }),
    })
    .where('mailbox_id', '=', mailboxId)
    .execute();
}

/** The message of this proof was read. False: it has ended, and another one may have begun. */
export async function noteProofSeen(
  db: Kysely<Database>,
  { mailboxId, proofId }: { mailboxId: number; proofId: string },
  seen: { proof_seen_at: Date; address_proven_at?: Date | null },
): Promise<boolean> {
  const done = await db
    .updateTable('connected_mailboxes')
    .set(seen)
    .where('mailbox_id', '=', mailboxId)
    .where('proof_id', '=', proofId)
    .executeTakeFirst();
  return done.numUpdatedRows > 0n;
}

/** A login that is being proven. */
export interface ProvenLogin {
  access: MailboxLogin & { servers: MailServers };
  preset: string | null;
  /** Names the message that proves it. */
  proofId: string;
  /** That message was read. */
  isSeen: boolean;
  /** User name and IMAP host are those of the login in use: what that has shown of the address still holds. */
  isSameInbox: boolean;
}

/** The login that is to be proven: the new one, where one was asked for. Undefined once the mailbox is gone. */
export async function findLoginToProve(
  { db, cipher }: { db: Kysely<Database>; cipher: Cipher },
  mailboxId: number,
): Promise<ProvenLogin | undefined> {
  const row = await db
    .selectFrom('mailboxes')
    .innerJoin('connected_mailboxes as own', 'own.mailbox_id', 'mailboxes.id')
    .select(['email', 'password', 'next_password', 'own.servers', 'own.next_servers'])
    .select(['own.preset', 'own.proof_id', 'own.proof_seen_at'])
    .where('mailboxes.id', '=', mailboxId)
    .where('status', 'in', ['pending', 'active'])
    .executeTakeFirst();
  if (!row || row.proof_id === null) return undefined;
  const servers = row.next_servers ?? row.servers;
  const password = servers.oauth ? null : (row.next_password ?? row.password);
  const login = sealedLoginOf({ email: row.email, password, host_name: null, servers });
  if (login === undefined) return undefined;
  const { preset, proof_id: proofId } = row;
  const access = { ...openLogin({ cipher }, mailboxId, login), servers };
  const isSameInbox =
    servers.username === row.servers.username && servers.imap.host === row.servers.imap.host;
  return { access, preset, proofId, isSeen: row.proof_seen_at !== null, isSameInbox };
}
