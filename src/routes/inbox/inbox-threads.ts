/** The routes of threads. Choice 34. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { pagination } from '../../http/envelope.ts';
import { route, type Route } from '../../http/route.ts';
import { idParams, offsetOf, pageQuery, paginationSchema } from '../../http/schemas.ts';
import { getUserThread, listUserThreads } from '../../services/inbox/inbox.ts';
import { cappedIf, inboxPageQuery, paginationOf, threadFilters } from './inbox-query.ts';
import {
  inboxPagination,
  presentMessage,
  presentThread,
  thread,
  wholeMessage,
} from './inbox-shapes.ts';

type Needs = Pick<Context, 'db'>;

export const inboxThreadRoutes = (context: Needs): Route[] => [list(context), read(context)];

const list = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/inbox/threads',
    operationId: 'inbox.listThreads',
    tag: 'Inbox',
    summary: 'Lists threads, the most recently written first.',
    description:
      '`isRead=false`: threads with unread messages. `total` is exact up to 10,000; from there on it ' +
      'stays 10,000 and `totalIsCapped` is set.',
    status: 200,
    query: inboxPageQuery.extend(threadFilters),
    response: z.object({ items: z.array(thread), pagination: inboxPagination }),
    handler: async ({ user, query }) => {
      const { page, limit, cursor, ...filter } = query;
      const part = cursor
        ? { limit, after: { at: new Date(Number(cursor.at)), id: cursor.id } }
        : { limit, offset: offsetOf(query) };
      const { rows, total } = await listUserThreads(context, { userId: user.userId, filter }, part);
      const items = rows.slice(0, limit);
      const last = rows.length > limit ? items.at(-1)! : undefined;
      const end = last ? { at: String(last.last_message_at.getTime()), id: last.id } : null;
      return {
        items: items.map(presentThread),
        pagination: { ...paginationOf({ page, limit }, total, end), ...cappedIf(total) },
      };
    },
  });

const read = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/inbox/threads/:id',
    operationId: 'inbox.readThread',
    tag: 'Inbox',
    summary: 'Reads a thread with its messages, oldest first.',
    status: 200,
    errors: { 404: ['THREAD_NOT_FOUND'] },
    params: idParams,
    query: pageQuery,
    response: thread.extend({ items: z.array(wholeMessage), pagination: paginationSchema }),
    handler: async ({ user, params, query }) => {
      const part = { limit: query.limit, offset: offsetOf(query) };
      const one = { userId: user.userId, id: params.id };
      const { thread: row, messages } = await getUserThread(context, one, part);
      return {
        ...presentThread(row),
        items: messages.map(presentMessage),
        pagination: pagination(query, row.messages_count),
      };
    },
  });
