/** `GET /v1/events`: events for clients that poll instead of having an endpoint. Choices 45, 103. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { EVENT_TYPES, type EventType } from '../../domain/webhooks/events.ts';
import { eventId, eventMessage, numberOfEvent } from '../../domain/webhooks/webhooks.ts';
import { reply } from '../../http/envelope.ts';
import { route, type Route } from '../../http/route.ts';
import { pageQuery } from '../../http/schemas.ts';
import { getEvent, readEvents } from '../../services/webhooks/events.ts';
import { event } from './webhook-shapes.ts';

/** Behind all that there is: what a client says that begins now. */
const LATEST = 'latest';

const after = z
  .string()
  .max(32)
  .refine(
    (text) => text === LATEST || numberOfEvent(text) !== undefined,
    'must be the id of an event, or latest',
  )
  .transform((text) => (text === LATEST ? LATEST : numberOfEvent(text)!))
  .meta({
    type: 'string',
    description:
      'The id of the last event that was read, or `latest`: no event, only where to go on from now',
  });

const eventParams = z.object({
  id: z
    .string()
    .max(32)
    .refine((text) => numberOfEvent(text) !== undefined, 'must be the id of an event')
    .transform((text) => numberOfEvent(text)!)
    .meta({ type: 'string', description: '`evt_<number>`' }),
});

const types = z
  .string()
  .max(1_000)
  .transform((text) => text.split(',').map((each) => each.trim()))
  .refine((each) => each.every(isType), 'must be event types, comma separated')
  .transform((each) => each as EventType[])
  .meta({ type: 'string', description: 'Event types, comma separated' });

const isType = (text: string) => (EVENT_TYPES as readonly string[]).includes(text);

type Needs = Pick<Context, 'db' | 'config'>;

export const eventRoutes = (context: Needs): Route[] => [listRoute(context), readRoute(context)];

const listRoute = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/events',
    operationId: 'events.list',
    tag: 'Webhooks',
    summary: 'Lists events, oldest first, after the last one that was read.',
    description:
      'For clients without an endpoint, and to catch up. `after` is the `id` of the last event ' +
      'that was read (`meta.pagination.nextCursor`, which is there when there is nothing new, too, ' +
      'and `evt_0` where nothing has happened yet). ' +
      'Reading on from there misses no event and repeats none; an event appears as soon as ' +
      'everything that could come before it is settled. Events are kept for 30 days by default; ' +
      'behind one that is gone, all later ones that are left are listed.',
    status: 200,
    paged: 'cursor',
    query: z.object({
      limit: pageQuery.shape.limit,
      after: after.optional(),
      types: types.optional(),
    }),
    response: z.array(event),
    handler: async ({ user, query }) => {
      const { rows, hasNext, last } = await readEvents(context, user.userId, query);
      const meta = { pagination: { limit: query.limit, hasNext, nextCursor: eventId(last) } };
      return reply(
        rows.map((row) => ({ ...eventMessage(row, context.config.OUTREACH_MODE), type: row.type })),
        { meta },
      );
    },
  });

const readRoute = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/events/:id',
    operationId: 'events.read',
    tag: 'Webhooks',
    summary: 'Reads an event, as it was posted but for content.',
    status: 200,
    errors: { 404: ['EVENT_NOT_FOUND'] },
    params: eventParams,
    response: event,
    handler: async ({ user, params }) => {
      const row = await getEvent(context, user.userId, params.id);
      return { ...eventMessage(row, context.config.OUTREACH_MODE), type: row.type };
    },
  });
