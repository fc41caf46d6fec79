/** Two flows under the names of the product's: a step in one run, and one more in the run that continues it. */
import { proxyActivities } from '@temporalio/workflow';
import type { WorkflowInput } from '../../../workflows/contracts/workflow-input.ts';
import { continueOnLatestBuild } from '../../../workflows/engine/continue.ts';

/** The only queue of activities in the test: what waits there, waits for one worker. */
export const WORK_QUEUE = 'work';

interface PriorityActivities {
  work(whose: string): Promise<void>;
}

type Input = WorkflowInput<'verifyEmails'> & { isContinued?: true };

const { work } = proxyActivities<PriorityActivities>({
  taskQueue: WORK_QUEUE,
  startToCloseTimeout: '1 minute',
});

export async function verifyEmails(input: Input): Promise<void> {
  await work(`${input.userId} low`);
  if (!input.isContinued) {
    await continueOnLatestBuild<typeof verifyEmails>({ ...input, isContinued: true });
  }
}

export async function provisionCluster({
  userId,
}: WorkflowInput<'provisionCluster'>): Promise<void> {
  await work(`${userId} high`);
}
