/** The routes of Inbox: reading and sorting messages. Spec: Inbox; choices 34, 47, 126. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { DECIDED_KINDS } from '../../domain/inbox/inbox.ts';
import { INTERESTS } from '../../domain/inbox/interest/interest.ts';
import { rawJson } from '../../http/envelope.ts';
import { route, type Route } from '../../http/route.ts';
import { bodyId, idParams, offsetOf } from '../../http/schemas.ts';
import {
  changeUserMessage,
  countUnread,
  getUserMessage,
  listUserLabels,
  listUserMessages,
  markUserMessages,
} from '../../services/inbox/inbox.ts';
import { inboxPageQuery, messageFilters, paginationOf } from './inbox-query.ts';
import {
  inboxMessage,
  inboxPagination,
  presentMessage,
  sendAt,
  wholeMessage,
} from './inbox-shapes.ts';
import { inboxReplyRoutes } from './inbox-replies.ts';
import { inboxSyncRoutes } from './inbox-sync.ts';
import { inboxThreadRoutes } from './inbox-threads.ts';

type Needs = Pick<Context, 'db' | 'clock' | 'config' | 'temporal'>;

// Fixed paths before `/:id`.
export const inboxRoutes = (context: Needs & Parameters<typeof inboxReplyRoutes>[0]): Route[] => [
  list(context),
  unreadCount(context),
  labels(context),
  ...inboxSyncRoutes(context),
  ...inboxThreadRoutes(context),
  read(context),
  change(context),
  markRead(context),
  ...inboxReplyRoutes(context),
];

const list = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/inbox',
    operationId: 'inbox.list',
    tag: 'Inbox',
    summary: 'Lists messages of all mailboxes, the last to arrive first.',
    description:
      'The order is that of arrival at the mailbox; `sent_at` is what a message says of itself. ' +
      'Received and sent messages that are neither archived nor snoozed, unless `view` or `direction` ' +
      'says otherwise. Without filters `total` is exact at any size. With filters it is exact up to ' +
      '10,000, with `to` or a `search` up to 1,000, or among the last 1,000 messages where these have many that ' +
      'fit; beyond that `totalIsCapped` is set, while `hasNext` is always exact. Pages by `cursor` cost the same however far they reach, and count nothing.',
    status: 200,
    query: inboxPageQuery.extend(messageFilters),
    response: z.object({ items: z.array(inboxMessage), pagination: inboxPagination }),
    handler: async ({ user, query }) => {
      const { page, limit, cursor, ...filter } = query;
      const part = cursor ? { limit, after: cursor } : { limit, offset: offsetOf(query) };
      const found = await listUserMessages(context, { userId: user.userId, filter }, part);
      const pagination = {
        ...paginationOf({ page, limit }, found.total, found.end),
        ...(found.isCapped && { totalIsCapped: true }),
      };
      return rawJson(`{"items":${found.items},"pagination":${JSON.stringify(pagination)}}`);
    },
  });

const unreadCount = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/inbox/unread-count',
    operationId: 'inbox.countUnread',
    tag: 'Inbox',
    summary: 'Counts unread messages in the inbox.',
    description: 'Archived and snoozed messages do not count.',
    status: 200,
    response: z.object({ unread: z.int() }),
    handler: async ({ user }) => ({ unread: await countUnread(context, user.userId) }),
  });

const labels = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/inbox/labels',
    operationId: 'inbox.listLabels',
    tag: 'Inbox',
    summary: 'Lists the labels in use.',
    status: 200,
    response: z.array(z.object({ label: z.string(), letters: z.int() })),
    handler: ({ user }) => listUserLabels(context, user.userId),
  });

const read = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/inbox/:id',
    operationId: 'inbox.read',
    tag: 'Inbox',
    summary: 'Reads a whole message.',
    description: 'Reading it here does not mark it as read.',
    status: 200,
    errors: { 404: ['MESSAGE_NOT_FOUND'] },
    params: idParams,
    response: wholeMessage,
    handler: async ({ user, params }) =>
      presentMessage(await getUserMessage(context, user.userId, params.id)),
  });

const MAX_LABELS = 50;
/** As the document has it: what a transformation makes is not told by its schema. */
const TIME_OR_NULL = { type: ['string', 'null'], format: 'date-time' } as const;

const change = (context: Needs) =>
  route({
    method: 'patch',
    path: '/v1/inbox/:id',
    operationId: 'inbox.update',
    tag: 'Inbox',
    summary: 'Marks, labels, archives or snoozes a message, or says what it is.',
    description:
      'Fields that are left out stay. `labels` replaces them all. A message with `snoozedUntil` ' +
      'comes back within a minute of that time; null brings it back now. What is read here is soon ' +
      'read in mail programs as well. `kind` decides about a message that is `needs_review`, which is ' +
      'automatic by its headers but not by its words: then all is as if it had been classified so on ' +
      'arrival, and the sequence, held until then, ends or goes on. A `complaint` suppresses the ' +
      'recipient of our message; a report that proves no message of ours (`campaignId` is null) names ' +
      'nobody that can be suppressed: use `POST /v1/suppressions`. For any other message it ' +
      'answers 400 `INVALID_STATE`, unless it is of that kind. `interest` corrects what the answer of a ' +
      'person means, null that it is none of these; a correction is never judged again. For what is no ' +
      '`reply` it answers 400 `INVALID_STATE`. `sendAt` moves a reply or forward that is `scheduled`, null ' +
      'sends it now; 400 `INVALID_STATE` once it leaves.',
    status: 200,
    errors: { 400: ['INVALID_STATE'], 404: ['MESSAGE_NOT_FOUND'] },
    params: idParams,
    body: z.object({
      is_read: z.boolean().optional(),
      labels: z
        .array(z.string().trim().min(1).max(50))
        .max(MAX_LABELS)
        .transform((names) => [...new Set(names)])
        .optional(),
      archived: z.boolean().optional(),
      snoozedUntil: z.iso
        .datetime({ offset: true })
        .transform((text) => new Date(text))
        .nullable()
        .meta(TIME_OR_NULL)
        .optional(),
      sendAt: sendAt.nullable().meta(TIME_OR_NULL).optional(),
      kind: z.enum(DECIDED_KINDS).optional(),
      interest: z.enum(INTERESTS).nullable().optional(),
    }),
    response: wholeMessage,
    handler: async ({ user, params, body }) => {
      const { is_read: isRead, ...others } = body;
      const message = { userId: user.userId, id: params.id };
      return presentMessage(await changeUserMessage(context, message, { isRead, ...others }));
    },
  });

const markRead = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/inbox/mark-read',
    operationId: 'inbox.markRead',
    tag: 'Inbox',
    summary: 'Marks messages as read, or as unread.',
    description: 'Ids of no message of yours are left out of the answer.',
    status: 200,
    body: z.object({
      ids: z.array(bodyId).min(1).max(500),
      is_read: z.boolean().default(true),
    }),
    response: z.object({ ids: z.array(z.int()), is_read: z.boolean() }),
    handler: async ({ user, body }) => {
      const messages = { userId: user.userId, ids: body.ids };
      const ids = await markUserMessages(context, messages, body.is_read);
      return { ids, is_read: body.is_read };
    },
  });
