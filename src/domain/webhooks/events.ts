/** Events that clients may hear of. Choice 45. */

export const EVENT_TYPES = [
  'lead_process.completed',
  'lead_process.failed',
  'maps_run.completed',
  'maps_run.failed',
  'cluster.active',
  'cluster.failed',
  'mailbox.created',
  'mailbox.health_changed',
  'campaign.started',
  'campaign.paused',
  'campaign.completed',
  'email.sent',
  'email.opened',
  'email.clicked',
  'email.bounced',
  'email.rejected',
  'email.replied',
  'email.auto_replied',
  'email.unsubscribed',
  'email.complained',
  'message.received',
  'domain.expiring',
  'domain.dns_failing',
  'sending.paused',
  'wallet.credited',
  'wallet.low_balance',
  'api_key.rotated',
  'webhook.disabled',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** An event that is about to be written with what it tells. */
export interface NewEvent {
  userId: string;
  type: EventType;
  /** `campaign/7`, `lead/12`: events of one resource are delivered in order. */
  resource: string;
  /** Ids, states, times and amounts; never a secret, never a message's text. */
  payload: Record<string, unknown>;
}
