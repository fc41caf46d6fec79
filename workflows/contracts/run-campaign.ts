/** Contract of `runCampaign`: one workflow a campaign, however many recipients it has. */
import { defineSignal } from '@temporalio/workflow';
import type { JobInput } from './job.ts';

export const runCampaignType = 'runCampaign';

/** `run` counts the workflows of a campaign from 1; a completed one that is started again has the next. */
export const runCampaignWorkflowId = (campaignId: number, run: number) =>
  run === 1 ? `campaign/${campaignId}` : `campaign/${campaignId}/${run}`;

export interface RunCampaignInput extends JobInput {
  campaignId: number;
}

/** Both only wake a campaign that sleeps: what has changed stands in its rows. */
export const leadsAddedSignal = defineSignal('leadsAdded');
export const settingsChangedSignal = defineSignal('settingsChanged');
