/** Sending sessions of a campaign. */
import type { SessionResult } from '../../src/domain/operations/jobs.ts';
import { runSendingSession } from './sending-session.ts';
import { activityTools, type CampaignContext } from './tools.ts';

interface Round {
  campaignId: number;
  operationId: number;
}

export const campaignActivities = (context: CampaignContext) => ({
  /** Sends what is due, for hours at most. Safe to repeat: each message has one row. */
  sendCampaignRound: ({ campaignId }: Round): Promise<SessionResult> =>
    runSendingSession(activityTools(context), campaignId),
});
