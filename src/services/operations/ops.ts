/**
 * The operator controls: list and show operations, answer one blocked step, answer all of a step.
 * docs/workflow-rules.md#blocked-steps.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { WorkflowNotFoundError } from '@temporalio/client';
import PQueue from 'p-queue';
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
  listAnswers,
  listBlockedAgain,
  type BlockedAgain,
  type WaitingStep,
} from '../../db/operations/waiting-steps.ts';
import { invalid, notFound, upstreamUnavailable } from '../../domain/errors.ts';
import type { ResolutionAction } from '../../domain/operations/operations.ts';

type OperatorConnections = Pick<Context, 'db' | 'temporal'>;

/** Who answers and why: both are recorded in the operation's log. */
export interface Words {
  actor: string;
  reason: string;
}

/** A signal must not block the engineer when Temporal hangs. */
const SIGNAL_DEADLINE_MS = 5_000;
/**
 * A workflow that received an answer has recorded it within this time, even on a busy worker. The wait
 * ends early.
 */
const ANSWERED_WITHIN_MS = 120_000;
const POLL_MS = 200;
/** Concurrent signals. */
const AT_ONCE = 10;
/** If there are more, the command has to be repeated. */
const MOST_AT_ONCE = 10_000;

/**
 * Unfinished operations, longest wait first. Never asks Temporal
 * (docs/workflow-rules.md#clients-read-postgres).
 */
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
 * Answers the blocked step of an operation. True once the log has the answer; false when no worker
 * recorded it in time: the signal stays with the workflow. Throws not_found, and `invalid` NOT_BLOCKED (also where
 * somebody else's answer came first), ACTION_NOT_POSSIBLE or WORKFLOW_GONE.
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
      `The workflow of operation ${id} is gone: the reconciler of the workers takes care of it within two minutes`,
    );
  }
  const answered = await untilAnswered(connections, [{ operationId: id, eventId }]);
  if (answered.length === 0) return { step, taken: false };
  await assertOurs(connections, { operationId: id, eventId }, answer.action);
  return { step, taken: true };
}

/** The first answer counts: throws where another one, with another action, came before ours. */
async function assertOurs(
  { db }: OperatorConnections,
  block: { operationId: number; eventId: number },
  action: ResolutionAction,
): Promise<void> {
  const answers = await listAnswers(db, block);
  const [first] = answers;
  if (!first || answers.some((one) => one.action === action)) return;
  const { operationId } = block;
  throw invalid(
    'NOT_BLOCKED',
    `${first.actor} has answered it with ${String(first.action)} before: see outreach ops show ${operationId}`,
  );
}

/** What to run again: what is given must match. */
export interface RetryFilter {
  step?: string | undefined;
  provider?: string | undefined;
  cause?: string | undefined;
}

/** The results for the operations that were blocked. */
export interface RetriedAll {
  step: string | null;
  provider: string | null;
  cause: string | null;
  found: number;
  /** Received the answer and go on. */
  resumed: number[];
  /** Signalled, without an answer in time: no worker runs, or it is behind. */
  silent: number[];
  /** Their workflow is gone: the reconciler takes care of them. */
  gone: number[];
  /** Not asked, and why. */
  skipped: { id: number; why: string }[];
  /** Resumed, and blocked again: the cause is still there. */
  blockedAgain: BlockedAgain[];
}

/** Called after each signal with the number done; `lookSeconds`: how long to check for new blocks. */
interface RetryOptions {
  onProgress?: (done: number, found: number) => void;
  lookSeconds?: number;
}

/**
 * Retries what is blocked at a step or because of a vendor, undos included. Safe to repeat: operations
 * that go on already are not found any more, and a signal acts only where this step is blocked.
 */
export async function retryAll(
  connections: OperatorConnections,
  filter: RetryFilter,
  words: Words,
  { onProgress, lookSeconds = 0 }: RetryOptions = {},
): Promise<RetriedAll> {
  const lines = await listOperations(connections, {
    ...filter,
    blocked: true,
    limit: MOST_AT_ONCE,
  });
  const waits: { operationId: number; eventId: number }[] = [];
  const gone: number[] = [];
  const skipped: RetriedAll['skipped'] = [];
  let done = 0;
  const answer = async ({ id, workflowId, step }: (typeof lines)[number]) => {
    const waiting = await findWaitingStep(connections.db, id);
    const why = whyNot(waiting, step);
    if (waiting && step !== null && why === undefined) {
      const heard = await send(connections, workflowId, { ...words, action: 'retry', step });
      if (heard) waits.push({ operationId: id, eventId: waiting.eventId });
      else gone.push(id);
    } else skipped.push({ id, why: why ?? '' });
    done += 1;
    onProgress?.(done, lines.length);
  };
  const queue = new PQueue({ concurrency: AT_ONCE });
  await queue.addAll(lines.map((line) => () => answer(line)));
  const resumed = await untilAnswered(connections, waits);
  const silent = waits.map(({ operationId }) => operationId).filter((id) => !resumed.includes(id));
  const heard = waits.filter(({ operationId }) => resumed.includes(operationId));
  const blockedAgain = await checkAgain(connections, heard, lookSeconds);
  const { step = null, provider = null, cause = null } = filter;
  const found = waits.length + gone.length;
  return { step, provider, cause, found, resumed, silent, gone, skipped, blockedAgain };
}

/** Why a line of the list is not answered; undefined where it is. */
function whyNot(waiting: WaitingStep | undefined, step: string | null): string | undefined {
  if (!waiting) return 'it was answered or has ended meanwhile';
  // A signal acts only where its step is blocked.
  return waiting.step === step
    ? undefined
    : `it waits at ${waiting.step}, its row said ${step ?? 'no step'}: ask again, or answer it alone`;
}

/** Which of them are blocked again; ends early when nothing can change any more. */
async function checkAgain(
  { db }: OperatorConnections,
  waits: readonly { operationId: number; eventId: number }[],
  seconds: number,
): Promise<BlockedAgain[]> {
  const deadline = Date.now() + seconds * 1_000;
  for (;;) {
    const { blocked, open } = await listBlockedAgain(db, waits);
    if (open === 0 || Date.now() >= deadline) return blocked;
    await sleep(POLL_MS);
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
    await sleep(POLL_MS);
  }
}
