/**
 * Sends a message that a person wrote: retried for about a quarter of an hour, never twice. A workflow,
 * though it is short: it outlives the request and its process, and the row tells what became of it.
 */
import { isCancellation, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import type { SendReplyInput } from '../contracts/send-reply.ts';
import { runJob } from '../engine/job.ts';
import { policies } from '../engine/policies.ts';

export async function sendReply(input: SendReplyInput): Promise<void> {
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
      // It has gone; only its copy in the Sent folder is missing, as `filed_at` says.
    }
  });
}
