/** The routes for the sync state of mailboxes, and for reading them now. Choice 34. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { SYNC_TROUBLES } from '../../domain/inbox/inbox.ts';
import { pagination, reply } from '../../http/envelope.ts';
import { route, type Route } from '../../http/route.ts';
import {
  bodyId,
  offsetOf,
  pageQuery,
  paginationSchema,
  pathId,
  timestamp,
} from '../../http/schemas.ts';
import { listUserSyncs, syncNow, type SyncState } from '../../services/inbox/inbox-sync.ts';

type Needs = Pick<Context, 'db' | 'clock' | 'startOperation'>;

export const inboxSyncRoutes = (context: Needs): Route[] => [list(context), ask(context)];

const mailboxSync = z
  .object({
    mailbox_id: z.int(),
    mailbox: z.string().describe('The address of the mailbox.'),
    synced_at: timestamp
      .nullable()
      .describe(
        'When it was last read to its end; up to five minutes before that while nothing comes in and ' +
          'nobody asks.',
      ),
    failing_since: timestamp.nullable(),
    reason: z.enum(SYNC_TROUBLES).nullable().describe('Why it cannot be read; null while it can.'),
    asked_at: timestamp.nullable().describe('When somebody asked for it, until it was read.'),
  })
  .meta({ id: 'InboxSync' });

const list = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/inbox/sync',
    operationId: 'inbox.readSync',
    tag: 'Inbox',
    summary: 'Lists the sync state of the mailboxes.',
    description:
      'One that fails is tried again by itself. `login_refused`: the host does not take its password. ' +
      '`host_unreachable`: the host does not answer. `unreadable`: it answers what cannot be read. ' +
      'The event `mailbox.health_changed` with the aspect `sync` tells the same.',
    status: 200,
    errors: { 404: ['MAILBOX_NOT_FOUND'] },
    query: pageQuery.extend({ mailboxId: pathId.optional() }),
    response: z.object({ items: z.array(mailboxSync), pagination: paginationSchema }),
    handler: async ({ user, query }) => {
      const of = { userId: user.userId, mailboxId: query.mailboxId };
      const page = { limit: query.limit, offset: offsetOf(query) };
      const { rows, total } = await listUserSyncs(context, of, page);
      return { items: rows.map(present), pagination: pagination(query, total) };
    },
  });

const ask = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/inbox/sync',
    operationId: 'inbox.sync',
    tag: 'Inbox',
    summary: 'Reads all mailboxes, or one, now.',
    description:
      'New messages come by themselves within seconds; this is for mailboxes that are looked at less ' +
      'often, or that fail. `asked_at` of `GET /v1/inbox/sync` is null again when it was done.',
    status: 200,
    errors: { 404: ['MAILBOX_NOT_FOUND'] },
    repeatable: true,
    body: z.object({ mailboxId: bodyId.optional() }).optional(),
    response: z.object({ mailboxes: z.int().describe('How many are read now.') }),
    handler: async ({ user, body }) => {
      const mailboxes = await syncNow(context, {
        userId: user.userId,
        mailboxId: body?.mailboxId,
      });
      return reply({ mailboxes }, { message: 'The mailboxes are being read' });
    },
  });

const present = (state: SyncState): z.input<typeof mailboxSync> => ({
  mailbox_id: state.mailboxId,
  mailbox: state.email,
  synced_at: state.syncedAt?.toISOString() ?? null,
  failing_since: state.failingSince?.toISOString() ?? null,
  reason: state.reason,
  asked_at: state.askedAt?.toISOString() ?? null,
});
