/** Verifies many addresses, batch by batch; greylisted ones are tried again when they are due. */
import { patched, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import { lookNowSignal } from '../contracts/verify-emails.ts';
import type { WorkflowInput } from '../contracts/workflow-input.ts';
import { as } from '../clusters/steps.ts';
import { runJob } from '../engine/job.ts';
import type { Job } from '../engine/job-steps.ts';
import { policies } from '../engine/policies.ts';

/** Since this patch an operator may wake a job that waits, and a pause is heard at once. */
const WOKEN = '2026-11-woken-validations';

export async function verifyEmails(input: WorkflowInput<'verifyEmails'>): Promise<void> {
  const { operationId, jobId, pace } = input;
  const { checkEmailBatch } = proxyActivities<Activities>(policies(pace).page);
  const batch = { operationId, jobId, retryPace: pace.retryPace };
  const work = async (job: Job) => {
    for (;;) {
      const { isDone, waitMs } = await job.page('check', () =>
        checkEmailBatch.executeWithOptions(as('check', 'Check addresses'), [batch]),
      );
      if (isDone) return;
      // What is left is in the rows: after continue-as-new the run waits for it again.
      if (waitMs <= 0) continue;
      if (patched(WOKEN)) await job.rest(new Date(Date.now() + waitMs).toISOString());
      else await job.wait(waitMs);
    }
  };
  await runJob(input, work, { wakeOn: [lookNowSignal] });
}
