/** The input and the result of a claim of messages. */
import type { CampaignStep } from '../domain/campaigns/campaigns.ts';
import type { JobState, SeenChanges } from '../domain/operations/jobs.ts';
import type { missingSenderFields } from '../db/accounts/accounts.ts';
import type { Campaign } from '../db/campaigns/campaigns.ts';
import type { CapacitySettings } from '../db/sending/mailbox-capacity.ts';
import type { RecipientDomainSettings } from '../db/sending/recipient-domain-limit.ts';
import type { ClaimedMessage } from '../db/sending/send-claim-rows.ts';
import type { MessageIdSettings } from './message-ids.ts';

export type ClaimSettings = CapacitySettings & RecipientDomainSettings & MessageIdSettings;

export interface ClaimRequest {
  campaignId: number;
  /** The claimant (uuid): no other may continue these messages. */
  claimedBy: string;
  now: Date;
  /** The maximum number of messages. */
  most: number;
  /** Leads whose messages are on their way: the claimant knows when they are due again. */
  inFlight?: readonly number[];
  /** How many more recipients to read, when the last claim found some that are held back. */
  further?: number;
  /** In [0, 1): the position of a gap within its jitter. */
  chance?: () => number;
}

/** The result of one claim. */
export interface Claim {
  state: JobState;
  campaign: Campaign;
  /** What changes later, `nextAt` does not know of. */
  seen: SeenChanges;
  sequence: readonly CampaignStep[];
  /** The account's sender data at the time of the claim. */
  sender: { name: string; postalAddress: string };
  /** Missing sender fields: then nothing is claimed. */
  missing: ReturnType<typeof missingSenderFields>;
  messages: ClaimedMessage[];
  /**
   * The earliest time of the next message besides these and those in flight; not later than now: claim again. Null: no other
   * recipient has one to come.
   */
  nextAt: Date | null;
  /** Recipients that were found held back. */
  dropped: number;
  /** Why there are not more, for operators; the same words for all campaigns, so that they can be counted. */
  why: string;
  /** Other campaigns wait for the same mailboxes: poll again soon, and record that this campaign waits. */
  isShared: boolean;
}

/** All of them: a statement that is parsed once per connection names its columns. */
export const CAMPAIGN_COLUMNS = Object.keys({
  id: true,
  user_id: true,
  name: true,
  status: true,
  pause_reason: true,
  archived: true,
  language: true,
  timezone: true,
  active_days: true,
  start_time: true,
  end_time: true,
  max_followups: true,
  followup_delay_days: true,
  track_opens: true,
  track_clicks: true,
  tracking_domain_id: true,
  text_only: true,
  min_validation_score: true,
  held_addresses: true,
  max_new_leads_per_day: true,
  new_lead_share: true,
  use_recipient_timezone: true,
  times_changed_at: true,
  lists_enrolled_to: true,
  holds_taken_up_to: true,
  followups_planned_to: true,
  recipients_removed_to: true,
  followups_to_plan: true,
  only_never_contacted: true,
  run: true,
  warning: true,
  accepted_bounces: true,
  accepted_complaints: true,
  started_at: true,
  paused_at: true,
  completed_at: true,
  deleted_at: true,
  created_at: true,
  updated_at: true,
  stop_company_on_reply: true,
  starts_on_interests: true,
  starts_on_campaign_id: true,
  starts_after_days: true,
  starts_since: true,
  auto_winner: true,
} satisfies Record<keyof Campaign, true>) as (keyof Campaign)[];
