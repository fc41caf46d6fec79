/** Events that clients may hear of, with the words that the document and docs/webhooks.md have. Choice 45. */
import type { EventPayloads } from './event-payloads.ts';

export type EventType = keyof EventPayloads;

/** When each happens. */
export const EVENTS: { readonly [T in EventType]: string } = {
  'lead_process.completed': 'a discovery ended',
  'lead_process.failed': 'a discovery was given up (cancelling one is no event)',
  'maps_run.completed': 'a map run ended',
  'maps_run.failed': 'a map run was given up',
  'cluster.active': 'a cluster was provisioned',
  'cluster.failed': 'a cluster was given up',
  'cluster.sending_held': 'messages of a cluster cannot leave, or a blocklist has its address',
  'cluster.sending_resumed': 'what kept a cluster from sending is gone',
  'cluster.disk_filling':
    'the disk of a cluster’s server fills up: mailboxes can be emptied or deleted',
  'mailbox.connected': 'a connected mailbox is proven: it sends, and is read',
  'mailbox.connection_failed': 'a mailbox could not be connected, or not with its new login',
  'mailbox.created': 'a mailbox can be used',
  'mailbox.health_changed': 'the health of a mailbox changed',
  'campaign.started': 'a campaign was started',
  'campaign.paused': 'a campaign was paused, by a person or by its own rules',
  'campaign.completed': 'a campaign has nothing left to send',
  'campaign.variant_won':
    'one text of a message has more answers than all others, and alone is used',
  'placement_test.completed': 'it is known where the message of a placement test landed',
  'email.sent': 'a message was accepted by the mail host',
  'email.opened': 'a person opened a message for the first time, where its campaign tracks it',
  'email.clicked': 'a person clicked in a message for the first time, where its campaign tracks it',
  'email.bounced': 'a message came back',
  'email.rejected': 'a message was refused as spam or by a policy',
  'email.replied': 'a person answered',
  'email.auto_replied': 'a machine answered',
  'email.unsubscribed': 'a recipient wants no more messages',
  'email.complained': 'a message was reported as spam',
  'suppression.lifted': 'a recipient has taken an unsubscription back',
  'message.received': 'an answer of a lead came in: the first one, or any other',
  'message.interest_changed': 'what an answer means was corrected, or judged later',
  'domain.expiring': 'a domain ends soon',
  'domain.order_rejected':
    'a registry refused a registration or renewal after it had been accepted',
  'domain.dns_failing': 'a domain lacks DNS records that it needs to send',
  'domain.alignment_failing': 'others report that messages of our own server fail DMARC',
  'tracking_domain.active': 'links of new messages are on a domain of the client',
  'tracking_domain.failing':
    'a tracking domain stopped working: links of new messages are on the installation’s own name',
  'sending.paused': 'too many messages were refused as spam or by a policy',
  'wallet.credited': 'money came in',
  'wallet.low_balance': 'what is available fell below the threshold',
  'wallet.auto_recharge_stopped': 'automatic recharges stopped, or reached the limit of the month',
  'api_key.rotated': 'an API key has a new secret',
  'webhook.disabled': 'an endpoint took nothing for days, or answered 410',
};

export const EVENT_TYPES = Object.keys(EVENTS) as readonly EventType[];

/** An event that is about to be written; each type with what it tells. */
export type NewEvent = {
  [T in EventType]: {
    userId: string;
    type: T;
    /** `campaign/7`, `lead/12`: events of one resource are delivered in order. */
    resource: string;
    payload: EventPayloads[T];
  };
}[EventType];
