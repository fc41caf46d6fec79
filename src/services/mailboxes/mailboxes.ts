/** Mailboxes on a cluster's domain. Spec: Mailboxes; choice 27. */
import { randomBytes } from 'node:crypto';
import type { Context } from '../../context.ts';
import { noteChange } from '../../db/accounts/audit-log.ts';
import { commitOnce } from '../../db/accounts/request-effects.ts';
import { AUDITED_FIELDS, difference } from '../../domain/accounts/audited-values.ts';
import { lockActiveCluster, type ClusterView } from '../../db/clusters/clusters.ts';
import {
  findUserMailbox,
  getMailbox,
  insertMailbox,
  listMailboxes as listMailboxRows,
  passwordBinding,
  updateMailbox,
  type Mailbox,
} from '../../db/mailboxes/mailboxes.ts';
import {
  insertOperation,
  lockRequestedOperation,
  type Operation,
} from '../../db/operations/operations.ts';
import { invalid, notFound } from '../../domain/errors.ts';
import { safeSignature } from '../../domain/mailboxes/signature-html.ts';
import { createMailboxFlow } from '../../domain/mailboxes/flows.ts';
import { ACTOR } from '../accounts/actors.ts';
import { getClusterView } from '../clusters/clusters.ts';
import { awaitOperation, operationError, paceOf } from '../operations/operations.ts';
import { workflowIdOf } from '../../domain/operations/run-keys.ts';

type Needs = Pick<Context, 'db' | 'config' | 'cipher' | 'startOperation'>;

/** What a client asks for. */
export interface MailboxOrder {
  email: string;
  /** Generated if missing. */
  password?: string | undefined;
}

/** The fields that a client may change. */
export interface MailboxChange {
  senderName?: string | null | undefined;
  /** Plain text, or HTML, which is sanitised. */
  signature?: string | null | undefined;
}

/** A new mailbox with its password, which is returned only once. */
export interface NewMailbox {
  mailbox: Mailbox;
  password: string;
  workflowId: string;
}

/** 144 bits, of characters that mail programs accept and spreadsheets do not take for a formula. */
export function generatePassword(): string {
  const text = randomBytes(18).toString('base64url');
  return text.startsWith('-') ? generatePassword() : text;
}

/**
 * Spec: POST /v1/mailboxes/cluster/:clusterId. Waits 25 s; if it takes longer or is blocked, the row is
 * returned as it is. The password is returned this once. A request with the `requestKey` of an earlier
 * one is answered with that one's mailbox, unless its creation failed.
 */
export async function createMailbox(
  context: Needs,
  userId: string,
  order: MailboxOrder & { clusterId: number },
  requestKey?: string,
): Promise<NewMailbox> {
  const cluster = await getReadyCluster(context, userId, order.clusterId);
  const operation = await beginCreation(context, { cluster, order, requestKey });
  if (operation.started_at !== null || (await context.startOperation(operation))) {
    const ended = await awaitOperation(context, operation.id);
    if (ended.state === 'failed') throw operationError(ended);
  }
  return newMailbox(context, operation);
}

/** 404 CLUSTER_NOT_FOUND; 400 MAIL_SERVER_NOT_READY unless it is active. */
export async function getReadyCluster(
  context: Pick<Context, 'db'>,
  userId: string,
  clusterId: number,
): Promise<NonNullable<ClusterView>> {
  const cluster = await getClusterView(context, userId, clusterId);
  if (cluster.status !== 'active') throw notReady();
  return cluster;
}

const notReady = () =>
  invalid('MAIL_SERVER_NOT_READY', 'The mail server of this cluster is not deployed');

/**
 * Inserts the row with its sealed password and the intent to create it. Throws what is wrong with the
 * order.
 */
export function beginCreation(
  context: Needs,
  creation: {
    cluster: NonNullable<ClusterView>;
    order: MailboxOrder;
    requestKey: string | undefined;
  },
): Promise<Operation> {
  const { cluster, order, requestKey } = creation;
  const { id: clusterId, user_id: userId } = cluster;
  const { email, password = generatePassword() } = order;
  if (!email.endsWith(`@${cluster.domain}`)) {
    throw invalid('EMAIL_DOMAIN_MISMATCH', `email must be an address at ${cluster.domain}`);
  }
  return commitOnce(context.db, async (trx) => {
    const earlier = requestKey && (await lockRequestedOperation(trx, userId, requestKey));
    if (earlier && earlier.state !== 'failed') return earlier;
    // A deletion of the cluster either comes first, or includes this mailbox.
    if (!(await lockActiveCluster(trx, clusterId))) throw notReady();
    const mailbox = await insertMailbox(trx, { userId, clusterId, email });
    if (!mailbox) throw invalid('MAILBOX_EXISTS', `${email} exists already`);
    noteChange({ resourceId: mailbox.id, after: { email, clusterId } });
    const sealed = context.cipher.seal(password, passwordBinding(mailbox.id));
    const input = { mailboxId: mailbox.id, email, pace: paceOf(context) };
    const operation = await insertOperation(trx, createMailboxFlow, input, {
      userId,
      summary: `Make ${email}`,
      requested: { actor: ACTOR.user(userId), reason: 'created' },
      requestKey,
    });
    await updateMailbox(trx, mailbox.id, { password: sealed, operation_id: operation.id });
    return operation;
  });
}

/** The mailbox that an operation creates, with its password. */
export async function newMailbox(
  { db, cipher }: Pick<Context, 'db' | 'cipher'>,
  operation: Operation,
): Promise<NewMailbox> {
  const mailbox = await getMailbox(db, operation.resource_id);
  // It may be the mailbox of an earlier request, and deleted by now.
  if (mailbox.password === null) throw notFound('mailbox');
  const password = cipher.open(mailbox.password, passwordBinding(mailbox.id));
  return { mailbox, password, workflowId: workflowIdOf(operation) };
}

/** Throws 404 MAILBOX_NOT_FOUND, for foreign and deleted ones too. */
export async function getUserMailbox(
  context: Pick<Context, 'db'>,
  userId: string,
  id: number,
): Promise<Mailbox> {
  const mailbox = await findUserMailbox(context.db, userId, id);
  if (!mailbox) throw notFound('mailbox');
  return mailbox;
}

/** `null` resets to the account's name, or to no signature; undefined stays. */
export async function changeMailbox(
  context: Pick<Context, 'db'>,
  { userId, id }: { userId: string; id: number },
  { senderName, signature }: MailboxChange,
): Promise<Mailbox> {
  const change = {
    ...(senderName !== undefined && { sender_name: senderName }),
    ...(signature !== undefined && { signature: signature && safeSignature(signature) }),
  };
  return commitOnce(context.db, async (trx) => {
    const before = await getUserMailbox({ db: trx }, userId, id);
    if (Object.keys(change).length > 0) await updateMailbox(trx, id, change);
    const mailbox = await getUserMailbox({ db: trx }, userId, id);
    const leftOut = mailbox.signature === before.signature ? [] : ['signature'];
    noteChange(difference(AUDITED_FIELDS.mailbox, before, mailbox, leftOut));
    return mailbox;
  });
}

/** 404 for a cluster that the user does not have. */
export async function listMailboxes(
  context: Pick<Context, 'db'>,
  userId: string,
  page: { clusterId?: number | undefined; limit: number; offset: number },
) {
  if (page.clusterId !== undefined) await getClusterView(context, userId, page.clusterId);
  return listMailboxRows(context.db, userId, page);
}
