/** Mailboxes on a cluster's domain. Spec: Mailboxes; choice 27. */
import { randomBytes } from 'node:crypto';
import {
  createMailboxType,
  createMailboxWorkflowId,
} from '../../workflows/contracts/create-mailbox.ts';
import { WORKFLOW_QUEUE } from '../../workflows/contracts/queues.ts';
import type { Context } from '../context.ts';
import {
  getMailbox,
  insertMailbox,
  listMailboxes as listMailboxRows,
  passwordBinding,
  updateMailbox,
  type Mailbox,
} from '../db/mailboxes.ts';
import { insertOperation, insertOperationEvent, type Operation } from '../db/operations.ts';
import { invalid } from '../domain/errors.ts';
import { ACTOR } from './actors.ts';
import { getClusterView } from './clusters.ts';
import { awaitOperation, operationError, paceOf } from './operations.ts';

type Needs = Pick<Context, 'db' | 'config' | 'cipher' | 'startOperation'>;

/** 144 bits, safe in every mail program. */
const generatePassword = () => randomBytes(18).toString('base64url');

/**
 * Spec: POST /v1/mailboxes/cluster/:clusterId. Waits 25 s; slower than that, or parked, the row
 * is answered as it is. The password is answered this once.
 */
export async function createMailbox(
  context: Needs,
  userId: string,
  order: { clusterId: number; email: string; password?: string | undefined },
): Promise<{ mailbox: Mailbox; password: string }> {
  const cluster = await getClusterView(context, userId, order.clusterId);
  if (cluster.status !== 'active') {
    throw invalid('MAIL_SERVER_NOT_READY', 'The mail server of this cluster is not deployed yet');
  }
  if (!order.email.endsWith(`@${cluster.domain}`)) {
    throw invalid('EMAIL_DOMAIN_MISMATCH', `email must be an address at ${cluster.domain}`);
  }
  const password = order.password ?? generatePassword();
  const operation = await insertCreation(context, userId, { ...order, password });
  if (await context.startOperation(operation)) {
    const ended = await awaitOperation(context, operation.id);
    if (ended.state === 'failed') throw operationError(ended);
  }
  return { mailbox: await getMailbox(context.db, operation.resource_id), password };
}

export const listMailboxes = (
  context: Pick<Context, 'db'>,
  userId: string,
  page: { limit: number; offset: number },
) => listMailboxRows(context.db, userId, page);

function insertCreation(
  context: Needs,
  userId: string,
  order: { clusterId: number; email: string; password: string },
): Promise<Operation> {
  const { clusterId, email, password } = order;
  return context.db.transaction().execute(async (trx) => {
    const mailbox = await insertMailbox(trx, { userId, clusterId, email });
    if (!mailbox) throw invalid('MAILBOX_EXISTS', `${email} exists already`);
    const sealed = context.cipher.seal(password, passwordBinding(mailbox.id));
    const operation = await insertOperation(trx, {
      userId,
      kind: createMailboxType,
      workflowId: createMailboxWorkflowId(mailbox.id),
      taskQueue: WORKFLOW_QUEUE,
      summary: `Make ${email}`,
      input: { mailboxId: mailbox.id, email, pace: paceOf(context) },
      resourceType: 'mailbox',
      resourceId: mailbox.id,
      steps: [{ name: 'mailbox_create', state: 'pending' }],
    });
    await updateMailbox(trx, mailbox.id, { password: sealed, operation_id: operation.id });
    await insertOperationEvent(trx, {
      operationId: operation.id,
      kind: 'requested',
      step: null,
      actor: ACTOR.user(userId),
      reason: 'created',
    });
    return operation;
  });
}
