/** Endpoints of clients: create, change, test, secrets and deliveries. Choice 45. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Context } from '../../context.ts';
import { noteChange } from '../../db/accounts/audit-log.ts';
import { AUDITED_FIELDS, difference, told } from '../../domain/accounts/audited-values.ts';
import { lockUser } from '../../db/accounts/api-keys.ts';
import { commitOnce } from '../../db/accounts/request-effects.ts';
import {
  endBackOff,
  findUserDelivery,
  listDeliveries,
  lockQueue,
  requeueDelivery,
  type Delivery,
  type DeliveryPage,
} from '../../db/webhooks/webhook-deliveries.ts';
import { ENABLED, NEW_HEALTH, endRest } from '../../db/webhooks/webhook-health.ts';
import {
  countWebhooks,
  deleteWebhook,
  findWebhook,
  insertWebhook,
  listWebhooks,
  replaceWebhookSecret,
  secretBinding,
  updateWebhook,
  type Webhook,
} from '../../db/webhooks/webhooks.ts';
import { invalid, notFound, validationError } from '../../domain/errors.ts';
import { parseUrl } from '../../domain/url.ts';
import {
  ALL_EVENTS,
  SECRET_GRACE_HOURS,
  type DeliveryAnswer,
  type EventMessage,
} from '../../domain/webhooks/webhooks.ts';

export type { Webhook } from '../../db/webhooks/webhooks.ts';
export type { Delivery } from '../../db/webhooks/webhook-deliveries.ts';

type Needs = Pick<Context, 'db' | 'cipher' | 'clock' | 'config' | 'webhookEndpoints'>;

/** The most endpoints of one account: each event is written once for each of them. */
const MAX_WEBHOOKS = 20;

const HOUR_MS = 3_600_000;

export interface WebhookSettings {
  url: string;
  /** `*` = all. */
  events: string[];
  description: string | null;
  isActive: boolean;
  /** `message.received` includes sender, subject and snippet as well. */
  includeContent: boolean;
}

/** The secret is in this answer, and in that of a rotation, and nowhere else. */
export async function createWebhook(
  context: Needs,
  userId: string,
  { url, events, ...rest }: Omit<WebhookSettings, 'isActive'>,
): Promise<{ webhook: Webhook; secret: string }> {
  checkUrl(context, url);
  return commitOnce(context.db, async (trx) => {
    const secret = newSecret();
    await lockUser(trx, userId);
    if ((await countWebhooks(trx, userId)) >= MAX_WEBHOOKS) {
      throw invalid('WEBHOOK_LIMIT', `An account has at most ${MAX_WEBHOOKS} webhooks`);
    }
    const { id } = await insertWebhook(trx, { userId, url, eventTypes: events, ...rest });
    const sealed = context.cipher.seal(secret, secretBinding(id));
    const webhook = await updateWebhook(trx, userId, id, { secret: sealed });
    noteChange({ resourceId: id, after: toldOf(webhook!) });
    return { webhook: webhook!, secret };
  });
}

export async function getWebhook(
  context: Pick<Context, 'db'>,
  userId: string,
  id: number,
): Promise<Webhook> {
  const webhook = await findWebhook(context.db, userId, id);
  if (!webhook) throw notFound('webhook');
  return webhook;
}

export const listUserWebhooks = (
  context: Pick<Context, 'db'>,
  userId: string,
  page: { limit: number; offset: number },
) => listWebhooks(context.db, userId, page);

/**
 * Fields that are not given stay as they are. `requireContent` throws where the caller may not read what messages
 * say: it is asked before anybody is told of them who was not before.
 */
export async function changeWebhook(
  context: Needs,
  { userId, id, requireContent }: { userId: string; id: number; requireContent: () => void },
  changes: { [K in keyof WebhookSettings]?: WebhookSettings[K] | undefined },
): Promise<Webhook> {
  const { url, events, description, isActive, includeContent } = changes;
  if (url !== undefined) checkUrl(context, url);
  return commitOnce(context.db, async (trx) => {
    if (!(await findWebhook(trx, userId, id))) throw notFound('webhook');
    await lockQueue(trx, id);
    const before = await findWebhook(trx, userId, id);
    if (!before) throw notFound('webhook');
    const isMoved = url !== undefined && url !== before.url;
    const tells = includeContent ?? before.include_content;
    const isNew = isToldOfMessages(events ?? []) && !isToldOfMessages(before.event_types);
    if (tells && (isMoved || isNew || !before.include_content)) requireContent();
    const settings = {
      ...(url !== undefined && { url }),
      ...(events !== undefined && { event_types: events }),
      ...(description !== undefined && { description }),
      ...(isActive !== undefined && { is_active: isActive }),
      ...(includeContent !== undefined && { include_content: includeContent }),
    };
    const isBack = isActive === true && !before.is_active;
    // Waiting deliveries wait because the old endpoint failed; this is a different one now.
    const isOther = isMoved || isBack;
    const health = { ...(isOther && NEW_HEALTH), ...(isBack && ENABLED) };
    const webhook = (await updateWebhook(trx, userId, id, { ...settings, ...health }))!;
    if (isOther && webhook.is_active) await endBackOff(trx, id, context.clock.now());
    // What follows the host's name may be the secret of whoever receives.
    const leftOut = isMoved ? ['url'] : [];
    noteChange(difference(AUDITED_FIELDS.webhook, before, webhook, leftOut));
    return webhook;
  });
}

/** Content goes with these events alone. */
const isToldOfMessages = (events: readonly string[]): boolean =>
  events.includes(ALL_EVENTS) || events.includes('message.received');

export async function removeWebhook(
  context: Pick<Context, 'db'>,
  userId: string,
  id: number,
): Promise<void> {
  await commitOnce(context.db, async (trx) => {
    const webhook = await getWebhook({ db: trx }, userId, id);
    if (!(await deleteWebhook(trx, userId, id))) throw notFound('webhook');
    noteChange({ before: toldOf(webhook) });
  });
}

/** The previous secret signs beside the new one for a day, so that no delivery is rejected meanwhile. */
export async function rotateSecret(
  context: Needs,
  userId: string,
  id: number,
): Promise<{ webhook: Webhook; secret: string }> {
  return commitOnce(context.db, async (trx) => {
    const secret = newSecret();
    const now = context.clock.now().getTime();
    const previousExpiresAt = new Date(now + SECRET_GRACE_HOURS * HOUR_MS);
    const sealed = context.cipher.seal(secret, secretBinding(id));
    const change = { secret: sealed, previousExpiresAt };
    const webhook = await replaceWebhookSecret(trx, userId, id, change);
    if (!webhook) throw notFound('webhook');
    noteChange({ after: { previousSecretExpiresAt: previousExpiresAt } });
    return { webhook, secret };
  });
}

/** Posts a `webhook.test` at once, signed like every delivery; it is not logged. */
export async function testWebhook(
  context: Needs,
  userId: string,
  id: number,
): Promise<DeliveryAnswer & { eventId: string; durationMs: number }> {
  const webhook = await getWebhook(context, userId, id);
  const secret = context.cipher.open(webhook.secret!, secretBinding(id));
  const message: EventMessage = {
    id: `evt_test_${randomUUID()}`,
    type: 'webhook.test',
    createdAt: context.clock.now().toISOString(),
    mode: context.config.OUTREACH_MODE,
    resource: `webhook/${id}`,
    data: {},
  };
  const startedAt = performance.now();
  const { url } = webhook;
  const { id: eventId } = message;
  const body = JSON.stringify(message);
  const posted = { url, secrets: [secret], eventId, body };
  const answer = await context.webhookEndpoints.deliver(posted);
  const durationMs = Math.round(performance.now() - startedAt);
  noteChange({ after: { eventId, answeredStatus: answer.status } });
  return { ...answer, eventId, durationMs };
}

export async function listWebhookDeliveries(
  context: Pick<Context, 'db'>,
  userId: string,
  page: DeliveryPage,
): Promise<{ rows: Delivery[]; total: number }> {
  await getWebhook(context, userId, page.webhookId);
  return listDeliveries(context.db, page);
}

/** Queues a delivery again; with `webhookId`, only one of that endpoint. */
export async function redeliver(
  context: Pick<Context, 'db'>,
  userId: string,
  { deliveryId, webhookId }: { deliveryId: number; webhookId?: number },
): Promise<Delivery> {
  return commitOnce(context.db, async (trx) => {
    const delivery = await findUserDelivery(trx, userId, deliveryId);
    if (!delivery) throw notFound('delivery');
    if (webhookId !== undefined && delivery.webhook_id !== webhookId) throw notFound('delivery');
    await lockQueue(trx, delivery.webhook_id);
    await requeueDelivery(trx, deliveryId);
    noteChange({ resourceId: delivery.webhook_id, after: { deliveryId } });
    await endRest(trx, delivery.webhook_id);
    const queued = await findUserDelivery(trx, userId, deliveryId);
    // Pruned for its age while this waited for the lock of its queue.
    if (!queued) throw notFound('delivery');
    return queued;
  });
}

const toldOf = (webhook: Webhook) => ({
  urlHost: parseUrl(webhook.url)?.host,
  ...told(AUDITED_FIELDS.webhook, webhook),
});

function checkUrl({ webhookEndpoints }: Needs, url: string): void {
  const problem = webhookEndpoints.refusal(url);
  if (problem !== undefined) {
    throw validationError([{ field: 'url', message: `url ${problem}` }]);
  }
}

const newSecret = (): string => `whsec_${randomBytes(32).toString('hex')}`;
