/** The routes of webhooks: the endpoints to which a client's events are posted. Choice 45. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { EVENT_TYPES } from '../../domain/webhooks/events.ts';
import { ALL_EVENTS } from '../../domain/webhooks/webhooks.ts';
import { paged, reply } from '../../http/envelope.ts';
import { route, type Route } from '../../http/route.ts';
import { requireScope } from '../../http/scopes.ts';
import { idParams, offsetOf, pageQuery } from '../../http/schemas.ts';
import {
  changeWebhook,
  createWebhook,
  getWebhook,
  listUserWebhooks,
  removeWebhook,
  rotateSecret,
  testWebhook,
} from '../../services/webhooks/webhooks.ts';
import { eventRoutes } from './events.ts';
import { deliveryRoutes } from './webhook-deliveries.ts';
import { presentWebhook, webhook, webhookWithSecret } from './webhook-shapes.ts';

type Needs = Pick<Context, 'db' | 'cipher' | 'clock' | 'config' | 'webhookEndpoints'>;

const tag = 'Webhooks';

export const webhookRoutes = (context: Needs): Route[] => [
  create(context),
  list(context),
  listTypes,
  ...deliveryRoutes(context),
  read(context),
  change(context),
  remove(context),
  test(context),
  rotate(context),
  ...eventRoutes(context),
];

/** The service decides whether it may be called. */
const url = z.string().trim().min(1).max(2_048);
const events = z
  .array(z.enum([ALL_EVENTS, ...EVENT_TYPES]))
  .min(1)
  .max(100)
  .transform((types) => [...new Set(types)]);
const description = z.string().trim().max(255).nullable();
const includeContent = z.boolean().meta({
  description:
    'Whether `data` of `message.received` has `from`, `fromName`, `subject` and `snippet` as well',
});

/** What an endpoint is told of messages is what the inbox shows. */
const CONTENT_SCOPE = 'inbox:read';

const create = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/webhooks',
    operationId: 'webhooks.create',
    tag,
    summary: 'Creates an endpoint that receives events from now on.',
    description:
      'Each event is posted as `{id, type, createdAt, resource, data}` with the header ' +
      '`X-Outreach-Signature: t=<seconds>,v1=<hex>`, an HMAC-SHA-256 of `<t>.<body>` with the ' +
      '`secret` of this answer, and those of Standard Webhooks (`webhook-id`, ' +
      '`webhook-timestamp`, `webhook-signature`), whose libraries take the same secret. A 2xx ' +
      'within 15 s takes it; else it is tried again after 30 s, doubling up to an hour, for three ' +
      'days. At least once, with the same `id`, in order per `resource`. Redirects are not ' +
      'followed; private addresses are refused. An endpoint that takes nothing for five days, or ' +
      'answers 410, is disabled (`webhook.disabled`). A key needs `inbox:read` for `includeContent: true`, too.',
    status: 201,
    errors: { 400: ['WEBHOOK_LIMIT'] },
    body: z.object({
      url,
      events,
      description: description.default(null),
      includeContent: includeContent.default(false),
    }),
    response: webhookWithSecret,
    handler: async ({ user, body }) => {
      if (body.includeContent) requireScope(user, CONTENT_SCOPE);
      const { webhook: row, secret } = await createWebhook(context, user.userId, body);
      const message = 'Keep the secret: it is shown this once';
      return reply({ ...presentWebhook(row), secret }, { message });
    },
  });

const list = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/webhooks',
    operationId: 'webhooks.list',
    tag,
    summary: 'Lists endpoints, newest first.',
    status: 200,
    paged: true,
    query: pageQuery,
    response: z.array(webhook),
    handler: async ({ user, query }) => {
      const page = { limit: query.limit, offset: offsetOf(query) };
      const { rows, total } = await listUserWebhooks(context, user.userId, page);
      return paged(rows.map(presentWebhook), query, total);
    },
  });

const listTypes = route({
  method: 'get',
  path: '/v1/webhooks/event-types',
  operationId: 'webhooks.listEventTypes',
  tag,
  summary: 'Lists the types of events.',
  status: 200,
  response: z.array(z.enum(EVENT_TYPES)),
  handler: () => [...EVENT_TYPES],
});

const read = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/webhooks/:id',
    operationId: 'webhooks.read',
    tag,
    summary: 'Reads an endpoint.',
    status: 200,
    errors: { 404: ['WEBHOOK_NOT_FOUND'] },
    params: idParams,
    response: webhook,
    handler: async ({ user, params }) =>
      presentWebhook(await getWebhook(context, user.userId, params.id)),
  });

const change = (context: Needs) =>
  route({
    method: 'patch',
    path: '/v1/webhooks/:id',
    operationId: 'webhooks.update',
    tag,
    summary: 'Changes an endpoint.',
    description:
      'While `isActive` is false nothing is posted and no event is noted for it; what was noted ' +
      'before goes out when it is active again. `isActive: true` enables one that was disabled. A key needs ' +
      '`inbox:read` to set `includeContent`, and to change the `url` of an endpoint that has it, or to give that one ' +
      '`message.received`, too.',
    status: 200,
    errors: { 404: ['WEBHOOK_NOT_FOUND'] },
    params: idParams,
    body: z.object({
      url: url.optional(),
      events: events.optional(),
      description: description.optional(),
      isActive: z.boolean().optional(),
      includeContent: includeContent.optional(),
    }),
    response: webhook,
    handler: async ({ user, params, body }) => {
      const requireContent = () => requireScope(user, CONTENT_SCOPE);
      const subject = { userId: user.userId, id: params.id, requireContent };
      return presentWebhook(await changeWebhook(context, subject, body));
    },
  });

const remove = (context: Needs) =>
  route({
    method: 'delete',
    path: '/v1/webhooks/:id',
    operationId: 'webhooks.delete',
    tag,
    summary: 'Removes an endpoint, with what was still to be delivered.',
    status: 200,
    errors: { 404: ['WEBHOOK_NOT_FOUND'] },
    params: idParams,
    response: z.object({ id: z.int() }),
    handler: async ({ user, params }) => {
      await removeWebhook(context, user.userId, params.id);
      return reply({ id: params.id }, { message: 'Webhook removed' });
    },
  });

const test = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/webhooks/:id/test',
    operationId: 'webhooks.test',
    tag,
    summary: 'Posts a signed `webhook.test` to an endpoint at once and returns its answer.',
    status: 200,
    errors: { 404: ['WEBHOOK_NOT_FOUND'] },
    repeatable: true,
    params: idParams,
    response: z.object({
      eventId: z.string(),
      delivered: z.boolean(),
      status: z.int().nullable(),
      error: z.string().nullable(),
      durationMs: z.int(),
    }),
    handler: async ({ user, params }) => {
      const tried = await testWebhook(context, user.userId, params.id);
      return { ...tried, delivered: tried.error === null };
    },
  });

const rotate = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/webhooks/:id/rotate-secret',
    operationId: 'webhooks.rotateSecret',
    tag,
    summary: 'Gives an endpoint a new secret; the previous one signs as well for 24 hours.',
    description: 'Meanwhile the headers have two signatures: `t=…,v1=…,v1=…`, the new one first.',
    status: 200,
    errors: { 404: ['WEBHOOK_NOT_FOUND'] },
    params: idParams,
    response: webhookWithSecret,
    handler: async ({ user, params }) => {
      const { webhook: row, secret } = await rotateSecret(context, user.userId, params.id);
      const message = 'Keep the secret: it is shown this once';
      return reply({ ...presentWebhook(row), secret }, { message });
    },
  });
