/** The routes of deliveries: the log of an endpoint, and redelivery. Choice 45. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { DELIVERY_STATES } from '../../domain/webhooks/webhooks.ts';
import { paged, reply } from '../../http/envelope.ts';
import { route, type Route } from '../../http/route.ts';
import { idParams, offsetOf, pageQuery, pathId } from '../../http/schemas.ts';
import { listWebhookDeliveries, redeliver } from '../../services/webhooks/webhooks.ts';
import { delivery, presentDelivery } from './webhook-shapes.ts';

type Needs = Pick<Context, 'db'>;

const tag = 'Webhooks';

export const deliveryRoutes = (context: Needs): Route[] => [
  again(context),
  list(context),
  againOf(context),
];

const list = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/webhooks/:id/deliveries',
    operationId: 'webhooks.listDeliveries',
    tag,
    summary: 'Lists the deliveries to an endpoint, newest first.',
    status: 200,
    errors: { 404: ['WEBHOOK_NOT_FOUND'] },
    paged: true,
    params: idParams,
    query: pageQuery.extend({ state: z.enum(DELIVERY_STATES).optional() }),
    response: z.array(delivery),
    handler: async ({ user, params, query }) => {
      const { state, limit } = query;
      const page = { webhookId: params.id, state, limit, offset: offsetOf(query) };
      const { rows, total } = await listWebhookDeliveries(context, user.userId, page);
      return paged(rows.map(presentDelivery), query, total);
    },
  });

const summary = 'Queues a delivery again, whatever became of it.';
const description =
  'It is tried at once and has the whole time for retries before it. While an earlier event of ' +
  'its resource waits, it waits behind that one.';
const message = 'Queued again';

const again = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/webhooks/deliveries/:id/redeliver',
    operationId: 'webhookDeliveries.redeliver',
    tag,
    summary,
    description,
    status: 200,
    errors: { 404: ['DELIVERY_NOT_FOUND'] },
    params: idParams,
    response: delivery,
    handler: async ({ user, params }) => {
      const row = await redeliver(context, user.userId, { deliveryId: params.id });
      return reply(presentDelivery(row), { message });
    },
  });

const againOf = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/webhooks/:id/deliveries/:deliveryId/redeliver',
    operationId: 'webhooks.redeliver',
    tag,
    summary,
    description,
    status: 200,
    errors: { 404: ['DELIVERY_NOT_FOUND', 'WEBHOOK_NOT_FOUND'] },
    params: z.object({ id: pathId, deliveryId: pathId }),
    response: delivery,
    handler: async ({ user, params }) => {
      const subject = { deliveryId: params.deliveryId, webhookId: params.id };
      const row = await redeliver(context, user.userId, subject);
      return reply(presentDelivery(row), { message });
    },
  });
