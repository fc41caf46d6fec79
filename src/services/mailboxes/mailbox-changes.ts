/** Deleting a mailbox, and changing its password. Choices 27, 58. */
import type { Context } from '../../context.ts';
import { noteChange } from '../../db/accounts/audit-log.ts';
import { commitOnce } from '../../db/accounts/request-effects.ts';
import {
  getMailbox,
  lockUserMailbox,
  passwordBinding,
  updateMailbox,
  type Mailbox,
} from '../../db/mailboxes/mailboxes.ts';
import { hasGrants } from '../../db/mailboxes/oauth-grants.ts';
import {
  countOperations,
  findLatestOperation,
  getOperation,
  insertOperation,
  lockRequestedOperation,
  type Operation,
} from '../../db/operations/operations.ts';
import { invalid, notFound } from '../../domain/errors.ts';
import { deleteMailboxFlow, rotateCredentialsFlow } from '../../domain/mailboxes/flows.ts';
import { ACTOR } from '../accounts/actors.ts';
import { generatePassword } from './mailboxes.ts';
import {
  awaitOperation,
  cancelOperation,
  operationError,
  paceOf,
  retryOperation,
} from '../operations/operations.ts';
import { workflowIdOf } from '../../domain/operations/run-keys.ts';

type Needs = Pick<Context, 'db' | 'config' | 'cipher' | 'temporal' | 'startOperation'>;

interface Subject {
  userId: string;
  id: number;
}

/**
 * Waits 25 s until it is off its host; if that takes longer or is blocked, the row is returned as it is.
 * A mailbox that is still being created is undone first. A repeat is a no-op while it runs, and 404
 * later. Of one that was never proven only its consent is left to take back.
 */
export async function deleteMailbox(
  context: Needs,
  subject: Subject,
): Promise<{ mailbox: Mailbox; workflowId: string | undefined }> {
  const { operation, isCreation } = await beginDeletion(context, subject);
  if (isCreation) {
    await cancelOperation(context, operation!, ACTOR.user(subject.userId));
    const { state } = await awaitOperation(context, operation!.id);
    // Created before the cancel arrived, or undone: either way the deletion continues from there.
    if (state === 'succeeded' || state === 'failed') return deleteMailbox(context, subject);
  } else if (operation) {
    const isStarted = operation.started_at !== null || (await context.startOperation(operation));
    if (isStarted) await awaitOperation(context, operation.id);
  }
  const mailbox = await getMailbox(context.db, subject.id);
  return { mailbox, workflowId: operation && workflowIdOf(operation) };
}

function beginDeletion(
  context: Needs,
  { userId, id }: Subject,
): Promise<{ operation: Operation | undefined; isCreation: boolean }> {
  return commitOnce(context.db, async (trx) => {
    const mailbox = await lockUserMailbox(trx, userId, id);
    if (!mailbox) throw notFound('mailbox');
    const latest = await findLatestOperation(trx, 'mailbox', id);
    const { status, email } = mailbox;
    noteChange({ before: { email, status } });
    if (status === 'deleting') return { operation: undefined, isCreation: false };
    if (status === 'pending' && latest) return { operation: latest, isCreation: true };
    const hasConsent = await hasGrants(trx, id);
    const isOnNone = status === 'failed' || status === 'pending';
    if (isOnNone) {
      // It is on no host, and its address may belong to another user by now. An import that is proving it goes on
      // with its next row.
      await updateMailbox(trx, id, { status: 'deleted', password: null, next_password: null });
      if (!hasConsent) return { operation: undefined, isCreation: false };
    }
    // A running or blocked password change is cancelled by the first step.
    const input = { mailboxId: id, pace: paceOf(context), ...(hasConsent && { hasConsent }) };
    const operation = await insertOperation(trx, deleteMailboxFlow, input, {
      userId,
      summary: `Delete ${email}`,
      requested: { actor: ACTOR.user(userId), reason: 'deleted' },
    });
    // At once, so that nothing more is sent from it.
    if (!isOnNone) await updateMailbox(trx, id, { status: 'deleting' });
    return { operation, isCreation: false };
  });
}

export interface Rotation {
  mailbox: Mailbox;
  /** The new password; shown this once. */
  password: string;
  /** False: its host has not accepted it yet, the old one may still work. */
  isInForce: boolean;
  workflowId: string;
}

/**
 * The new password is stored, sealed, before the host gets it, and is valid once both have it; when
 * given up, both keep the old one. Waits 25 s. A blocked change continues with this password; a blocked
 * undo is retried first. While one runs: 400 INVALID_STATE. A request with the `requestKey` of an
 * earlier one is answered with that one's result.
 */
export async function rotatePassword(
  context: Needs,
  { userId, id }: Subject,
  wanted: { password?: string | undefined },
  requestKey?: string,
): Promise<Rotation> {
  const subject = { userId, id };
  const { operation, blocked } = await beginRotation(context, subject, { ...wanted, requestKey });
  if (blocked) {
    await retryOperation(context, blocked, ACTOR.user(userId));
    const ended = await awaitOperation(context, blocked.id);
    // Its undo has ended: now the password can be changed.
    if (!operation && ended.finished_at !== null) return rotatePassword(context, subject, wanted);
    if (!operation) throw busy(ended);
  } else if (operation!.started_at !== null || (await context.startOperation(operation!))) {
    await awaitOperation(context, operation!.id);
  }
  return rotationOf(context, subject, operation!);
}

/** Reads the mailbox before the operation: once that has failed, the old password may be back in the row. */
async function rotationOf(
  context: Needs,
  { id }: Subject,
  operation: Operation,
): Promise<Rotation> {
  const mailbox = await getMailbox(context.db, id);
  const now = await getOperation(context.db, operation.id);
  if (now.state === 'failed') throw operationError(now);
  const sealed = mailbox.next_password ?? mailbox.password;
  if (sealed === null) throw notFound('mailbox');
  return {
    mailbox,
    password: context.cipher.open(sealed, passwordBinding(id)),
    isInForce: mailbox.next_password === null,
    workflowId: workflowIdOf(operation),
  };
}

/**
 * `blocked` is to be retried: either the rotation itself, or (without `operation`) an undo that prevents
 * it.
 */
interface Begun {
  operation?: Operation;
  blocked?: Operation;
}

function beginRotation(
  context: Needs,
  { userId, id }: Subject,
  wanted: { password?: string | undefined; requestKey: string | undefined },
): Promise<Begun> {
  const { password = generatePassword(), requestKey } = wanted;
  return commitOnce(context.db, async (trx) => {
    const earlier = requestKey && (await lockRequestedOperation(trx, userId, requestKey));
    if (earlier && earlier.state !== 'failed') return { operation: earlier };
    const mailbox = await lockUserMailbox(trx, userId, id);
    if (!mailbox) throw notFound('mailbox');
    if (mailbox.status !== 'active') {
      throw invalid(
        'INVALID_STATE',
        `A mailbox that is ${mailbox.status} has no password to change`,
      );
    }
    if (mailbox.cluster_id === null) {
      throw invalid(
        'INVALID_STATE',
        'Its password is changed where it lives, and then here by PATCH /v1/mailboxes/:id/connection',
      );
    }
    const latest = await findLatestOperation(trx, 'mailbox', id);
    const open = latest?.finished_at === null ? latest : undefined;
    if (open?.state === 'compensating' && open.blocked_at !== null) return { blocked: open };
    if (open && open.state !== 'blocked') throw busy(open);
    const next_password = context.cipher.seal(password, passwordBinding(id));
    await updateMailbox(trx, id, { next_password });
    noteChange({ after: { email: mailbox.email, leftOut: ['password'] } });
    if (open) return { operation: open, blocked: open };
    const before = await countOperations(trx, 'mailbox', id, rotateCredentialsFlow.kind);
    const input = { mailboxId: id, pace: paceOf(context) };
    const operation = await insertOperation(trx, rotateCredentialsFlow, input, {
      userId,
      run: before + 1,
      summary: `Change the login of ${mailbox.email}`,
      requested: { actor: ACTOR.user(userId), reason: 'rotated' },
      requestKey,
    });
    return { operation };
  });
}

const busy = ({ blocked_at }: Operation) =>
  invalid(
    'INVALID_STATE',
    blocked_at === null
      ? 'The password of this mailbox is being changed; try again shortly'
      : 'An earlier change of this password could not be undone yet; we have been told',
  );
