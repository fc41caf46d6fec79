/** Row shapes of campaigns, recipients and sends. */
import type { ColumnType, Generated } from 'kysely';
import type { RiskyKind } from '../../domain/campaigns/address-risk.ts';
import type {
  CampaignStatus,
  HoldReason,
  PauseReason,
  RecipientStatus,
  SendState,
  StepVariant,
  Weekday,
} from '../../domain/campaigns/campaigns.ts';
import type { NumberedText } from '../../domain/campaigns/step-texts.ts';
import type { CampaignAnswerColumns, CampaignAnswerTables } from './answer-tables.ts';

type CreatedAt = ColumnType<Date, never, never>;
type UpdatedAt = ColumnType<Date, never, Date>;

export interface CampaignsTable extends CampaignAnswerColumns {
  id: ColumnType<number, never, never>;
  user_id: string;
  name: string;
  status: Generated<CampaignStatus>;
  pause_reason: PauseReason | null;
  archived: Generated<boolean>;
  /** Null: the language of its messages. */
  language: string | null;
  timezone: string;
  active_days: Weekday[];
  start_time: string;
  end_time: string;
  max_followups: number;
  followup_delay_days: number;
  track_opens: Generated<boolean>;
  track_clicks: Generated<boolean>;
  /** Null: links are on the installation's own name. */
  tracking_domain_id: Generated<number | null>;
  /** No HTML part, and so no tracking. */
  text_only: Generated<boolean>;
  min_validation_score: number | null;
  held_addresses: Generated<RiskyKind[]>;
  /** Null: any number. */
  max_new_leads_per_day: Generated<number | null>;
  /** Per cent of what its mailboxes may send a day; null: all of it. */
  new_lead_share: Generated<number | null>;
  use_recipient_timezone: Generated<boolean>;
  /** Who waits for a window of before is not looked at again yet. */
  times_changed_at: Generated<Date | null>;
  /** What follows in portions: the last lead that was looked at, or positions of changed delays; null: nothing. */
  lists_enrolled_to: Generated<number | null>;
  holds_taken_up_to: Generated<number | null>;
  followups_planned_to: Generated<number | null>;
  recipients_removed_to: Generated<number | null>;
  followups_to_plan: Generated<number[] | null>;
  /** Excludes people whom the account has written to before. */
  only_never_contacted: Generated<boolean>;
  /** How many workflows it has had: the next one's id is `campaign/<id>/<run>` from the second on. */
  run: Generated<number>;
  /** A warning for the user while it runs, such as 2 % bounces. */
  warning: string | null;
  /** Number of bounces when the health check paused it: whoever resumes it accepts these. */
  accepted_bounces: Generated<number>;
  accepted_complaints: Generated<number>;
  started_at: Date | null;
  paused_at: Date | null;
  completed_at: Date | null;
  /** Its messages are kept: their links and the limits of their mailboxes depend on them. */
  deleted_at: Date | null;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
}

/** Kept by a trigger of `recipients`. */
export interface CampaignSizesTable {
  campaign_id: number;
  leads: number;
}

export interface CampaignStepsTable {
  campaign_id: number;
  position: number;
  /** Null: the campaign's. */
  delay_days: number | null;
  subject_template: string | null;
  body_template: string;
  variants: ColumnType<StepVariant[], string | undefined, string>;
  /** The numbers of its texts, its own first; null: 0, 1, 2, ... */
  text_numbers: Generated<number[] | null>;
  /** Texts that were sent and have been removed since, newest last. */
  retired_texts: ColumnType<NumberedText[], string | undefined, string>;
}

export interface CampaignMailboxesTable {
  campaign_id: number;
  mailbox_id: number;
  /** Why it sends no more first messages for this campaign. */
  out_reason: string | null;
  out_at: Date | null;
  /** When it last sent for this campaign; the campaign served longest ago comes next. */
  served_at: Date | null;
  /** Until then the campaign waits for its slot. */
  wants_until: Date | null;
}

export interface CampaignListsTable {
  campaign_id: number;
  lead_list_id: number;
}

export interface RecipientsTable {
  campaign_id: number;
  lead_id: number;
  user_id: string;
  status: Generated<RecipientStatus>;
  /** The position of the next message. */
  step: Generated<number>;
  /** When the next message is due at the earliest; null = none. */
  due_at: Date | null;
  /** While it is paused: when the next message is due; otherwise meaningless. */
  paused_due_at: Generated<Date | null>;
  /** Chosen with the first message, kept for the thread. */
  mailbox_id: number | null;
  hold_reason: HoldReason | null;
  added_at: CreatedAt;
  updated_at: UpdatedAt;
}

/** Subjects that get no messages until then, since too many were refused as spam or by a policy. */
export interface SendingPausesTable {
  id: ColumnType<number, never, never>;
  user_id: string;
  scope: 'mailbox' | 'domain' | 'server' | 'provider';
  subject: string;
  letters: number;
  rejected: number;
  /** The server's words about the last refusal. */
  words: string;
  since: Date;
  until: Date;
}

export interface SendsTable {
  id: ColumnType<number, never, never>;
  user_id: string;
  campaign_id: number;
  /** `-id` of the row: its lead has another address since, and starts over with that. */
  lead_id: number;
  /** The lead it belonged to before. */
  former_lead_id: Generated<number | null>;
  step: number;
  variant: Generated<number>;
  mailbox_id: number;
  recipient_domain: string;
  /** Key of the address it goes to; the lead's address may have changed since. Null: erased. */
  email_key: Generated<string | null>;
  /** With angle brackets; the same at every attempt. */
  message_id: string;
  /** As it was sent: follow-ups use it in their replies. */
  subject: Generated<string>;
  state: SendState;
  attempts: Generated<number>;
  /** Which attempt of the session holds it; no other attempt may continue it. */
  claimed_by: string;
  claimed_at: Date;
  sent_at: Date | null;
  smtp_reply: string | null;
  opened_at: Date | null;
  clicked_at: Date | null;
  /** By a program: a scanner, or a mail program that fetches ahead. */
  machine_opened_at: Date | null;
  machine_clicked_at: Date | null;
  replied_at: Date | null;
  auto_replied_at: Date | null;
  bounced_at: Date | null;
  /** A report of 4.x.x: delayed, or given up without a verdict on the address. */
  soft_bounced_at: Date | null;
  expired_at: Generated<Date | null>;
  /** Refused as spam or by a policy, with the server's words. */
  rejected_at: Date | null;
  rejection: string | null;
  complained_at: Date | null;
  unsubscribed_at: Date | null;
}

/** The text of every message whose delivery was begun. */
export interface SendTextsTable {
  send_id: number;
  from_name: string;
  to_address: string;
  subject: string;
  body_text: string;
  /** Oldest first. */
  reference_ids: string[];
  /** The message's Date header. */
  written_at: Date;
}

/** A link or the tracking pixel ('') of a message was fetched; whether by a person is decided later. */
export interface LinkFetchesTable {
  send_id: number;
  target: string;
  /** Whole seconds. */
  at: Date;
  /** By its user agent. */
  is_machine: boolean;
  is_judged: Generated<boolean>;
}

/** The mail provider of a domain whose name does not tell it. */
export interface RecipientProvidersTable {
  domain: string;
  provider: string;
  seen_at: Generated<Date>;
}

export interface CampaignCountersTable {
  campaign_id: number;
  /** `YYYY-MM-DD`, UTC. */
  day: ColumnType<string, string, never>;
  step: number;
  variant: number;
  sent: Generated<number>;
  failed: Generated<number>;
  uncertain: Generated<number>;
  opened: Generated<number>;
  clicked: Generated<number>;
  replied: Generated<number>;
  auto_replied: Generated<number>;
  bounced: Generated<number>;
  unsubscribed: Generated<number>;
  complained: Generated<number>;
  rejected: Generated<number>;
  machine_opened: Generated<number>;
  machine_clicked: Generated<number>;
}

export interface CampaignTables extends CampaignAnswerTables {
  campaigns: CampaignsTable;
  campaign_sizes: CampaignSizesTable;
  campaign_steps: CampaignStepsTable;
  campaign_mailboxes: CampaignMailboxesTable;
  campaign_lists: CampaignListsTable;
  recipients: RecipientsTable;
  sends: SendsTable;
  sending_pauses: SendingPausesTable;
  send_texts: SendTextsTable;
  campaign_counters: CampaignCountersTable;
  link_fetches: LinkFetchesTable;
  recipient_providers: RecipientProvidersTable;
}
