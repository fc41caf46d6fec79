/** A file of mailboxes elsewhere: their proofs side by side, page after page. Choice 120. */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import type { WorkflowInput } from '../contracts/workflow-input.ts';
import { runJob } from '../engine/job.ts';
import { policies } from '../engine/policies.ts';
import { as } from '../clusters/steps.ts';

export async function importMailboxes(input: WorkflowInput<'importMailboxes'>): Promise<void> {
  const { importId, operationId, pace } = input;
  const { connectMailboxRows } = proxyActivities<Activities>(policies(pace).mailSession);
  const { retryPace } = pace;
  await runJob(input, (job) =>
    job.pages('connect_mailboxes', () =>
      connectMailboxRows.executeWithOptions(
        as('connect_mailboxes', 'Connect mailboxes of the file'),
        [{ importId, operationId, retryPace }],
      ),
    ),
  );
}
