/** The wire shape of each event's data; the types are those of `EventPayloads`. Choice 45. */
import { z } from 'zod';
import { PAUSE_REASONS } from '../../domain/campaigns/campaigns.ts';
import { SENDING_HOLDS } from '../../domain/clusters/sending-hold.ts';
import { ANSWER_KINDS } from '../../domain/inbox/inbox.ts';
import { INTERESTS, INTEREST_JUDGES } from '../../domain/inbox/interest/interest.ts';
import { STOP_REASONS } from '../../domain/wallet/auto-recharge.ts';
import type { AnswerContent, EventPayloads } from '../../domain/webhooks/event-payloads.ts';
import { EVENT_TYPES, EVENTS, type EventType } from '../../domain/webhooks/events.ts';
import { DISABLED_REASONS } from '../../domain/webhooks/webhook-health.ts';
import { timestamp } from '../../http/schemas.ts';
import type { DocumentedWebhook } from '../../http/openapi.ts';
import { variantWon } from '../campaigns/campaign-winner-shapes.ts';
import { trackingDomainFacts, trackingDomainFailure } from '../domains/tracking-domain-events.ts';
import { placementTestEnd } from '../placement/test-end.ts';

const id = z.int();
const cents = z.int();
const count = z.int();
const at = timestamp;
const errorCode = z.string().nullable();

const mailbox = z.object({ mailboxId: id, email: z.string() });

const processEnd = z.object({
  processId: id,
  status: z.enum(['completed', 'failed']),
  leadListId: id.nullable(),
  foundLeads: count,
  errorCode,
});

const mapsRunEnd = z.object({
  runId: id,
  status: z.enum(['completed', 'failed']),
  message: z.string().nullable(),
  errorCode,
  savedItems: count,
  enrichedItems: count,
});

const clusterEnd = z.object({ clusterId: id, status: z.enum(['active', 'failed']), errorCode });

const sendingResumed = z.object({
  clusterId: id,
  address: z.string().nullable().meta({ description: 'Of its server' }),
  at,
});

const campaign = z.object({ campaignId: id, name: z.string() });

const send = z.object({
  campaignId: id,
  leadId: id,
  mailboxId: id,
  sendId: id,
  step: z.int().meta({ description: '0 is the first message, the others are follow-ups' }),
  messageId: z.string().meta({ description: 'The Message-ID, with angle brackets' }),
  at,
});
const status = z.string().optional().meta({ description: 'Of the server: `550 5.1.1`, `5.1.1`' });

/** By event type; a missing or wrongly typed field does not compile. */
export const eventData = {
  'lead_process.completed': processEnd,
  'lead_process.failed': processEnd,
  'maps_run.completed': mapsRunEnd,
  'maps_run.failed': mapsRunEnd,
  'cluster.active': clusterEnd,
  'cluster.failed': clusterEnd,
  'cluster.sending_held': sendingResumed.extend({
    reason: z.enum(SENDING_HOLDS),
    lists: z.array(z.string()).meta({ description: 'The blocklists that have the address' }),
  }),
  'cluster.sending_resumed': sendingResumed,
  'cluster.disk_filling': sendingResumed.extend({
    usedPercent: z.int().meta({ description: 'Of its disk, from 85 on' }),
  }),
  'mailbox.created': z.object({ mailboxId: id, clusterId: id, email: z.string() }),
  'mailbox.connected': mailbox,
  'mailbox.connection_failed': mailbox.extend({ errorCode: z.string() }),
  'mailbox.health_changed': z.object({
    mailboxId: id,
    email: z.string(),
    aspect: z
      .enum(['sending', 'warmup', 'sync'])
      .meta({ description: 'What was checked: each has a health of its own' }),
    health: z.enum(['unknown', 'healthy', 'throttled', 'quarantined', 'failing']),
    reason: z.string().nullable(),
    healthScore: z.number().nullable().meta({ description: "Warm-up's, 0 to 100" }),
    at,
  }),
  'campaign.started': campaign.extend({ status: z.literal('active'), at }),
  'campaign.paused': campaign.extend({
    status: z.literal('paused'),
    pauseReason: z.enum(PAUSE_REASONS).nullable(),
    at,
  }),
  'campaign.completed': campaign.extend({ status: z.literal('completed'), at }),
  'campaign.variant_won': variantWon,
  'placement_test.completed': placementTestEnd,
  'email.sent': send,
  'email.opened': send,
  'email.clicked': send.extend({ url: z.string() }),
  'email.bounced': send.extend({
    isPermanent: z.boolean().meta({ description: 'False: the address is not suppressed' }),
    status,
  }),
  'email.rejected': send.extend({
    status,
    words: z.string().optional().meta({ description: 'Of the server, without addresses' }),
  }),
  'email.replied': send,
  'email.auto_replied': send,
  'email.unsubscribed': send,
  'email.complained': send,
  'suppression.lifted': send.extend({ suppressionId: id, reason: z.literal('unsubscribe') }),
  'message.received': z.object({
    inboxId: id.meta({ description: '`GET /v1/inbox/{id}`' }),
    threadId: id,
    kind: z.enum(ANSWER_KINDS),
    campaignId: id,
    leadId: id.nullable(),
    mailboxId: id,
    sendId: id,
    interest: z.enum(INTERESTS).nullable(),
    at,
  }),
  'message.interest_changed': z.object({
    inboxId: id,
    threadId: id,
    campaignId: id.nullable(),
    leadId: id.nullable(),
    mailboxId: id,
    interest: z.enum(INTERESTS).nullable(),
    interestBefore: z.enum(INTERESTS).nullable(),
    interestBy: z.enum(INTEREST_JUDGES),
    at,
  }),
  'domain.expiring': z.object({
    domainId: id,
    domain: z.string(),
    expiresAt: timestamp,
    autoRenew: z.boolean(),
    renewalError: z
      .string()
      .nullable()
      .meta({ description: 'The code by which the renewal failed or is blocked' }),
  }),
  'domain.order_rejected': z.object({
    domainId: id,
    domain: z.string(),
    order: z.enum(['registration', 'renewal']),
    refundedCents: z.int().meta({ description: 'What went back to the wallet' }),
    expiresAt: timestamp.nullable().meta({ description: 'Of a renewal: when the domain ends now' }),
    at,
  }),
  'domain.dns_failing': z.object({
    domainId: id,
    domain: z.string(),
    mailboxIds: z.array(id).meta({ description: 'Mailboxes that are taken out for it' }),
    checks: z
      .array(z.string())
      .optional()
      .meta({ description: 'Where the daily check found it: the checks that fail' }),
    at,
  }),
  'domain.alignment_failing': z.object({
    domainId: id,
    domain: z.string(),
    sources: z.array(z.string()).meta({ description: 'Addresses of our own server' }),
    messages: count.meta({ description: 'Of these addresses, in the reports of the last 7 days' }),
    failed: count.meta({ description: 'How many of them fail DMARC' }),
    reporters: count.meta({ description: 'Organizations that report a failure' }),
    at,
  }),
  'tracking_domain.active': trackingDomainFacts,
  'tracking_domain.failing': trackingDomainFailure,
  'sending.paused': z.object({
    scope: z
      .enum(['mailbox', 'domain', 'server', 'provider'])
      .meta({ description: '`provider`: that of the recipients; the others are ours' }),
    subject: z.string(),
    letters: count,
    rejected: count,
    words: z.string().meta({ description: 'Of the last refusal' }),
    until: timestamp,
  }),
  'wallet.credited': z.object({
    amountCents: cents,
    availableCents: cents,
    referenceType: z.string(),
    referenceId: z.string(),
  }),
  'wallet.low_balance': z.object({ availableCents: cents, thresholdCents: cents }),
  'wallet.auto_recharge_stopped': z.object({
    reason: z.enum(STOP_REASONS),
    rechargeId: id.nullable(),
    amountCents: cents,
    declineCode: z.string().nullable(),
    resumesAt: timestamp.nullable(),
  }),
  'api_key.rotated': z.object({ keyId: z.string(), previousKeyExpiresAt: timestamp }),
  'webhook.disabled': z.object({
    webhookId: id,
    reason: z.enum(DISABLED_REASONS),
    failingSince: timestamp.nullable(),
    disabledAt: timestamp,
  }),
} satisfies { readonly [T in EventType]: z.ZodObject & z.ZodType<EventPayloads[T]> };

/** Added to `message.received` where the endpoint has `includeContent`. */
export const answerContent = z.object({
  from: z.string(),
  fromName: z.string().nullable(),
  subject: z.string(),
  snippet: z.string().meta({ description: 'The first 200 characters' }),
}) satisfies z.ZodType<AnswerContent>;

/** The body that is posted for an event of this type. */
const posted = (type: EventType) =>
  z.object({
    id: z.string().meta({ description: '`evt_<number>`, the same at every attempt' }),
    type: z.literal(type),
    createdAt: timestamp,
    resource: z.string().meta({ description: 'Its events come in order: `lead/12`' }),
    data:
      type === 'message.received'
        ? eventData[type].extend(answerContent.partial().shape)
        : eventData[type],
  });

const headers = z.object({
  'X-Outreach-Signature': z
    .string()
    .meta({ description: '`t=<seconds>,v1=<hex>`: an HMAC-SHA-256 of `<t>.<body>`' }),
  'webhook-id': z.string(),
  'webhook-timestamp': z.string(),
  'webhook-signature': z.string().meta({ description: 'As defined by Standard Webhooks' }),
});

/** The section `webhooks` of the OpenAPI document. */
export const documentedWebhooks: readonly DocumentedWebhook[] = EVENT_TYPES.map((type) => ({
  name: type,
  tag: 'Webhooks',
  summary: `Told when ${EVENTS[type]}.`,
  headers,
  body: posted(type),
}));
