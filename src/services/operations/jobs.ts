/** Pause, resume and cancel of a long job: the row first, then a signal to its workflow. */
import type { Transaction } from 'kysely';
import type { Context } from '../../context.ts';
import { tellWaiting } from '../../db/operations/operation-places.ts';
import { insertOperationEvent, type Operation } from '../../db/operations/operations.ts';
import type { Database } from '../../db/tables.ts';
import type { JobRequest } from '../../domain/operations/jobs.ts';
import {
  cancelJobSignal,
  pauseJobSignal,
  resumeJobSignal,
} from '../../../workflows/contracts/job.ts';
import { ACTOR } from '../accounts/actors.ts';
import { signalWorkflow } from './workflow-signals.ts';

const SIGNALS = { pause: pauseJobSignal, resume: resumeJobSignal, cancel: cancelJobSignal };

/**
 * Writes the event and signals the workflow, within the transaction that has changed the row:
 * where Temporal cannot be reached, that change is undone too and the client gets 502. A workflow
 * that has ended, or that is not started yet, needs no signal: it reads the row.
 */
export async function tellJob(
  context: Pick<Context, 'temporal'>,
  trx: Transaction<Database>,
  operation: Operation,
  request: JobRequest,
): Promise<void> {
  const actor = ACTOR.user(operation.user_id);
  const reason = `${request} requested through the API`;
  const { id: operationId, step } = operation;
  const kind = `${request}_requested` as const;
  await insertOperationEvent(trx, { operationId, kind, step, actor, reason });
  if (await tellWaiting(trx, operation, request)) return;
  await signalWorkflow(context, operation, (handle) =>
    handle.signal(SIGNALS[request], { actor, reason }),
  );
}
