/** Removes the values of a deleted custom field from leads, portion by portion. Choice 99. */
import { CancellationScope, proxyActivities, upsertSearchAttributes } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import type { WorkflowInput } from '../contracts/workflow-input.ts';
import { opsState } from '../contracts/search-attributes.ts';
import { continueOnLatestBuild, isTimeToContinue } from '../engine/continue.ts';
import { tell } from '../engine/details.ts';
import { policies } from '../engine/policies.ts';
import { as } from '../clusters/steps.ts';

/**
 * Cannot be paused or cancelled: nobody sees the field any more, and a half-done deletion must not be a
 * final state. For the same reason a portion is retried for ever, and a lost run is started again.
 */
export async function deleteCustomField(input: WorkflowInput<'deleteCustomField'>): Promise<void> {
  const { customFieldId, operationId, pace } = input;
  const { page, dbWrite } = policies(pace);
  const { maximumAttempts: _, ...retry } = page.retry;
  const { removeCustomValuePortions } = proxyActivities<Activities>({ ...page, retry });
  const { finishOperation } = proxyActivities<Activities>(dbWrite);
  tell('');
  await CancellationScope.nonCancellable(async () => {
    for (;;) {
      const removed = await removeCustomValuePortions.executeWithOptions(
        as('remove_values', 'Remove values of the field'),
        [{ customFieldId }],
      );
      tell(removed.progress);
      if (removed.isDone) break;
      if (isTimeToContinue()) await continueOnLatestBuild<typeof deleteCustomField>(input);
    }
    await finishOperation.executeWithOptions({ summary: 'the field is gone' }, [
      { operationId, outcome: 'succeeded', steps: [] },
    ]);
  });
  upsertSearchAttributes([{ key: opsState, value: null }]);
}
