/** Terms of placement tests: where a campaign's message lands in seed mailboxes. Choices 123, 124. */
import { MAIL_PRESET_NAMES, type MailServer } from '../mailboxes/mail-servers.ts';

/** Whose mailbox a seed is; `other`: a provider without a name here. */
export const SEED_PROVIDERS = [...MAIL_PRESET_NAMES, 'other'] as const;
export type SeedProvider = (typeof SEED_PROVIDERS)[number];

/** Of one account, and so of one test: each message counts toward a mailbox's day. */
export const MAX_SEEDS = 30;

/** Of one account: seeds are addresses that nobody has proven to be its own. */
export const TESTS_AN_HOUR = 20;
export const MOST_TESTS_AT_ONCE = 5;

export const PLACEMENT_TEST_STATUSES = ['processing', 'completed', 'failed', 'cancelled'] as const;
export type PlacementTestStatus = (typeof PLACEMENT_TEST_STATUSES)[number];

/** Of the message to one seed; `uncertain`: it may have arrived. docs/sending-rules.md#send-once. */
export const PLACEMENT_MESSAGE_STATES = [
  'waiting',
  'claimed',
  'sending',
  'sent',
  'refused',
  'uncertain',
  'cancelled',
] as const;
export type PlacementMessageState = (typeof PLACEMENT_MESSAGE_STATES)[number];

/**
 * Where it landed. `other`: in a folder that is neither inbox nor spam, as where the seed's owner sorts; `missing`: in
 * none in time; `failed`: nothing is known of it.
 */
export const PLACEMENT_OUTCOMES = ['inbox', 'spam', 'other', 'missing', 'failed'] as const;
export type PlacementOutcome = (typeof PLACEMENT_OUTCOMES)[number];

/** `unknown`: no message was seen, or missed. */
export const PLACEMENT_VERDICTS = ['good', 'bad', 'unknown'] as const;
export type PlacementVerdict = (typeof PLACEMENT_VERDICTS)[number];

/** A test is bad when fewer land in the inbox, where its order says nothing else. */
export const MIN_INBOX_PERCENT = 80;

/** A seed as its owner names it; `password` is a secret. */
export interface SeedOrder {
  address: string;
  provider: SeedProvider;
  username: string;
  imap: MailServer;
  password: string;
}

/** What is tested, as a request or a schedule names it. */
export interface PlacementTestOrder {
  campaignId: number;
  /** 0 is the first message. */
  step: number;
  /** 0 is the step's own text; left out: the one that the lead would get. */
  variant?: number | undefined;
  /** Whose fields the message has; left out: the campaign's first lead, or a made-up person. */
  leadId?: number | undefined;
  /** Left out: the campaign's mailbox that was tested longest ago. */
  mailboxId?: number | undefined;
  /** Left out: all of the account. */
  seedIds?: number[] | undefined;
  minInboxPercent: number;
  /** A bad verdict pauses the campaign. */
  holdOnBadPlacement: boolean;
}

/** Why nothing is known of a message, beside what a login may answer. */
export type PlacementProblem =
  | 'SEED_DELETED'
  | 'SEED_BUSY'
  | 'SEED_SILENT'
  | 'RECIPIENT_SUPPRESSED'
  | 'MAILBOX_LIMIT'
  | 'MAILBOX_HELD'
  | 'MESSAGE_REFUSED'
  | 'MESSAGE_DEFERRED'
  | 'DELIVERY_UNCERTAIN';
