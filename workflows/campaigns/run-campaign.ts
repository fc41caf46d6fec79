/**
 * Sends a campaign in sessions of up to two hours; each sends what is due and reports whether more is
 * left.
 * docs/workflow-rules.md#long-jobs.
 */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import type { WorkflowInput } from '../contracts/workflow-input.ts';
import { leadsAddedSignal, settingsChangedSignal } from '../contracts/run-campaign.ts';
import { runJob } from '../engine/job.ts';
import { policies } from '../engine/policies.ts';

export async function runCampaign(input: WorkflowInput<'runCampaign'>): Promise<void> {
  const { campaignId, operationId, pace } = input;
  const { sendCampaignRound } = proxyActivities<Activities>(policies(pace).mailSession);
  const work = async (job: Parameters<Parameters<typeof runJob>[1]>[0]) => {
    for (;;) {
      const session = await job.page('send', () =>
        sendCampaignRound.executeWithOptions({ activityId: 'send' }, [{ campaignId, operationId }]),
      );
      if (session.isDone) return;
      if (session.nextAt !== null) await job.rest(session.nextAt);
    }
  };
  await runJob(input, work, { wakeOn: [leadsAddedSignal, settingsChangedSignal] });
}
