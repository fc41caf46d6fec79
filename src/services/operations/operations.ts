/** What all durable operations share: their pace, waiting for their end, retry and cancel. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import {
  getOperation,
  insertOperationEvent,
  listOperations,
  type Operation,
} from '../../db/operations/operations.ts';
import { clientProblem } from '../../domain/client-words.ts';
import { OutreachError, upstreamUnavailable } from '../../domain/errors.ts';
import { CLIENT_CODES } from '../../domain/failures.ts';
import type { Pace } from '../../domain/operations/operations.ts';
import { cancelSignal, resolveBlockedStepSignal } from '../../../workflows/contracts/operator.ts';
import { signalWorkflow } from './workflow-signals.ts';

/** How long the creating call waits for a purchase or a mailbox. Choices 25, 27. */
export const AWAIT_END_MS = 25_000;

/** A retry or cancel is visible in the row after about this time. */
const AWAIT_ANSWER_MS = 3_000;

const POLL_MS = 100;

/** A workflow's time scale comes from the configuration of the process that starts it. */
export const paceOf = ({ config }: Pick<Context, 'config'>): Pace => ({
  retryPace: config.RETRY_PACE,
  heartbeatSeconds: config.HEARTBEAT_TIMEOUT_SECONDS,
  blockedTimeoutSeconds: config.BLOCKED_STEP_TIMEOUT_SECONDS,
});

/** Waits until the operation has ended or is blocked, at most `limitMs`. */
export const awaitOperation = (
  context: Pick<Context, 'db'>,
  id: number,
  limitMs = AWAIT_END_MS,
): Promise<Operation> => pollOperation(context, id, limitMs, isSettled);

const isSettled = ({ state }: Operation) => ['succeeded', 'failed', 'blocked'].includes(state);

/** The same for several at once, by their ids. */
export async function awaitOperations(
  context: Pick<Context, 'db'>,
  ids: readonly number[],
): Promise<Map<number, Operation>> {
  const deadline = Date.now() + AWAIT_END_MS;
  for (;;) {
    const operations = await listOperations(context.db, ids);
    if (operations.every(isSettled) || Date.now() >= deadline) {
      return new Map(operations.map((operation) => [operation.id, operation]));
    }
    await sleep(POLL_MS);
  }
}

/**
 * Runs the blocked step again. The signal acts only where this step is blocked, so that a double click
 * is harmless. Returns the row once the workflow has received it.
 */
export async function retryOperation(
  context: Pick<Context, 'db' | 'temporal'>,
  operation: Operation,
  actor: string,
): Promise<Operation> {
  const { id, step, updated_at } = operation;
  await signalWorkflow(context, operation, (handle) =>
    handle.signal(resolveBlockedStepSignal, {
      step: step ?? '',
      action: 'retry',
      actor,
      reason: 'retry requested through the API',
    }),
  );
  return pollOperation(
    context,
    id,
    AWAIT_ANSWER_MS,
    (now) => now.updated_at.getTime() !== updated_at.getTime(),
  );
}

/** Asks the workflow to undo everything. Returns the row once the workflow has received it. */
export async function cancelOperation(
  context: Pick<Context, 'db' | 'temporal' | 'startOperation'>,
  operation: Operation,
  actor: string,
): Promise<Operation> {
  // A row without a workflow is started first: only a workflow can undo it.
  if (operation.started_at === null && !(await context.startOperation(operation))) {
    throw upstreamUnavailable('The workflow engine is not reachable; try again shortly');
  }
  await insertOperationEvent(context.db, {
    operationId: operation.id,
    kind: 'cancel_requested',
    step: operation.step,
    actor,
    reason: 'cancel requested through the API',
  });
  await signalWorkflow(context, operation, (handle) =>
    handle.signal(cancelSignal, { actor, reason: 'cancel requested through the API' }),
  );
  return pollOperation(context, operation.id, AWAIT_ANSWER_MS, ({ state }) =>
    ['compensating', 'failed', 'succeeded'].includes(state),
  );
}

/** The error of a failed operation as the creating call returns it. */
export function operationError(operation: Operation): OutreachError {
  const code = operation.error_code ?? 'UPSTREAM_UNAVAILABLE';
  const message = operation.error_message ?? 'The operation failed';
  if (!CLIENT_CODES.includes(code)) {
    return upstreamUnavailable(
      `A provider is not available; try again shortly`,
      new Error(message),
    );
  }
  const { domain } = operation.input as { domain?: string };
  return new OutreachError('invalid', code, clientProblem({ code, message }, domain).message);
}

async function pollOperation(
  context: Pick<Context, 'db'>,
  id: number,
  limitMs: number,
  isEnough: (operation: Operation) => boolean,
): Promise<Operation> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const operation = await getOperation(context.db, id);
    if (isEnough(operation) || Date.now() >= deadline) return operation;
    await sleep(POLL_MS);
  }
}
