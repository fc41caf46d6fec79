/**
 * What a workflow shows of a step: in the operator controls and in the operation's row.
 * docs/workflow-rules.md#sagas.
 */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import type { ResolutionAction } from '../../src/domain/operations/operations.ts';
import type { BlockedStep, OperationInput } from '../contracts/operator.ts';
import { buildOn } from './built-on.ts';
import type { StepFailure } from './failures.ts';
import type { OperatorControls } from './operator.ts';
import { policies } from './policies.ts';

/** The part of a step that is shown. */
interface NamedStep {
  name: string;
}

/** Signature of the activities that keep the row in step with the workflow. */
type Records = Pick<
  Activities,
  'recordProgress' | 'recordBlocked' | 'recordResolution' | 'finishOperation'
>;

export const recordsOf = ({ pace }: OperationInput) =>
  proxyActivities<Records>(policies(pace).dbWrite);

export const rowOf = (controls: OperatorControls, step: NamedStep) =>
  controls.steps.find((s) => s.name === step.name)!;

/** Shows, in the operator controls and in the row, that a step runs or is being undone. */
export async function recordStep(
  controls: OperatorControls,
  input: OperationInput,
  step: NamedStep,
  state: 'running' | 'compensating',
): Promise<void> {
  const isUndo = state === 'compensating';
  controls.enter(state, step.name, isUndo ? undefined : 'running');
  const summary = isUndo ? `undo ${step.name}` : `${step.name}: running`;
  const { operationId } = input;
  const number = controls.nextNumber();
  await recordsOf(input).recordProgress.executeWithOptions({ summary }, [
    { operationId, number, state, step: step.name, steps: controls.steps },
  ]);
  buildOn({ number, isUndone: isUndo });
}

/** Blocks the step and records who answered what. */
export async function blockStep(
  controls: OperatorControls,
  input: OperationInput,
  failedStep: {
    step: NamedStep;
    failure: StepFailure;
    actions: ResolutionAction[];
    limitSeconds: number | undefined;
    endsOnCancel?: boolean;
  },
): Promise<ResolutionAction> {
  const records = recordsOf(input);
  const { operationId } = input;
  const { step, failure, actions, limitSeconds, endsOnCancel } = failedStep;
  const stateBefore = controls.state;
  const row = rowOf(controls, step);
  const rowBefore = row.state;
  row.state = 'blocked';
  const record = async (blocked: BlockedStep) => {
    const isUndo = stateBefore === 'compensating';
    const number = controls.nextNumber();
    await records.recordBlocked({ operationId, number, blocked, steps: controls.steps, isUndo });
    buildOn({ number });
  };
  const asked = { step: step.name, failure, actions, limitSeconds, endsOnCancel, record };
  const waiting = controls.block(asked);
  const answer = await waiting.finally(() => (row.state = rowBefore));
  const cancel = controls.cancelRequest;
  const resolution =
    answer ??
    (cancel && stateBefore === 'running'
      ? { action: 'compensate' as const, actor: cancel.actor, reason: cancel.reason }
      : { action: 'compensate' as const, actor: 'system', reason: 'nobody answered in time' });
  controls.enter(stateBefore, step.name);
  const number = controls.nextNumber();
  await records.recordResolution({
    operationId,
    number,
    step: step.name,
    resolution,
    state: stateBefore,
    steps: controls.steps,
  });
  buildOn({ number });
  return resolution.action;
}
