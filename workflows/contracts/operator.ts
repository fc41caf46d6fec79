/** Signals, queries and updates of a running operation. docs/workflow-rules.md#blocked-steps. */
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type {
  OperationState,
  Pace,
  ResolutionAction,
  StepProgress,
} from '../../src/domain/operations/operations.ts';

/** Input of every operation's workflow. */
export interface OperationInput {
  operationId: number;
  userId: string;
  /** `cluster/7`: the value of the search attribute ResourceId. */
  resource: string;
  pace: Pace;
  /** The previous run was lost: no step runs forward, what that run began is undone. */
  undoOnly?: boolean;
  /**
   * The rows may have forgotten what the previous run bought: each step looks first, as ever, and nothing is
   * given up but by a person.
   */
  restored?: boolean;
}

/** An answer to a blocked step by somebody who has seen its `token`. */
export interface BlockedStepAnswer {
  token: string;
  action: ResolutionAction;
  actor: string;
  reason: string;
}

/**
 * The same answer as a signal, for many operations at once: no token, it acts only where this step is
 * blocked.
 */
export interface BlockedStepSignal {
  step: string;
  action: ResolutionAction;
  actor: string;
  reason: string;
}

export interface CancelRequest {
  actor: string;
  reason: string;
}

/** A blocked step as the query `operation` shows it. */
export interface BlockedStep {
  step: string;
  token: string;
  actions: ResolutionAction[];
  /** `type` is the failure's type, `code` is what the client reads, `vendors` are those that failed. */
  error: { type: string; code: string; message: string; hint: string; vendors?: string[] };
}

export interface OperationView {
  state: OperationState;
  step: string | null;
  steps: StepProgress[];
  blocked: BlockedStep | null;
}

export const resolveBlockedStepUpdate = defineUpdate<{ step: string }, [BlockedStepAnswer]>(
  'resolveBlockedStep',
);
export const resolveBlockedStepSignal = defineSignal<[BlockedStepSignal]>('resolveBlockedStep');
export const cancelSignal = defineSignal<[CancelRequest]>('cancel');
export const operationQuery = defineQuery<OperationView>('operation');
