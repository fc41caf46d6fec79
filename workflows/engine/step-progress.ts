/**
 * What a workflow shows of a step: in the operator controls and in the operation's row.
 * docs/workflow-rules.md#sagas.
 */
import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import type { ResolutionAction } from '../../src/domain/operations/operations.ts';
import type { RunEnd } from '../../src/domain/operations/restores.ts';
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

/** Which run numbers its writes: one that was reset begins with lower numbers. */
const runId = (): string => workflowInfo().runId;

const recordsOf = ({ pace }: OperationInput) => proxyActivities<Records>(policies(pace).dbWrite);

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
  // With the first write that says so: the log has the cause while it is being undone, and not only at the end.
  const cause = isUndo ? controls.untoldCause() : undefined;
  await recordsOf(input).recordProgress.executeWithOptions({ summary }, [
    {
      operationId,
      number,
      run: runId(),
      state,
      step: step.name,
      steps: controls.steps,
      ...(cause !== undefined && { cause }),
    },
  ]);
  buildOn({ number, isUndone: isUndo });
}

/** Writes how it ended into the row. */
export const recordEnd = (input: OperationInput, end: RunEnd): Promise<void> =>
  recordsOf(input).finishOperation.executeWithOptions(
    { summary: `the operation has ${end.outcome}` },
    [{ operationId: input.operationId, ...end }],
  );

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
    const summary = `${step.name}: blocked`;
    await records.recordBlocked.executeWithOptions({ summary }, [
      { operationId, number, run: runId(), blocked, steps: controls.steps, isUndo },
    ]);
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
  if (resolution.action === 'compensate') controls.lastAnswer = resolution;
  controls.enter(stateBefore, step.name);
  const number = controls.nextNumber();
  const summary = `${step.name}: ${resolution.action}, asked by ${resolution.actor}`;
  await records.recordResolution.executeWithOptions({ summary }, [
    {
      operationId,
      number,
      run: runId(),
      step: step.name,
      resolution,
      state: stateBefore,
      steps: controls.steps,
    },
  ]);
  buildOn({ number });
  return resolution.action;
}
