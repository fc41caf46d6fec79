/** What a claim of messages asks for, and what it gives. */
import type { CampaignStep } from '../domain/campaigns/campaigns.ts';
import type { JobState } from '../domain/operations/jobs.ts';
import type { missingSenderFields } from '../db/accounts/accounts.ts';
import type { Campaign } from '../db/campaigns/campaigns.ts';
import type { ClaimedMessage } from '../db/sending/send-claim-rows.ts';

export interface ClaimRequest {
  campaignId: number;
  /** Who claims (uuid): nobody else may go on with these messages. */
  claimedBy: string;
  now: Date;
  /** Messages at most. */
  most: number;
  /** So many more recipients are looked at, when the last look found some that are held back. */
  further?: number;
  /** In [0, 1): places the gaps in their jitter. */
  chance?: () => number;
}

/** What one claim has come to. */
export interface Claim {
  state: JobState;
  campaign: Campaign;
  sequence: readonly CampaignStep[];
  /** The account that messages go out for, as it was at the claim. */
  sender: { name: string; postalAddress: string };
  /** What of it is missing: nothing is claimed. */
  missing: ReturnType<typeof missingSenderFields>;
  messages: ClaimedMessage[];
  /** When the window that is open now closes. */
  windowUntil: Date | null;
  /** When the next message can go at the earliest; null: nobody has a message to come. */
  nextAt: Date | null;
  /** Recipients that were found held back. */
  dropped: number;
  /** Others wait for the same mailboxes: look again soon, and say that this campaign waits. */
  isShared: boolean;
}
