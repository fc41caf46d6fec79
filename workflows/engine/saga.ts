/**
 * Runs the steps of an operation forward, and back when it has to be given up.
 * docs/workflow-rules.md#sagas.
 */
import {
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  isCancellation,
  sleep,
} from '@temporalio/workflow';
import type { ResolutionAction } from '../../src/domain/operations/operations.ts';
import type { OperationInput } from '../contracts/operator.ts';
import { buildOn, endWith } from './built-on.ts';
import { clientError, readFailure, type StepFailure } from './failures.ts';
import { openOperatorControls, type OperatorControls } from './operator.ts';
import { inText, nowText } from './details.ts';
import { retryDelayMs } from './policies.ts';
import { putBackOf, withPutBacks } from './put-back.ts';
import { blockStep, recordEnd, recordStep, rowOf } from './step-progress.ts';

/** One step. `undo` must be a no-op when nothing happened; both may run twice. */
export interface Step {
  name: string;
  /** False: the step does not apply to this operation and shows as `skipped`. */
  applies?: boolean;
  /** `tell`: what the row says of the step from now on; `say`: why it waits, for operators while it does. */
  run: (tell: (note: string) => void, say: (words: string) => void) => Promise<void>;
  undo?: () => Promise<void>;
  /** Waits until the outcome of an interrupted attempt is visible; `run` then checks first. */
  settle?: () => Promise<void>;
  /** Once completed it cannot be undone: from there the saga prefers to go forward. */
  pivot?: boolean;
  /** Once completed nobody can give the operation up: what it was before is gone. */
  isFinal?: boolean;
  /** A person may decide to go on without it. In a teardown: skipping it leaves nobody with access. */
  skippable?: boolean;
}

/** How often a step is retried before a person is asked. */
const MAX_RETRIES = 6;
const ROUNDS = MAX_RETRIES + 1;

/**
 * Runs `steps` in order. Returns when all are done; otherwise undoes in reverse what was begun,
 * settles the row and throws the original failure, so that the run ends Failed or Cancelled.
 */
export async function runSaga(input: OperationInput, steps: Step[]): Promise<void> {
  const controls = openOperatorControls(
    input,
    steps.map(({ name, applies }) => ({ name, state: applies === false ? 'skipped' : 'pending' })),
  );
  const isUndone = () => controls.state === 'compensating' || controls.cancelRequest !== undefined;
  await withPutBacks(input, isUndone, () => runToEnd(controls, input, steps));
}

async function runToEnd(
  controls: OperatorControls,
  input: OperationInput,
  steps: Step[],
): Promise<void> {
  const begun: Step[] = [];
  let pivotPassed = false;
  try {
    if (input.undoOnly) {
      buildOn({ isUndone: true });
      begun.push(...steps.filter(({ applies }) => applies !== false));
      throw ApplicationFailure.nonRetryable('The work was lost on the way and is undone', 'Lost');
    }
    for (const step of steps) {
      if (step.applies === false) continue;
      // Before the step runs: a cancel that arrives here must release the hold.
      begun.push(step);
      await recordStep(controls, input, step, 'running');
      const outcome = await forward(controls, input, step, pivotPassed);
      controls.enter('running', step.name, outcome);
      pivotPassed ||= step.pivot === true && outcome === 'completed';
      if (step.isFinal === true && outcome === 'completed') controls.passFinal();
      // The step completed although it was asked to stop.
      if (controls.cancelRequest) throw cancelled();
    }
    const end = { outcome: 'succeeded' as const, steps: controls.steps };
    await CancellationScope.nonCancellable(() => recordEnd(input, end));
    controls.enter('succeeded', undefined);
    endWith(end);
  } catch (caught) {
    if (putBackOf(caught)) throw caught;
    const error = stopped(controls, caught) && !isCancellation(caught) ? cancelled() : caught;
    const failure = causeOf(controls, error);
    controls.giveUp(`${failure.message} (${failure.type}).${answerWords(controls)}`);
    await CancellationScope.nonCancellable(async () => {
      for (const row of controls.steps) if (row.state === 'running') row.state = 'failed';
      await backward(controls, input, begun);
      const reported = clientError(failure);
      await recordEnd(input, { outcome: 'failed', steps: controls.steps, error: reported });
      controls.enter('failed', undefined);
    });
    if (isCancellation(error) && !controls.cancelRequest) throw error;
    throw ApplicationFailure.nonRetryable(failure.message, failure.type, failure.facts);
  }
}

/** Runs one step until it is done, skipped by a person, or given up (throws). */
async function forward(
  controls: OperatorControls,
  input: OperationInput,
  step: Step,
  pivotPassed: boolean,
): Promise<'completed' | 'skipped'> {
  for (let retries = 0; ;) {
    try {
      const note = (words: string) => void (rowOf(controls, step).note = words);
      await controls.cancellable(() => step.run(note, controls.say));
      return 'completed';
    } catch (error) {
      if (putBackOf(error) || stopped(controls, error)) throw error;
      const failure = await settled(controls, step, readFailure(error));
      // What an earlier run had bought and its rows have forgotten is given up by a person alone.
      if (failure.cure === 'client' && !pivotPassed && !input.restored) throw error;
      // Steps are safe to repeat, so a person is asked only when retries did not help.
      const healsAlone = failure.cure === 'unknown' || failure.cure === 'exhausted';
      if (healsAlone && retries < MAX_RETRIES) {
        const ms = retryDelayMs(retries, input.pace);
        retries += 1;
        const cause = `${failure.message} (${failure.type})`;
        controls.say(
          `Round ${retries} of ${ROUNDS} failed: ${cause}. The next one: ${inText(ms)}.`,
        );
        const summary = `${step.name}: round ${retries + 1} of ${ROUNDS} is next`;
        await controls.cancellable(() => sleep(ms, { summary }));
        controls.say(`Round ${retries + 1} of ${ROUNDS}, since ${nowText()}. Before: ${cause}.`);
        continue;
      }
      const actions = allowedActions(step, controls.isFinal);
      const waits = input.restored === true || failure.type === 'Undecided' || controls.isFinal;
      const limitSeconds = waits ? undefined : input.pace.blockedTimeoutSeconds;
      const blocked = { step, failure, actions, limitSeconds, endsOnCancel: true };
      const answer = await blockStep(controls, input, blocked);
      if (answer === 'compensate') throw error;
      if (answer === 'skip') return 'skipped';
      retries = 0;
    }
  }
}

/**
 * After an interrupted attempt, waits until a check can tell the outcome. Where that wait fails, its
 * failure is returned, for an operator.
 */
async function settled(
  controls: OperatorControls,
  step: Step,
  failure: StepFailure,
): Promise<StepFailure> {
  const isClear = ['client', 'operator', 'overdue'].includes(failure.cure);
  if (!step.settle || isClear) return failure;
  controls.say(`${failure.message} (${failure.type}). Waits until its outcome can be seen.`);
  try {
    await controls.cancellable(step.settle);
    return failure;
  } catch (error) {
    if (stopped(controls, error)) throw error;
    const undecided = readFailure(error);
    return { ...undecided, cure: 'operator', message: `Undecided: ${undecided.message}` };
  }
}

/** Undoes in reverse. A failing undo blocks, it is never swallowed. */
async function backward(
  controls: OperatorControls,
  input: OperationInput,
  begun: Step[],
): Promise<void> {
  for (const step of begun.toReversed()) {
    if (!step.undo) continue;
    await recordStep(controls, input, step, 'compensating');
    for (;;) {
      try {
        await step.undo();
        break;
      } catch (error) {
        if (putBackOf(error)) throw error;
        const failure = readFailure(error);
        const actions: ResolutionAction[] = ['retry', 'skip'];
        const failedStep = { step, failure, actions, limitSeconds: undefined };
        if ((await blockStep(controls, input, failedStep)) === 'skip') break;
      }
    }
    const row = rowOf(controls, step);
    if (row.state === 'completed' && !step.pivot) row.state = 'undone';
  }
}

const allowedActions = (step: Step, isFinal: boolean): ResolutionAction[] => [
  'retry',
  // `run` checks first, so it adopts what a person has finished at the provider.
  ...(step.settle ? (['adopt'] as const) : []),
  ...(step.skippable ? (['skip'] as const) : []),
  ...(isFinal ? [] : (['compensate'] as const)),
];

const cancelled = () => new CancelledFailure('The operation was cancelled');

/** True once a cancel was requested; interrupted work may still fail in its own way. */
const stopped = (controls: OperatorControls, error: unknown): boolean =>
  isCancellation(error) ||
  controls.cancelRequest !== undefined ||
  CancellationScope.current().consideredCancelled;

/** Where a person, or the time limit, decided it. */
const answerWords = ({ lastAnswer: answer }: OperatorControls): string =>
  answer ? ` Answered by ${answer.actor}: ${answer.reason}.` : '';

/** The failure that ends the operation: a cancel request outranks what it interrupted. */
function causeOf(controls: OperatorControls, error: unknown): StepFailure {
  if (controls.cancelRequest) {
    const message = `Cancelled by ${controls.cancelRequest.actor}: ${controls.cancelRequest.reason}`;
    return { cure: 'client', type: 'Cancelled', message, facts: {} };
  }
  if (isCancellation(error)) {
    return { cure: 'operator', type: 'Cancelled', message: 'Cancelled by an operator', facts: {} };
  }
  return readFailure(error);
}
