/** Sending sessions of a campaign. */
import type { SessionResult } from '../../src/domain/operations/jobs.ts';
import { runSendingSession } from './sending-session.ts';
import { activityTools, type CampaignContext } from './tools.ts';

interface SessionInput {
  campaignId: number;
  operationId: number;
}

export const campaignActivities = (context: CampaignContext) => ({
  /**
   * A session: sends what is due, for hours at most. Safe to repeat: each message has one row. Recorded
   * histories have it under this name.
   */
  sendCampaignRound: ({ campaignId }: SessionInput): Promise<SessionResult> =>
    runSendingSession(activityTools(context), campaignId),
});
