/** One attempt to deliver an event: what is sent, and what follows from the answer. Choice 45. */
import type { Context } from '../../src/context.ts';
import type { DueDelivery } from '../../src/db/webhooks/webhook-queue.ts';
import { secretBinding } from '../../src/db/webhooks/webhooks.ts';
import {
  eventMessage,
  retrySeconds,
  type DeliveryAnswer,
  type DeliveryState,
} from '../../src/domain/webhooks/webhooks.ts';

type Needs = Pick<Context, 'cipher' | 'clock' | 'config' | 'webhookEndpoints'>;

const HOUR_MS = 3_600_000;

/** The same body at every attempt. Rejects only when `signal` fires. */
export function attemptDelivery(
  context: Needs,
  delivery: DueDelivery,
  signal: AbortSignal,
): Promise<DeliveryAnswer> {
  const { event_id, event_type, event_created_at, resource, url } = delivery;
  const event = {
    id: event_id,
    type: event_type,
    created_at: event_created_at,
    resource,
    payload: { ...delivery.payload, ...delivery.content },
  };
  const message = eventMessage(event, context.config.OUTREACH_MODE);
  const secrets = secretsOf(context, delivery);
  const body = JSON.stringify(message);
  return context.webhookEndpoints.deliver({ url, secrets, eventId: message.id, body, signal });
}

/** The current secret, and the previous one during its grace period. */
function secretsOf({ cipher, clock }: Needs, delivery: DueDelivery): string[] {
  const { webhook_id, secret, previous_secret, previous_secret_expires_at: until } = delivery;
  const binding = secretBinding(webhook_id);
  const isInGrace = previous_secret !== null && until !== null && until > clock.now();
  return [secret, ...(isInGrace ? [previous_secret] : [])].map((each) =>
    cipher.open(each, binding),
  );
}

/** Delivered, or when it is retried, or given up once its time is over. */
export function resultOf(
  { config }: Pick<Context, 'config'>,
  delivery: Pick<DueDelivery, 'attempts' | 'queued_at'>,
  answer: DeliveryAnswer,
  now: Date,
): { answer: DeliveryAnswer; state: DeliveryState; nextAttemptAt: Date | null; now: Date } {
  const over = { answer, nextAttemptAt: null, now };
  if (answer.error === null) return { ...over, state: 'delivered' };
  const endsAt = delivery.queued_at.getTime() + config.WEBHOOK_RETRY_HOURS * HOUR_MS;
  if (now.getTime() >= endsAt) return { ...over, state: 'failed' };
  const waitMs = retrySeconds(delivery.attempts + 1) * 1_000 * config.RETRY_PACE;
  return { answer, state: 'pending', nextAttemptAt: new Date(now.getTime() + waitMs), now };
}
