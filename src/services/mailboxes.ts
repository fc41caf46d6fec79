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
import { insertOperation, lockRequestedOperation, type Operation } from '../db/operations.ts';
import { invalid } from '../domain/errors.ts';
import { ACTOR } from './actors.ts';
import { getClusterView } from './clusters.ts';
import { awaitOperation, operationError, paceOf } from './operations.ts';

type Needs = Pick<Context, 'db' | 'config' | 'cipher' | 'startOperation'>;

/** 144 bits, safe in every mail program. */
const generatePassword = () => randomBytes(18).toString('base64url');

/**
 * Spec: POST /v1/mailboxes/cluster/:clusterId. Waits 25 s; slower than that, or parked, the row
 * is answered as it is. The password is answered this once. A request with the `requestKey` of an
 * earlier one is answered with the mailbox that one made, unless that failed.
 */
export async function createMailbox(
  context: Needs,
  userId: string,
  order: { clusterId: number; email: string; password?: string | undefined },
  requestKey?: string,
): Promise<{ mailbox: Mailbox; password: string; workflowId: string }> {
  const cluster = await getClusterView(context, userId, order.clusterId);
  if (cluster.status !== 'active') {
    throw invalid('MAIL_SERVER_NOT_READY', 'The mail server of this cluster is not deployed yet');
  }
  if (!order.email.endsWith(`@${cluster.domain}`)) {
    throw invalid('EMAIL_DOMAIN_MISMATCH', `email must be an address at ${cluster.domain}`);
  }
  const password = order.password ?? generatePassword();
  const operation = await insertCreation(context, userId, { ...order, password, requestKey });
  if (operation.started_at !== null || (await context.startOperation(operation))) {
    const ended = await awaitOperation(context, operation.id);
    if (ended.state === 'failed') throw operationError(ended);
  }
  const mailbox = await getMailbox(context.db, operation.resource_id);
  return {
    mailbox,
    // Not the one above: the mailbox may be that of the request before.
    password: context.cipher.open(mailbox.password!, passwordBinding(mailbox.id)),
    workflowId: operation.workflow_id,
  };
}

export const listMailboxes = (
  context: Pick<Context, 'db'>,
  userId: string,
  page: { limit: number; offset: number },
) => listMailboxRows(context.db, userId, page);

function insertCreation(
  context: Needs,
  userId: string,
  order: { clusterId: number; email: string; password: string; requestKey: string | undefined },
): Promise<Operation> {
  const { clusterId, email, password, requestKey } = order;
  return context.db.transaction().execute(async (trx) => {
    const earlier = requestKey && (await lockRequestedOperation(trx, userId, requestKey));
    if (earlier && earlier.state !== 'failed') return earlier;
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
      requested: { actor: ACTOR.user(userId), reason: 'created' },
      requestKey,
    });
    await updateMailbox(trx, mailbox.id, { password: sealed, operation_id: operation.id });
    return operation;
  });
}
