/** What an on-call engineer does about operations: look, answer one, answer all of a step. Workflows: W8. */
import { WorkflowNotFoundError } from '@temporalio/client';
import { resolveBlockedStepSignal } from '../../../workflows/contracts/operator.ts';
import type { Context } from '../../context.ts';
import {
  findOperationReport,
  listOperationLines,
  type OperationFilter,
  type OperationLine,
  type OperationReport,
} from '../../db/operations/operator-views.ts';
import {
  findWaitingStep,
  listAnswered,
  listBlockedAgain,
  type BlockedAgain,
} from '../../db/operations/waiting-steps.ts';
import { invalid, notFound, upstreamUnavailable } from '../../domain/errors.ts';
import type { ResolutionAction } from '../../domain/operations/operations.ts';

type OperatorConnections = Pick<Context, 'db' | 'temporal'>;

/** Who answers and why: both stand in the operation's log. */
export interface Words {
  actor: string;
  reason: string;
}

/** A signal must not hold the engineer when Temporal hangs. */
const SIGNAL_DEADLINE_MS = 5_000;
/** A workflow that heard an answer has written it down within this time, on a busy worker too. Ends early. */
const ANSWERED_WITHIN_MS = 120_000;
const POLL_MS = 200;
/** Signals on their way at once. */
const AT_ONCE = 10;
/** More are answered by repeating the command. */
const MOST_AT_ONCE = 10_000;

/** Unfinished operations, those that wait longest first. Never asks Temporal (Workflows: W2). */
export const listOperations = (
  { db }: Pick<Context, 'db'>,
  filter: OperationFilter,
): Promise<OperationLine[]> => listOperationLines(db, filter);

/** An operation with its intents and its log. Throws not_found. */
export async function showOperation(
  { db }: Pick<Context, 'db'>,
  id: number,
): Promise<OperationReport> {
  const report = await findOperationReport(db, id);
  if (!report) throw notFound('operation');
  return report;
}

/**
 * Answers the step at which an operation waits. True once the log has the answer; false when no
 * worker took it up in time: the signal stays with the workflow. Throws not_found, and `invalid`
 * NOT_BLOCKED, ACTION_NOT_POSSIBLE or WORKFLOW_GONE.
 */
export async function resolveOperation(
  connections: OperatorConnections,
  id: number,
  answer: Words & { action: ResolutionAction },
): Promise<{ step: string; taken: boolean }> {
  const { workflowId } = await showOperation(connections, id);
  const waiting = await findWaitingStep(connections.db, id);
  if (!waiting) throw invalid('NOT_BLOCKED', `Operation ${id} does not wait for a person`);
  const { step, actions, eventId } = waiting;
  if (!actions.includes(answer.action)) {
    const possible = actions.join(', ');
    throw invalid('ACTION_NOT_POSSIBLE', `Not possible at ${step}; possible: ${possible}`);
  }
  if (!(await send(connections, workflowId, { ...answer, step }))) {
    throw invalid(
      'WORKFLOW_GONE',
      `The workflow of operation ${id} is gone: the Schedule reconcile undoes it within two minutes`,
    );
  }
  const answered = await untilAnswered(connections, [{ operationId: id, eventId }]);
  return { step, taken: answered.length > 0 };
}

/** What is to be run again: where both are given, both have to fit. */
export interface Wanted {
  step?: string | undefined;
  provider?: string | undefined;
}

/** What became of the operations that waited. */
export interface RetriedAll {
  step: string | null;
  provider: string | null;
  found: number;
  /** They have heard and go on. */
  resumed: number[];
  /** Signalled, and not heard from in time: no worker runs, or it is behind. */
  silent: number[];
  /** Their workflow is gone: the Schedule `reconcile` undoes them. */
  gone: number[];
  /** Resumed, and waiting for a person again: the cause is still there. */
  blockedAgain: BlockedAgain[];
}

/** Hears after each signal how many are done; `lookSeconds`: how long a new block is looked out for. */
interface RetryOptions {
  told?: (done: number, found: number) => void;
  lookSeconds?: number;
}

/**
 * Runs again what waits for a person at a step or because of a vendor, undos included. Safe to repeat:
 * what goes on already is not found any more, and a signal acts only where this very step is blocked.
 */
export async function retryAll(
  connections: OperatorConnections,
  wanted: Wanted,
  words: Words,
  { told, lookSeconds = 0 }: RetryOptions = {},
): Promise<RetriedAll> {
  const lines = await listOperations(connections, {
    ...wanted,
    blocked: true,
    limit: MOST_AT_ONCE,
  });
  const waits: { operationId: number; eventId: number }[] = [];
  const gone: number[] = [];
  let done = 0;
  const queue = lines.values();
  const work = async () => {
    for (const { id, workflowId, step } of queue) {
      const waiting = await findWaitingStep(connections.db, id);
      // Answered meanwhile, it may wait for something else.
      if (waiting && waiting.step === step) {
        const heard = await send(connections, workflowId, { ...words, action: 'retry', step });
        if (heard) waits.push({ operationId: id, eventId: waiting.eventId });
        else gone.push(id);
      }
      done += 1;
      told?.(done, lines.length);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const resumed = await untilAnswered(connections, waits);
  const silent = waits.map(({ operationId }) => operationId).filter((id) => !resumed.includes(id));
  const heard = waits.filter(({ operationId }) => resumed.includes(operationId));
  const blockedAgain = await checkAgain(connections, heard, lookSeconds);
  const { step = null, provider = null } = wanted;
  const found = waits.length + gone.length;
  return { step, provider, found, resumed, silent, gone, blockedAgain };
}

/** Which of them wait again; ends early when nothing can change any more. */
async function checkAgain(
  { db }: OperatorConnections,
  waits: readonly { operationId: number; eventId: number }[],
  seconds: number,
): Promise<BlockedAgain[]> {
  const deadline = Date.now() + seconds * 1_000;
  for (;;) {
    const { blocked, open } = await listBlockedAgain(db, waits);
    if (open === 0 || Date.now() >= deadline) return blocked;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** False when Temporal has no such workflow any more. Throws `upstream` when it does not answer. */
async function send(
  { temporal }: OperatorConnections,
  workflowId: string,
  answer: Words & { action: ResolutionAction; step: string },
): Promise<boolean> {
  const { step, action, actor, reason } = answer;
  const handle = temporal.workflow.getHandle(workflowId);
  try {
    await temporal.withDeadline(Date.now() + SIGNAL_DEADLINE_MS, () =>
      handle.signal(resolveBlockedStepSignal, { step, action, actor, reason }),
    );
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw upstreamUnavailable('Temporal does not answer; nothing was lost, try again', error);
  }
}

/** Ids of those that were answered within the time that a working worker needs. */
async function untilAnswered(
  { db }: OperatorConnections,
  waits: readonly { operationId: number; eventId: number }[],
): Promise<number[]> {
  const deadline = Date.now() + ANSWERED_WITHIN_MS;
  for (;;) {
    const answered = await listAnswered(db, waits);
    if (answered.length === waits.length || Date.now() >= deadline) return answered;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
