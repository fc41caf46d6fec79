/** The wire shapes of webhooks, deliveries and events. Choice 45. */
import { z } from 'zod';
import { MODES } from '../../domain/accounts/modes.ts';
import { EVENT_TYPES } from '../../domain/webhooks/events.ts';
import { DISABLED_REASONS } from '../../domain/webhooks/webhook-health.ts';
import { DELIVERY_STATES, eventId } from '../../domain/webhooks/webhooks.ts';
import { timestamp } from '../../http/schemas.ts';
import type { Delivery, Webhook } from '../../services/webhooks/webhooks.ts';

export const webhook = z
  .object({
    id: z.int(),
    url: z.string(),
    events: z.array(z.string()).meta({ description: 'Event types; `*` is all of them' }),
    description: z.string().nullable(),
    isActive: z.boolean(),
    failingSince: timestamp.nullable().meta({
      description: 'The first failed attempt since the last success; null while deliveries succeed',
    }),
    disabledAt: timestamp
      .nullable()
      .meta({ description: 'When the service set `isActive` to false; null when it did not' }),
    disabledReason: z.enum(DISABLED_REASONS).nullable().meta({
      description: '`gone`: it answered 410. `failing`: it took nothing for days',
    }),
    includeContent: z.boolean().meta({
      description: '`message.received` tells sender, subject and snippet as well',
    }),
    previousSecretExpiresAt: timestamp
      .nullable()
      .meta({ description: 'Until then the secret from before the rotation signs as well' }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Webhook' });

/** The answer of a creation and of a rotation. */
export const webhookWithSecret = webhook.extend({
  secret: z.string().meta({ description: 'Shown this once' }),
});

export const delivery = z
  .object({
    id: z.int(),
    webhookId: z.int(),
    eventId: z.string(),
    eventType: z.enum(EVENT_TYPES),
    resource: z.string(),
    state: z.enum(DELIVERY_STATES),
    attempts: z.int(),
    nextAttemptAt: timestamp
      .nullable()
      .meta({ description: 'Null at the end, and while an earlier event of the resource waits' }),
    lastStatus: z.int().nullable(),
    lastError: z.string().nullable(),
    deliveredAt: timestamp.nullable(),
    createdAt: timestamp,
  })
  .meta({ id: 'WebhookDelivery' });

export const event = z
  .object({
    id: z.string(),
    type: z.enum(EVENT_TYPES),
    createdAt: timestamp,
    mode: z.enum(MODES).describe('`test`: it happened in the sandbox.'),
    resource: z.string(),
    data: z
      .record(z.string(), z.unknown())
      .meta({ description: 'That of the webhook of its type, without content' }),
  })
  .meta({ id: 'Event' });

export const presentWebhook = (row: Webhook): z.input<typeof webhook> => {
  const until = row.previous_secret_expires_at;
  return {
    id: row.id,
    url: row.url,
    events: row.event_types,
    description: row.description,
    isActive: row.is_active,
    failingSince: row.failing_since?.toISOString() ?? null,
    disabledAt: row.disabled_at?.toISOString() ?? null,
    disabledReason: row.disabled_reason,
    includeContent: row.include_content,
    previousSecretExpiresAt: until && until > new Date() ? until.toISOString() : null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
};

export const presentDelivery = (row: Delivery): z.input<typeof delivery> => ({
  id: row.id,
  webhookId: row.webhook_id,
  eventId: eventId(row.event_id),
  eventType: row.event_type,
  resource: row.resource,
  state: row.state,
  attempts: row.attempts,
  nextAttemptAt: row.next_attempt_at?.toISOString() ?? null,
  lastStatus: row.last_status,
  lastError: row.last_error,
  deliveredAt: row.delivered_at?.toISOString() ?? null,
  createdAt: row.created_at.toISOString(),
});
