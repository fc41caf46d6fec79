/**
 * A connected mailbox as it begins, and how its proof ends: its new login is in force, or the one of before.
 * Choice 105.
 */
import { randomUUID } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import {
  findConnection,
  insertConnection,
  updateConnection,
} from '../../db/mailboxes/connected-mailboxes.ts';
import {
  getMailbox,
  insertMailbox,
  isAddressTaken,
  isOnForeignCluster,
  passwordBinding,
  updateMailbox,
  type Mailbox,
} from '../../db/mailboxes/mailboxes.ts';
import { noteRefusedLogin } from '../../db/mailboxes/refused-logins.ts';
import { keepGrant } from '../../db/mailboxes/oauth-grants.ts';
import { markMailboxes } from '../../db/sending/sending-mailboxes.ts';
import type { Database } from '../../db/tables.ts';
import { insertEvents } from '../../db/webhooks/events.ts';
import type { Cipher } from '../../domain/cipher.ts';
import { PASSWORD_REFUSALS } from '../../domain/mailboxes/connection-problems.ts';
import type { MailServers } from '../../domain/mailboxes/mail-servers.ts';

/** A mailbox as its owner names it. */
export interface ConnectionOrder {
  email: string;
  /** Null where `servers.oauth` names a consent instead. */
  password: string | null;
  servers: MailServers;
  preset: string | null;
  senderName: string | null;
  dailyLimit: number | null;
}

/** Why an account cannot connect an address; undefined: it can. */
export async function whyTaken(
  trx: Transaction<Database>,
  of: { userId: string; email: string },
): Promise<string | undefined> {
  if (await isOnForeignCluster(trx, of)) {
    const domain = of.email.slice(of.email.lastIndexOf('@') + 1);
    return `${domain} is on a cluster of another account, which alone makes mailboxes there`;
  }
  return (await isAddressTaken(trx, of.email)) ? exists(of.email) : undefined;
}

const exists = (email: string) => `${email} exists already`;

/** The rows of a mailbox that is to be proven, its password sealed; a sentence: the address is taken. */
export async function insertConnectedMailbox(
  trx: Transaction<Database>,
  { cipher, userId }: { cipher: Cipher; userId: string },
  { email, password, servers, preset, senderName, dailyLimit }: ConnectionOrder,
): Promise<Mailbox | string> {
  const taken = await whyTaken(trx, { userId, email });
  if (taken !== undefined) return taken;
  const mailbox = await insertMailbox(trx, { userId, clusterId: null, email });
  if (!mailbox) return exists(email);
  const { id: mailboxId } = mailbox;
  await insertConnection(trx, { mailboxId, userId, preset }, { servers, proofId: randomUUID() });
  await updateMailbox(trx, mailboxId, {
    ...(password !== null && { password: cipher.seal(password, passwordBinding(mailboxId)) }),
    sender_name: senderName,
    daily_limit: dailyLimit,
  });
  return mailbox;
}

/** It may be used from now on, by the login that was proven; earlier attempts are forgotten. Safe to repeat. */
export async function noteProven(trx: Transaction<Database>, mailboxId: number): Promise<void> {
  const mailbox = await locked(trx, mailboxId);
  const connection = await findConnection(trx, mailboxId);
  if (!mailbox || !connection) return;
  const now = new Date();
  const servers = connection.next_servers ?? connection.servers;
  await updateMailbox(trx, mailboxId, {
    status: 'active',
    password: servers.oauth ? null : (mailbox.next_password ?? mailbox.password),
    next_password: null,
  });
  await keepGrant(trx, [mailboxId], servers.oauth?.grantId);
  await updateConnection(trx, mailboxId, {
    servers,
    next_servers: null,
    proof_id: null,
    proven_at: now,
    error_code: null,
    error_message: null,
  });
  if (mailbox.failing_reason === 'login_refused') await markMailboxes(trx, [mailboxId], null, now);
  const { user_id: userId, email } = mailbox;
  await forgetAttempts(trx, mailbox);
  const resource = `mailbox/${mailboxId}`;
  const payload = { mailboxId, email };
  await insertEvents(trx, [{ userId, type: 'mailbox.connected', resource, payload }]);
}

/** Those of its account for the same address that have failed, with their consents. */
async function forgetAttempts(
  trx: Transaction<Database>,
  { id, user_id: userId, email }: Mailbox,
): Promise<void> {
  const gone = await trx
    .updateTable('mailboxes')
    .set({ status: 'deleted', password: null, next_password: null, updated_at: new Date() })
    .where('email', '=', email)
    .where('user_id', '=', userId)
    // As the index of failed ones has it.
    .where(sql<boolean>`status = 'failed'`)
    .where('id', '!=', id)
    .returning('id')
    .execute();
  await keepGrant(
    trx,
    gone.map((each) => each.id),
  );
}

/**
 * A new mailbox has failed, and its password is forgotten: who tries it again gives it again. One that is in use goes
 * on by the login of before. Safe to repeat.
 */
export async function noteUnproven(
  trx: Transaction<Database>,
  mailboxId: number,
  error: { code: string; message: string } | undefined,
): Promise<void> {
  const mailbox = await locked(trx, mailboxId);
  if (!mailbox) return;
  const isNew = mailbox.status === 'pending';
  const servers = (await findConnection(trx, mailboxId))?.servers;
  if (!isNew) await keepGrant(trx, [mailboxId], servers?.oauth?.grantId);
  await updateMailbox(trx, mailboxId, {
    status: isNew ? 'failed' : 'active',
    next_password: null,
    ...(isNew && { password: null }),
  });
  const code = error?.code ?? 'LOST';
  if (PASSWORD_REFUSALS.includes(code)) await noteRefusedLogin(trx, mailbox.user_id);
  await updateConnection(trx, mailboxId, {
    ...(!isNew && { next_servers: null }),
    proof_id: null,
    error_code: code,
    error_message: error?.message ?? 'The proof was lost on the way',
  });
  const { user_id: userId, email } = mailbox;
  const resource = `mailbox/${mailboxId}`;
  const payload = { mailboxId, email, errorCode: code };
  await insertEvents(trx, [{ userId, type: 'mailbox.connection_failed', resource, payload }]);
}

/** Undefined where it is being deleted, or was settled before. */
async function locked(trx: Transaction<Database>, mailboxId: number) {
  await sql`select from mailboxes where id = ${mailboxId} for update`.execute(trx);
  const mailbox = await getMailbox(trx, mailboxId);
  const isProving = (await findConnection(trx, mailboxId))?.proof_id != null;
  const isLive = mailbox.status === 'pending' || mailbox.status === 'active';
  return isLive && isProving ? mailbox : undefined;
}
