/** A placement test: its message goes to seed mailboxes, and is looked for until it is found or time is up. Choice 124. */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import type { WorkflowInput } from '../contracts/workflow-input.ts';
import { as } from '../clusters/steps.ts';
import { runJob } from '../engine/job.ts';
import { policies } from '../engine/policies.ts';

export async function testPlacement(input: WorkflowInput<'testPlacement'>): Promise<void> {
  const { operationId, testId, pace } = input;
  const { takePlacementTurn } = proxyActivities<Activities>(policies(pace).page);
  const { retryPace } = pace;
  await runJob(input, async (job) => {
    for (let looks = 0; ; looks += 1) {
      const turn = { operationId, testId, looks, retryPace };
      const { isDone, waitMs } = await job.page('placement_turn', () =>
        takePlacementTurn.executeWithOptions(
          as('placement_turn', 'Send what waits, and look where it landed'),
          [turn],
        ),
      );
      if (isDone) return;
      await job.wait(waitMs);
    }
  });
}
