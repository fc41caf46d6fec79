/** Runs the steps that take something down: forward only, never back. docs/workflow-rules.md#sagas. */
import { CancellationScope, patched } from '@temporalio/workflow';
import type { ResolutionAction } from '../../src/domain/operations/operations.ts';
import type { OperationInput } from '../contracts/operator.ts';
import { endWith } from '../engine/built-on.ts';
import { readFailure } from '../engine/failures.ts';
import { openOperatorControls, type OperatorControls } from '../engine/operator.ts';
import { putBackOf, withPutBacks } from '../engine/put-back.ts';
import type { Step } from '../engine/saga.ts';
import { blockStep, recordEnd, recordStep, rowOf } from '../engine/step-progress.ts';

/** Since this patch, each step of a teardown declares whether it can be skipped. */
const DECLARED_SKIPS = '2026-11-declared-skips';

/**
 * Takes something down: runs `steps` in order and never back. A failed step waits for a person for as
 * long as it takes (a step that leaves access behind cannot be skipped, see `skippable`), and a cancel
 * has no effect: a half-done teardown must not be a final state. A lost run is started again from the
 * beginning, so each step MUST be safe to repeat.
 */
export async function runTeardown(input: OperationInput, steps: Step[]): Promise<void> {
  const controls = openOperatorControls(
    input,
    steps.map(({ name, applies }) => ({ name, state: applies === false ? 'skipped' : 'pending' })),
  );
  await withPutBacks(
    input,
    () => false,
    () => takeDown(controls, input, steps),
  );
}

async function takeDown(
  controls: OperatorControls,
  input: OperationInput,
  steps: Step[],
): Promise<void> {
  await CancellationScope.nonCancellable(async () => {
    for (const step of steps) {
      if (step.applies === false) continue;
      await recordStep(controls, input, step, 'running');
      controls.enter('running', step.name, await onward(controls, input, step));
    }
    const end = { outcome: 'succeeded' as const, steps: controls.steps };
    await recordEnd(input, end);
    controls.enter('succeeded', undefined);
    endWith(end);
  });
}

/** Runs one step of a teardown until it is done, or a person goes on without it. */
async function onward(
  controls: OperatorControls,
  input: OperationInput,
  step: Step,
): Promise<'completed' | 'skipped'> {
  for (;;) {
    try {
      await step.run((note) => (rowOf(controls, step).note = note), controls.say);
      return 'completed';
    } catch (error) {
      if (putBackOf(error)) throw error;
      const failure = readFailure(error);
      // Runs that began before the patch let every step be skipped.
      const isSkippable = step.skippable === true || !patched(DECLARED_SKIPS);
      const actions: ResolutionAction[] = isSkippable ? ['retry', 'skip'] : ['retry'];
      const blocked = { step, failure, actions, limitSeconds: undefined };
      if ((await blockStep(controls, input, blocked)) === 'skip') return 'skipped';
    }
  }
}
