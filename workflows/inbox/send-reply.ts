/**
 * Sends a message that a person wrote, at once or at its time: retried for about a quarter of an hour, never
 * sent twice. It is a workflow because it must outlive the request and its process; its row shows the result.
 */
import { isCancellation, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import { scheduleChangedSignal } from '../contracts/send-reply.ts';
import type { WorkflowInput } from '../contracts/workflow-input.ts';
import { as } from '../clusters/steps.ts';
import { runJob } from '../engine/job.ts';
import type { Job } from '../engine/job-steps.ts';
import { policies } from '../engine/policies.ts';

export async function sendReply(input: WorkflowInput<'sendReply'>): Promise<void> {
  const { outgoingId, pace } = input;
  const { fileOutgoingLetter } = proxyActivities<Activities>(policies(pace).remoteWriteKeyed);
  const work = async (job: Job) => {
    if (!(await sendInTime(job, input))) return;
    try {
      await fileOutgoingLetter.executeWithOptions(as('file', 'Put its copy into the Sent folder'), [
        { outgoingId },
      ]);
    } catch (error) {
      if (isCancellation(error)) throw error;
      // It was sent; only its copy in the Sent folder is missing, as `filed_at` shows.
    }
  };
  await runJob(input, work, { wakeOn: [scheduleChangedSignal] });
}

/**
 * The row says when: it is looked at again at that time, and whenever it was changed. Only what is scheduled is
 * told to wait, so runs of before replay as they were. Choice 126.
 */
async function sendInTime(job: Job, input: WorkflowInput<'sendReply'>): Promise<boolean> {
  const { outgoingId, pace } = input;
  const { sendOutgoingLetter } = proxyActivities<Activities>(policies(pace).page);
  for (;;) {
    const { isSent, waitMs } = await job.page('send', () =>
      sendOutgoingLetter.executeWithOptions(as('send', 'Send the message when it is due'), [
        { outgoingId },
      ]),
    );
    if (!waitMs) return isSent;
    await job.rest(new Date(Date.now() + waitMs).toISOString());
  }
}
