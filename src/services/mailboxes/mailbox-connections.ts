/** Connecting mailboxes that live elsewhere, and changing how they are logged in to. Choice 105. */
import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { Context } from '../../context.ts';
import { noteChange } from '../../db/accounts/audit-log.ts';
import { findConnection, updateConnection } from '../../db/mailboxes/connected-mailboxes.ts';
import {
  findUserMailbox,
  lockUserMailbox,
  passwordBinding,
  updateMailbox,
  type Mailbox,
} from '../../db/mailboxes/mailboxes.ts';
import {
  countOperations,
  findLatestOperation,
  insertOperation,
  type Operation,
} from '../../db/operations/operations.ts';
import type { Database } from '../../db/tables.ts';
import { invalid, notFound } from '../../domain/errors.ts';
import { connectMailboxFlow } from '../../domain/mailboxes/flows.ts';
import { assertPasswordStays, passwordRequired } from '../../domain/mailboxes/kept-passwords.ts';
import type { MailServers } from '../../domain/mailboxes/mail-servers.ts';
import type { OauthGrant } from '../../domain/mailboxes/oauth.ts';
import { stepMessage } from '../../domain/operations/operations.ts';
import { workflowIdOf } from '../../domain/operations/run-keys.ts';
import {
  insertConnectedMailbox,
  whyTaken,
  type ConnectionOrder,
} from '../../transactions/mailboxes/connections.ts';
import { assertLoginsLeft } from '../../transactions/mailboxes/refused-logins.ts';
import { ACTOR } from '../accounts/actors.ts';
import { paceOf } from '../operations/operations.ts';
import { orderOnce } from '../operations/order-once.ts';
import { connectionChange } from './connection-change.ts';

export type { ConnectionOrder };

type Needs = Pick<Context, 'db' | 'config' | 'cipher' | 'temporal' | 'startOperation'>;

/** The fields of a login that may change; what is left out stays. */
export interface ConnectionChange {
  password?: string | undefined;
  username?: string | undefined;
  smtp?: MailServers['smtp'] | undefined;
  imap?: MailServers['imap'] | undefined;
  preset?: string | null | undefined;
  /** A new consent; the password is forgotten once it is proven. */
  oauth?: OauthGrant | undefined;
}

/** Where a mailbox lives, and how far its proof is. */
export interface ConnectionView {
  mailbox: Mailbox;
  preset: string | null;
  servers: MailServers;
  provenAt: Date | null;
  addressProvenAt: Date | null;
  error: { code: string; message: string } | null;
  /** Null: nothing is being proven. */
  progress: { step: string | null; isBlocked: boolean; message: string } | null;
}

/** Begins the proof of a mailbox; it is used once that has succeeded. 400 MAILBOX_EXISTS. */
export async function connectMailbox(
  context: Needs,
  userId: string,
  order: ConnectionOrder,
  requestKey?: string,
): Promise<{ view: ConnectionView; workflowId: string }> {
  const operation = await orderOnce(context, { userId, requestKey }, (trx) =>
    beginConnection(context, trx, { userId, order, requestKey }),
  );
  const view = await getConnection(context, { userId, id: operation.resource_id });
  return { view, workflowId: workflowIdOf(operation) };
}

/** The rows of a mailbox and the intent to prove it. */
export async function beginConnection(
  context: Pick<Context, 'config' | 'cipher'>,
  trx: Transaction<Database>,
  {
    userId,
    order,
    requestKey,
  }: { userId: string; order: ConnectionOrder; requestKey?: string | undefined },
): Promise<Operation> {
  const { email, preset } = order;
  if (order.password !== null) await assertLoginsLeft(trx, context.config, userId);
  const mailbox = await insertConnectedMailbox(trx, { cipher: context.cipher, userId }, order);
  if (typeof mailbox === 'string') throw invalid('MAILBOX_EXISTS', mailbox);
  const { id: mailboxId } = mailbox;
  noteChange({ resourceId: mailboxId, after: { email, preset, leftOut: ['password'] } });
  const proof = { userId, mailboxId, email, run: 1, requestKey };
  const operation = await insertProof(context, trx, proof);
  await updateMailbox(trx, mailboxId, { operation_id: operation.id });
  return operation;
}

const insertProof = (
  context: Pick<Context, 'config'>,
  trx: Transaction<Database>,
  of: {
    userId: string;
    mailboxId: number;
    email: string;
    run: number;
    requestKey?: string | undefined;
  },
): Promise<Operation> => {
  const { userId, mailboxId, email, run, requestKey } = of;
  const input = { mailboxId, email, pace: paceOf(context) };
  return insertOperation(trx, connectMailboxFlow, input, {
    userId,
    run,
    summary: `Connect ${email}`,
    requested: { actor: ACTOR.user(userId), reason: run === 1 ? 'connected' : 'reconnected' },
    requestKey,
  });
};

/**
 * Proves a mailbox by another login. One that is in use goes on by the one of before until that has succeeded; one
 * that has failed claims its address again. 400 INVALID_STATE while a proof runs.
 */
export async function reconnectMailbox(
  context: Needs,
  { userId, id }: { userId: string; id: number },
  change: ConnectionChange,
): Promise<{ view: ConnectionView; workflowId: string }> {
  const operation = await orderOnce(context, { userId, requestKey: undefined }, (trx) =>
    beginReconnection(context, trx, { userId, id }, change),
  );
  return {
    view: await getConnection(context, { userId, id }),
    workflowId: workflowIdOf(operation),
  };
}

/** What is to be proven of a mailbox, and the intent to do so. */
export async function beginReconnection(
  context: Pick<Context, 'config' | 'cipher'>,
  trx: Transaction<Database>,
  { userId, id }: { userId: string; id: number },
  change: ConnectionChange,
): Promise<Operation> {
  const mailbox = await lockUserMailbox(trx, userId, id);
  if (!mailbox) throw notFound('mailbox');
  const connection = await findConnection(trx, id);
  if (!connection) throw notConnected(mailbox);
  const latest = await findLatestOperation(trx, 'mailbox', id);
  const isBusy = mailbox.status === 'deleting' || mailbox.status === 'pending';
  if (isBusy || latest?.finished_at === null) {
    throw invalid('INVALID_STATE', `${mailbox.email} is being worked on; try again shortly`);
  }
  const isFailed = mailbox.status === 'failed';
  const taken = isFailed && (await whyTaken(trx, { userId, email: mailbox.email }));
  if (taken) throw invalid('MAILBOX_EXISTS', taken);
  const { preset = connection.preset, password } = change;
  if (password !== undefined) await assertLoginsLeft(trx, context.config, userId);
  // Those of a failed attempt, where the view shows them; a mailbox in use has forgotten them.
  const shown = connection.next_servers ?? connection.servers;
  const next = changedServers(mailbox, shown, change);
  await updateConnection(trx, id, {
    preset,
    next_servers: next,
    proof_id: randomUUID(),
    proof_seen_at: null,
  });
  noteChange(
    connectionChange(
      { preset: connection.preset, servers: shown },
      { preset, servers: next, password },
    ),
  );
  const run = (await countOperations(trx, 'mailbox', id, connectMailboxFlow.kind)) + 1;
  const { email } = mailbox;
  const begun = await insertProof(context, trx, { userId, mailboxId: id, email, run });
  await updateMailbox(trx, id, {
    ...(password !== undefined && {
      next_password: context.cipher.seal(password, passwordBinding(id)),
    }),
    ...(isFailed && { status: 'pending', operation_id: begun.id }),
  });
  return begun;
}

/**
 * Access tokens go to the servers of their vendor alone, a password to those that it was given with. A mailbox that was
 * never proven has none.
 */
function changedServers(
  { email, password: kept }: Mailbox,
  servers: MailServers,
  { password, oauth, username, smtp, imap }: ConnectionChange,
): MailServers {
  const named = definedOf({ username, smtp, imap });
  const next = { ...servers, ...named };
  if (oauth) return { ...next, oauth };
  if (password !== undefined) return { ...next, oauth: undefined };
  if (servers.oauth && Object.keys(named).length > 0) {
    throw invalid('INVALID_STATE', `${email} is used by OAuth: its servers come with a password`);
  }
  if (!servers.oauth && kept === null) throw passwordRequired('since none is stored');
  assertPasswordStays(servers, next);
  return next;
}

const definedOf = (servers: Partial<Record<keyof MailServers, unknown>>): Partial<MailServers> =>
  Object.fromEntries(Object.entries(servers).filter(([, value]) => value !== undefined));

const notConnected = ({ email }: Mailbox) =>
  invalid('NOT_CONNECTED', `${email} is on a cluster: its servers are ours`);

/** 404 MAILBOX_NOT_FOUND; 400 NOT_CONNECTED for a mailbox on a cluster. */
export async function getConnection(
  { db }: Pick<Context, 'db'>,
  { userId, id }: { userId: string; id: number },
): Promise<ConnectionView> {
  const mailbox = await findUserMailbox(db, userId, id);
  if (!mailbox) throw notFound('mailbox');
  const connection = await findConnection(db, id);
  if (!connection) throw notConnected(mailbox);
  const latest = await findLatestOperation(db, 'mailbox', id);
  const operation = latest?.kind === connectMailboxFlow.kind ? latest : undefined;
  // A file's import proves it without an operation of its own.
  const isProving = mailbox.status === 'pending' || operation?.finished_at === null;
  const { error_code: code, error_message: message, proven_at: provenAt, preset } = connection;
  return {
    mailbox,
    preset,
    servers: connection.next_servers ?? connection.servers,
    provenAt,
    addressProvenAt: connection.address_proven_at,
    error: code === null ? null : { code, message: message ?? '' },
    progress: isProving
      ? {
          step: operation?.step ?? null,
          isBlocked: operation !== undefined && operation.blocked_at !== null,
          message: stepMessage(operation?.step ?? 'mailbox_login', operation?.state ?? 'running'),
        }
      : null,
  };
}
