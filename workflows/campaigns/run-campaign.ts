/**
 * Sends a campaign in sessions of its shard; the workflow waits until all is sent, or somebody pauses or stops it.
 * docs/workflow-rules.md#long-jobs.
 */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import type { WorkflowInput } from '../contracts/workflow-input.ts';
import { leadsAddedSignal, settingsChangedSignal } from '../contracts/run-campaign.ts';
import { as } from '../clusters/steps.ts';
import { runJob } from '../engine/job.ts';
import { policies } from '../engine/policies.ts';

export async function runCampaign(input: WorkflowInput<'runCampaign'>): Promise<void> {
  const { campaignId, operationId, pace } = input;
  const { sendCampaignRound } = proxyActivities<Activities>(policies(pace).mailSession);
  await runJob(
    input,
    (job) =>
      job.sessions('send', () =>
        sendCampaignRound.executeWithOptions(as('send', 'A session of sending'), [
          { campaignId, operationId },
        ]),
      ),
    { wakeOn: [leadsAddedSignal, settingsChangedSignal] },
  );
}
