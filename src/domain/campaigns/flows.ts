/** The flow of a campaign: one workflow, however many recipients it has. */
import { defineFlow, type FlowOrder } from '../operations/define-flow.ts';
import { WORKFLOW_QUEUE } from '../operations/queues.ts';

export interface CampaignRun extends FlowOrder {
  campaignId: number;
}

/** `run` counts the workflows of a campaign from 1; restarting a completed campaign takes the next number. */
export const runCampaignFlow = defineFlow<CampaignRun>()({
  kind: 'runCampaign',
  queue: WORKFLOW_QUEUE,
  resource: 'campaign',
  resourceId: ({ campaignId }) => campaignId,
  workflowId: ({ campaignId, run }: { campaignId: number; run: number }) =>
    run === 1 ? `campaign/${campaignId}` : `campaign/${campaignId}/${run}`,
  outcome: 'job',
  direction: 'forward',
  priority: 'normal',
});
