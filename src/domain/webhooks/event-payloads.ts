/**
 * The payload (`data`) of each event: ids, states, times and amounts; never a secret, never a message's text.
 * Times are ISO 8601 UTC. A contract with clients: a field may be added, none removed or changed. Choice 45.
 */
import type { Interest, InterestJudge } from '../inbox/interest/interest.ts';
import type { PauseReason } from '../campaigns/campaigns.ts';
import type { WinnerFigures } from '../campaigns/variant-winner.ts';
import type { SendingHold } from '../clusters/sending-hold.ts';
import type { TrackingDomainFacts } from '../domains/tracking-domains.ts';
import type { AnswerKind } from '../inbox/inbox.ts';
import type { PlacementTestEnd } from '../placement/test-end.ts';
import type { StopReason } from '../wallet/auto-recharge.ts';

/**
 * By type. A new one requires its description (`EVENTS` in `events.ts`) and its schema
 * (`src/routes/webhooks/event-schemas.ts`) to compile.
 */
export interface EventPayloads {
  'lead_process.completed': ProcessEnd;
  'lead_process.failed': ProcessEnd;
  'maps_run.completed': MapsRunEnd;
  'maps_run.failed': MapsRunEnd;
  'cluster.active': ClusterEnd;
  'cluster.failed': ClusterEnd;
  'cluster.sending_held': SendingHeld;
  'cluster.sending_resumed': SendingResumed;
  'cluster.disk_filling': SendingResumed & { usedPercent: number };
  'mailbox.created': { mailboxId: number; clusterId: number; email: string };
  'mailbox.connected': { mailboxId: number; email: string };
  'mailbox.connection_failed': { mailboxId: number; email: string; errorCode: string };
  'mailbox.health_changed': MailboxHealth;
  'campaign.started': CampaignFacts & { status: 'active' };
  'campaign.paused': CampaignFacts & { status: 'paused'; pauseReason: PauseReason | null };
  'campaign.completed': CampaignFacts & { status: 'completed' };
  'campaign.variant_won': VariantWon;
  'placement_test.completed': PlacementTestEnd;
  'email.sent': SendFacts;
  'email.opened': SendFacts;
  'email.clicked': SendFacts & { url: string };
  'email.bounced': SendFacts & { isPermanent: boolean; status?: string | undefined };
  'email.rejected': SendFacts & { status?: string | undefined; words?: string | undefined };
  'email.replied': SendFacts;
  'email.auto_replied': SendFacts;
  'email.unsubscribed': SendFacts;
  'email.complained': SendFacts;
  'suppression.lifted': SendFacts & { suppressionId: number; reason: 'unsubscribe' };
  'message.received': AnswerReceived;
  'message.interest_changed': InterestChange;
  'domain.expiring': DomainExpiry;
  'domain.order_rejected': RejectedDomainOrder;
  'domain.dns_failing': DomainFailure;
  'domain.alignment_failing': AlignmentFailure;
  'tracking_domain.active': TrackingDomainFacts;
  'tracking_domain.failing': TrackingDomainFacts & { errorCode: string };
  'sending.paused': SendingPause;
  'wallet.credited': {
    amountCents: number;
    availableCents: number;
    referenceType: string;
    referenceId: string;
  };
  'wallet.low_balance': { availableCents: number; thresholdCents: number };
  'wallet.auto_recharge_stopped': AutoRechargeStop;
  'api_key.rotated': { keyId: string; previousKeyExpiresAt: string };
  'webhook.disabled': {
    webhookId: number;
    /** `gone`: it answered 410; `failing`: it accepted nothing for days. */
    reason: 'gone' | 'failing';
    failingSince: string | null;
    disabledAt: string;
  };
}

interface ProcessEnd {
  processId: number;
  status: 'completed' | 'failed';
  leadListId: number | null;
  foundLeads: number;
  errorCode: string | null;
}

interface MapsRunEnd {
  runId: number;
  status: 'completed' | 'failed';
  message: string | null;
  errorCode: string | null;
  savedItems: number;
  enrichedItems: number;
}

interface ClusterEnd {
  clusterId: number;
  status: 'active' | 'failed';
  errorCode: string | null;
}

interface SendingResumed {
  clusterId: number;
  /** Of its server. */
  address: string | null;
  at: string;
}

interface SendingHeld extends SendingResumed {
  reason: SendingHold;
  /** The blocklists that have the address. */
  lists: string[];
}

export interface MailboxHealth {
  mailboxId: number;
  email: string;
  /** What was checked: each has a health of its own. */
  aspect: 'sending' | 'warmup' | 'sync';
  /** `failing`: nothing works until something changes. `unknown`: nothing is wrong, and nothing is proven. */
  health: 'unknown' | 'healthy' | 'throttled' | 'quarantined' | 'failing';
  /** Why it is not healthy, in the words of that aspect. */
  reason: string | null;
  /** Warm-up's, 0-100. */
  healthScore: number | null;
  at: string;
}

export interface CampaignFacts {
  campaignId: number;
  name: string;
  at: string;
}

interface VariantWon extends WinnerFigures {
  campaignId: number;
  name: string;
  step: number;
  /** The number of the text. */
  variant: number;
  at: string;
}

/** Of a campaign's message to a lead. */
export interface SendFacts {
  campaignId: number;
  leadId: number;
  mailboxId: number;
  sendId: number;
  /** 0 is the first message, the others are follow-ups. */
  step: number;
  /** With angle brackets. */
  messageId: string;
  at: string;
}

interface AnswerReceived {
  inboxId: number;
  threadId: number;
  kind: AnswerKind;
  campaignId: number;
  leadId: number | null;
  mailboxId: number;
  sendId: number;
  /** Null for what is no person's answer, and where nobody is sure. */
  interest: Interest | null;
  at: string;
}

interface InterestChange {
  inboxId: number;
  threadId: number;
  campaignId: number | null;
  leadId: number | null;
  mailboxId: number;
  interest: Interest | null;
  interestBefore: Interest | null;
  interestBy: InterestJudge;
  at: string;
}

/** Additional content of `message.received` where an endpoint asks for it. */
export interface AnswerContent {
  from: string;
  fromName: string | null;
  subject: string;
  /** The first 200 characters. */
  snippet: string;
}

interface DomainExpiry {
  domainId: number;
  domain: string;
  expiresAt: string;
  autoRenew: boolean;
  /** The error code of the failed or blocked renewal. */
  renewalError: string | null;
}

interface RejectedDomainOrder {
  domainId: number;
  domain: string;
  order: 'registration' | 'renewal';
  /** What went back to the wallet. */
  refundedCents: number;
  /** Of a renewal: when the domain ends now. */
  expiresAt: string | null;
  at: string;
}

interface DomainFailure {
  domainId: number;
  domain: string;
  /** The mailboxes excluded because of it. */
  mailboxIds: number[];
  /** Where the daily check found it: the failing checks. */
  checks?: string[] | undefined;
  at: string;
}

interface AutoRechargeStop {
  reason: StopReason;
  /** The attempt that failed, if there was one. */
  rechargeId: number | null;
  /** What the next recharge would have been. */
  amountCents: number;
  /** The bank's word for a refusal, where it may be told. */
  declineCode: string | null;
  /** When it goes on by itself; null: once `autoRecharge` is set again. */
  resumesAt: string | null;
}

interface AlignmentFailure {
  domainId: number;
  domain: string;
  /** Addresses of our own server. */
  sources: string[];
  /** Messages of them in the reports of the last days, and how many of them fail DMARC. */
  messages: number;
  failed: number;
  /** Organizations that report a failure. */
  reporters: number;
  at: string;
}

interface SendingPause {
  /** `mailbox`, `domain`, `server`: ours; `provider`: that of the recipients. */
  scope: 'mailbox' | 'domain' | 'server' | 'provider';
  subject: string;
  letters: number;
  rejected: number;
  /** Of the last refusal. */
  words: string;
  until: string;
}
