/**
 * Sends a message that a person wrote: retried for about a quarter of an hour, never sent twice. It is a
 * workflow because it must outlive the request and its process; its row shows the result.
 */
import { isCancellation, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import type { WorkflowInput } from '../contracts/workflow-input.ts';
import { runJob } from '../engine/job.ts';
import { policies } from '../engine/policies.ts';

export async function sendReply(input: WorkflowInput<'sendReply'>): Promise<void> {
  const { outgoingId, pace } = input;
  const policy = policies(pace);
  const { sendOutgoingLetter } = proxyActivities<Activities>(policy.page);
  const { fileOutgoingLetter } = proxyActivities<Activities>(policy.remoteWriteKeyed);
  await runJob(input, async (job) => {
    const { isSent } = await job.page('send', () =>
      sendOutgoingLetter.executeWithOptions({ activityId: 'send' }, [{ outgoingId }]),
    );
    if (!isSent) return;
    try {
      await fileOutgoingLetter.executeWithOptions({ activityId: 'file' }, [{ outgoingId }]);
    } catch (error) {
      if (isCancellation(error)) throw error;
      // It was sent; only its copy in the Sent folder is missing, as `filed_at` shows.
    }
  });
}
