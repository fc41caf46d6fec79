/**
 * The operator controls of an operation: progress, blocked steps and their answers, cancel.
 * docs/workflow-rules.md#blocked-steps.
 */
import { CancellationScope, condition, log, setHandler, uuid4 } from '@temporalio/workflow';
import type {
  OperationState,
  ResolutionAction,
  StepProgress,
} from '../../src/domain/operations/operations.ts';
import {
  cancelSignal,
  operationQuery,
  resolveBlockedStepSignal,
  resolveBlockedStepUpdate,
  type BlockedStep,
  type CancelRequest,
  type OperationInput,
} from '../contracts/operator.ts';
import { clientError, type StepFailure } from './failures.ts';
import { createSagaDisplay } from './saga-display.ts';

export interface Resolution {
  action: ResolutionAction;
  actor: string;
  reason: string;
}

/** Everything about an operation that people can see or change. */
export interface OperatorControls {
  state: OperationState;
  steps: StepProgress[];
  cancelRequest: CancelRequest | undefined;
  /** What was answered to the step that was blocked last, where that gave the operation up. */
  lastAnswer?: Resolution;
  /** True once nobody can give it up any more. */
  readonly isFinal: boolean;
  /** From here on a cancel is no answer; one that has come is forgotten. */
  passFinal(): void;
  /** The next number for records about the operation, from 1. */
  nextNumber(): number;
  /** Runs `work` so that a cancel request stops it (a CancelledFailure is thrown). */
  cancellable<T>(work: () => Promise<T>): Promise<T>;
  enter(state: OperationState, step: string | undefined, progress?: StepProgress['state']): void;
  /** Why the step takes longer than usual, for operators, until it is over. */
  say: (words: string) => void;
  /** Why everything is undone from here on. */
  giveUp: (cause: string) => void;
  /** Why everything is undone, once: undefined where it has been asked for before. */
  untoldCause: () => string | undefined;
  /** Shows the failure and waits; undefined when nobody answered within the limit. */
  block(failedStep: FailedStep): Promise<Resolution | undefined>;
}

export interface FailedStep {
  step: string;
  failure: StepFailure;
  actions: ResolutionAction[];
  /** Undefined: waits for ever (a failing undo or teardown is never given up). */
  limitSeconds: number | undefined;
  /** A cancel is an answer though there is no limit. */
  endsOnCancel?: boolean | undefined;
  /** Writes the row and the event, once the search attributes say Blocked. */
  record: (blocked: BlockedStep) => Promise<void>;
}

/** Sets the handlers; call it before the first await. docs/workflow-rules.md#handlers. */
export function openOperatorControls(
  input: OperationInput,
  steps: StepProgress[],
): OperatorControls {
  let blocked: BlockedStep | undefined;
  let resolution: Resolution | undefined;
  let cancelScope: (() => void) | undefined;
  let currentStep: string | null = null;
  let written = 0;

  const display = createSagaDisplay(input, steps);
  let isFinal = false;
  const controls: OperatorControls = {
    state: 'running',
    steps,
    cancelRequest: undefined,
    get isFinal() {
      return isFinal;
    },
    passFinal() {
      isFinal = true;
      controls.cancelRequest = undefined;
    },
    nextNumber: () => (written += 1),
    async cancellable(work) {
      const scope = new CancellationScope();
      cancelScope = () => scope.cancel();
      try {
        if (controls.cancelRequest) scope.cancel();
        return await scope.run(work);
      } finally {
        cancelScope = undefined;
      }
    },
    enter(state, step, progress) {
      controls.state = state;
      currentStep = step ?? null;
      const row = steps.find((s) => s.name === step);
      if (row && progress) row.state = progress;
      display.enter(state, currentStep);
    },
    say: (words) => display.say(words),
    giveUp: (cause) => display.giveUp(cause),
    untoldCause: () => display.untoldCause(),
    async block(failedStep) {
      const { step, failure, actions } = failedStep;
      const isUndo = controls.state === 'compensating';
      blocked = { step, token: uuid4(), actions, error: errorOf(failure) };
      resolution = undefined;
      // A step that waits for ever is never given up, so a cancel is no answer to it.
      const canEnd =
        failedStep.limitSeconds !== undefined || (failedStep.endsOnCancel === true && !isUndo);
      display.block(isUndo, blocked, {
        limitSeconds: failedStep.limitSeconds,
        endsOnCancel: canEnd,
      });
      try {
        await failedStep.record(blocked);
        const answered = () =>
          resolution !== undefined || (canEnd && controls.cancelRequest !== undefined);
        if (failedStep.limitSeconds === undefined) await condition(answered);
        else await condition(answered, failedStep.limitSeconds * 1_000);
        return resolution;
      } finally {
        // Also when the workflow is cancelled here: the step no longer waits for an answer.
        blocked = undefined;
        display.unblock();
      }
    },
  };

  setHandler(
    resolveBlockedStepUpdate,
    ({ action, actor, reason }) => {
      resolution = { action, actor, reason };
      return { step: blocked!.step };
    },
    {
      validator: (answer) => {
        if (!blocked) throw new Error('No step is blocked.');
        if (resolution) throw new Error('The blocked step has been answered already.');
        if (answer?.token !== blocked.token) throw new Error('The token is stale: look again.');
        if (!blocked.actions.includes(answer.action)) {
          throw new Error(`Not possible here; possible: ${blocked.actions.join(', ')}.`);
        }
        if (!answer.actor || !answer.reason) throw new Error('actor and reason are required.');
      },
    },
  );
  setHandler(resolveBlockedStepSignal, (answer) => {
    const fits =
      blocked?.step === answer?.step && !resolution && blocked?.actions.includes(answer?.action);
    if (!fits || !answer.actor || !answer.reason) {
      log.warn('resolveBlockedStep ignored: it does not fit what is blocked', { answer });
      return;
    }
    resolution = { action: answer.action, actor: answer.actor, reason: answer.reason };
  });
  setHandler(cancelSignal, (request) => {
    if (controls.state === 'compensating' || isFinal) return;
    controls.cancelRequest ??= {
      actor: String(request?.actor ?? 'unknown'),
      reason: String(request?.reason ?? ''),
    };
    cancelScope?.();
  });
  setHandler(operationQuery, () => ({
    state: blocked ? 'blocked' : controls.state,
    step: currentStep,
    steps,
    blocked: blocked ?? null,
  }));
  return controls;
}

const errorOf = (failure: StepFailure) => ({
  type: failure.type,
  ...clientError(failure),
  hint: failure.facts.operatorHint ?? '',
  vendors: vendorsOf(failure),
});

const vendorsOf = ({ facts: { vendors, provider } }: StepFailure): string[] =>
  vendors ?? (provider === undefined ? [] : [provider]);
