/** Messages of people that wait for their time: another time, and taking them back. Choice 126. */
import type { Kysely, Transaction } from 'kysely';
import { scheduleChangedSignal } from '../../../workflows/contracts/send-reply.ts';
import type { Context } from '../../context.ts';
import { noteChange } from '../../db/accounts/audit-log.ts';
import { commitOnce } from '../../db/accounts/request-effects.ts';
import { lockInbox } from '../../db/inbox/inbox-counts.ts';
import { findUserMessage } from '../../db/inbox/inbox-messages.ts';
import {
  cancelScheduled,
  countScheduled,
  lockScheduledMessage,
  moveScheduled,
  type ScheduledMessage,
} from '../../db/inbox/scheduled-messages.ts';
import { findLatestOperation } from '../../db/operations/operations.ts';
import type { Database } from '../../db/tables.ts';
import { DAY_MS } from '../../domain/day.ts';
import { invalid, notFound } from '../../domain/errors.ts';
import { MAX_SCHEDULED_DAYS, MAX_SCHEDULED_MESSAGES } from '../../domain/inbox/inbox.ts';
import { signalWorkflow } from '../operations/workflow-signals.ts';

export function checkSendAt(sendAt: Date, now: Date): void {
  const aheadMs = sendAt.getTime() - now.getTime();
  if (aheadMs > 0 && aheadMs <= MAX_SCHEDULED_DAYS * DAY_MS) return;
  const message =
    aheadMs > 0
      ? `sendAt must be at most ${MAX_SCHEDULED_DAYS} days ahead`
      : 'sendAt must be in the future';
  throw invalid('VALIDATION_ERROR', message, [{ field: 'sendAt', message }]);
}

/** After one more was stored, under the lock of the inbox. */
export async function checkScheduled(trx: Transaction<Database>, userId: string): Promise<void> {
  if ((await countScheduled(trx, userId)) <= MAX_SCHEDULED_MESSAGES) return;
  const message = `An account has at most ${MAX_SCHEDULED_MESSAGES} messages that wait for their time`;
  throw invalid('TOO_MANY_SCHEDULED', message);
}

/** Null: now. Returns the message, whose workflow is to be told before the commit. */
export async function reschedule(
  { clock }: Pick<Context, 'clock'>,
  trx: Transaction<Database>,
  { userId, id, sendAt }: { userId: string; id: number; sendAt: Date | null },
): Promise<ScheduledMessage> {
  const now = clock.now();
  if (sendAt) checkSendAt(sendAt, now);
  await lockInbox(trx, userId);
  const message = await lockMessage(trx, userId, id);
  if (message?.state !== 'scheduled') throw notScheduled(message);
  await moveScheduled(trx, message, sendAt ?? now);
  return message;
}

/**
 * Wakes its workflow, which waits for the lock of the row. Where Temporal cannot be reached the change is undone
 * (502): the message would leave at its old time.
 */
export async function tellOfSchedule(
  context: Pick<Context, 'temporal'>,
  db: Kysely<Database>,
  { id }: Pick<ScheduledMessage, 'id'>,
): Promise<void> {
  const operation = await findLatestOperation(db, 'outgoing_letter', id);
  if (!operation || operation.finished_at) return;
  await signalWorkflow(context, operation, (handle) => handle.signal(scheduleChangedSignal));
}

/**
 * The row decides: a message that is cancelled here is never sent. Its workflow is told only so that it ends now;
 * otherwise it ends at the message's time.
 */
export async function cancelScheduledMessage(
  context: Pick<Context, 'db' | 'temporal'>,
  { userId, id }: { userId: string; id: number },
): Promise<void> {
  const { db } = context;
  const cancelled = await commitOnce(db, async (trx) => {
    const message = await lockMessage(trx, userId, id);
    if (message?.state === 'cancelled') return { id: message.id };
    if (message?.state !== 'scheduled') throw notScheduled(message);
    await cancelScheduled(trx, message.id, 'Cancelled');
    noteChange({ before: { delivery: 'scheduled' }, after: { delivery: 'cancelled' } });
    return { id: message.id };
  });
  await tellOfSchedule(context, db, cancelled).catch(() => undefined);
}

/** Undefined for a message that was not written here. */
async function lockMessage(trx: Transaction<Database>, userId: string, id: number) {
  const message = await lockScheduledMessage(trx, userId, id);
  if (!message && !(await findUserMessage(trx, userId, id))) throw notFound('message');
  return message;
}

const notScheduled = (message: ScheduledMessage | undefined) =>
  invalid(
    'INVALID_STATE',
    message
      ? `The message is ${message.state}; only what is scheduled can be changed`
      : 'The message was not written here: it is not scheduled',
  );
