/** Rounds of a campaign. */
import type { RoundResult } from '../../src/domain/operations/jobs.ts';
import { runRound } from './round.ts';
import { activityTools, type CampaignContext } from './tools.ts';

interface Round {
  campaignId: number;
  operationId: number;
}

export const campaignActivities = (context: CampaignContext) => ({
  /** Sends what is due, for hours at most. Safe to repeat: each letter has one row. */
  sendCampaignRound: ({ campaignId }: Round): Promise<RoundResult> =>
    runRound(activityTools(context), campaignId),
});
