/** Words for campaigns: states, recipients and why one waits. Choices 7, 9, 11. */

/** Choice 7: `draft → active → completed`, `active ⇄ paused`, any non-final → `cancelled`. */
export const CAMPAIGN_STATUSES = ['draft', 'active', 'paused', 'completed', 'cancelled'] as const;
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];

/** Choice 7: why a campaign is paused. */
export const PAUSE_REASONS = [
  'user',
  'bounce_rate',
  'complaint_rate',
  'no_mailbox',
  'dns_failing',
  'insufficient_data',
  'bad_placement',
] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

/** Choice 9: the state of a lead in a campaign. */
export const RECIPIENT_STATUSES = [
  'queued',
  'in_progress',
  'completed',
  'replied',
  'bounced',
  'unsubscribed',
  'skipped',
  'paused',
  'failed',
  'removed',
] as const;
export type RecipientStatus = (typeof RECIPIENT_STATUSES)[number];

/** What a client may ask for one lead of a campaign. */
export type RecipientRequest = 'pause' | 'resume' | 'remove';

/**
 * Why a recipient is not written to now, or never: one word per reason, so that "why was this lead not
 * mailed?" has one answer. Null: only the due time holds it back.
 */
export const HOLD_REASONS = [
  'campaign_not_started',
  'campaign_paused',
  'campaign_cancelled',
  'outside_window',
  'mailbox_limit',
  'recipient_domain_limit',
  'warming_up',
  'no_mailbox',
  'mailbox_failing',
  'soft_bounce',
  'auto_reply',
  'delivery_uncertain',
  'delivery_refused',
  'policy_rejection',
  'provider_rejects',
  'suppressed',
  'no_email',
  'invalid_email',
  'catch_all_address',
  'unknown_address',
  'role_address',
  'score_too_low',
  'template_failed',
  'complained',
  'erased',
  'in_other_campaign',
  'duplicate_address',
  'already_contacted',
  'not_added',
  'template_empty',
  'needs_review',
  'lead_paused',
  'removed',
  'new_lead_limit',
  'contacted_before',
  'undelivered',
  'company_replied',
] as const;
export type HoldReason = (typeof HOLD_REASONS)[number];

/** The intent to send, or its result. docs/sending-rules.md#send-once. */
export type SendState = 'claimed' | 'sending' | 'sent' | 'deferred' | 'refused' | 'uncertain';

/** Choice 11: Monday first. */
export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** When a campaign may send. `endTime` before `startTime` is a window over midnight. Choice 12. */
export interface SendWindow {
  /** IANA name. */
  timezone: string;
  activeDays: readonly Weekday[];
  /** `HH:mm`, 24 h. */
  startTime: string;
  endTime: string;
}

/** One of the texts among which a step varies. */
export interface StepVariant {
  subjectTemplate?: string | undefined;
  bodyTemplate: string;
}

/** A message as it is stored; a null delay follows the campaign's delay, including later changes. */
export type WrittenStep = Omit<CampaignStep, 'delayDays'> & { delayDays: number | null };

/** One message of the sequence; position 0 is the first. */
export interface CampaignStep {
  position: number;
  /** Days after the message before. */
  delayDays: number;
  /** Null on a follow-up: it answers in the thread, with `Re:`. Otherwise it starts a new thread. */
  subjectTemplate: string | null;
  bodyTemplate: string;
  /** The texts in addition to the step's own, which is variant 0. */
  variants: readonly StepVariant[];
  /** The numbers under which its texts are counted, its own first; absent: 0, 1, 2, ... Choice 68. */
  numbers?: readonly number[] | undefined;
  /** The number of the text that alone is used; null: somebody wants all of them. Choice 127. */
  winner?: number | null | undefined;
}
