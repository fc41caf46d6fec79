/** Deletes the companies and leads of a deleted list, portion by portion. Choice 4. */
import { CancellationScope, proxyActivities, upsertSearchAttributes } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import type { WorkflowInput } from '../contracts/workflow-input.ts';
import { opsState } from '../contracts/search-attributes.ts';
import { continueOnLatestBuild, isTimeToContinue } from '../engine/continue.ts';
import { tell } from '../engine/details.ts';
import { policies } from '../engine/policies.ts';
import { as } from '../clusters/steps.ts';

/**
 * Cannot be paused or cancelled: nobody sees the list any more, and a half-done deletion must not be a
 * final state. For the same reason a portion is retried for ever, and a lost run is started again.
 */
export async function deleteLeadList(input: WorkflowInput<'deleteLeadList'>): Promise<void> {
  const { leadListId, operationId, pace } = input;
  const { page, dbWrite } = policies(pace);
  const { maximumAttempts: _, ...retry } = page.retry;
  const { removeListPortions } = proxyActivities<Activities>({ ...page, retry });
  const { finishOperation } = proxyActivities<Activities>(dbWrite);
  tell('');
  await CancellationScope.nonCancellable(async () => {
    for (;;) {
      const removed = await removeListPortions.executeWithOptions(
        as('remove_list', 'Remove leads of the list'),
        [{ leadListId }],
      );
      tell(removed.progress);
      if (removed.isDone) break;
      if (isTimeToContinue()) await continueOnLatestBuild<typeof deleteLeadList>(input);
    }
    await finishOperation.executeWithOptions({ summary: 'the list is gone' }, [
      { operationId, outcome: 'succeeded', steps: [] },
    ]);
  });
  upsertSearchAttributes([{ key: opsState, value: null }]);
}
