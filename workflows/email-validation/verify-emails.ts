/** Verifies many addresses, batch by batch; greylisted ones are tried again when they are due. */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import type { WorkflowInput } from '../contracts/workflow-input.ts';
import { as } from '../clusters/steps.ts';
import { runJob } from '../engine/job.ts';
import { policies } from '../engine/policies.ts';

export async function verifyEmails(input: WorkflowInput<'verifyEmails'>): Promise<void> {
  const { operationId, jobId, pace } = input;
  const { checkEmailBatch } = proxyActivities<Activities>(policies(pace).page);
  const batch = { operationId, jobId, retryPace: pace.retryPace };
  await runJob(input, async (job) => {
    for (;;) {
      const { isDone, waitMs } = await job.page('check', () =>
        checkEmailBatch.executeWithOptions(as('check', 'Check addresses'), [batch]),
      );
      if (isDone) return;
      // What is left is in the rows: after continue-as-new the run waits for it again.
      if (waitMs > 0) await job.wait(waitMs);
    }
  });
}
