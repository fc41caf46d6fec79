/** The routes of mailboxes. Spec: Mailboxes; choice 27. */
import { z } from 'zod';
import type { Context } from '../context.ts';
import { paged } from '../http/envelope.ts';
import { route, type Route } from '../http/route.ts';
import { offsetOf, pageQuery, pathId, timestamp } from '../http/schemas.ts';
import { createMailbox, listMailboxes } from '../services/mailboxes.ts';

type Needs = Pick<Context, 'db' | 'config' | 'cipher' | 'startOperation'>;

export const mailboxRoutes = (context: Needs): Route[] => [create(context), list(context)];

const mailbox = z
  .object({
    id: z.int(),
    email: z.string(),
    clusterId: z.int(),
    isActive: z.boolean(),
    createdAt: timestamp,
  })
  .meta({ id: 'Mailbox' });

/** RFC 5321 local part of practice: dots inside, no quotes; `+` is the host's delimiter. */
const address = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .regex(/^[a-z0-9_-]+(\.[a-z0-9_-]+)*@[a-z0-9.-]+$/, 'must be an e-mail address')
  .refine((text) => text.indexOf('@') <= 64, 'must have at most 64 characters before the @');

/** Printable, because it travels on one line and is typed into mail programs. */
const password = z
  .string()
  .min(12)
  .max(128)
  .regex(/^[\x20-\x7e]+$/, 'must be printable ASCII');

const create = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/mailboxes/cluster/:clusterId',
    tag: 'Mailboxes',
    summary: 'Makes a mailbox on the cluster’s domain.',
    description:
      'IMAP answers on port 993 and SMTP on port 465, both with TLS. `password` is in this ' +
      'answer only. Slower than 25 s the answer has `isActive: false`.',
    status: 201,
    errors: [404],
    params: z.object({ clusterId: pathId }),
    body: z.object({ email: address, password: password.optional() }),
    response: mailbox.extend({ password: z.string() }).meta({ id: 'CreatedMailbox' }),
    handler: async ({ user, params, body, requestKey, noteWorkflow }) => {
      const order = { ...params, ...body };
      const created = await createMailbox(context, user.userId, order, requestKey);
      noteWorkflow(created.workflowId);
      return { ...present(created.mailbox), password: created.password };
    },
  });

const list = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/mailboxes',
    tag: 'Mailboxes',
    summary: 'Lists the mailboxes of all clusters.',
    status: 200,
    paged: true,
    query: pageQuery,
    response: z.array(mailbox),
    handler: async ({ user, query }) => {
      const page = { limit: query.limit, offset: offsetOf(query) };
      const { rows, total } = await listMailboxes(context, user.userId, page);
      return paged(rows.map(present), query, total);
    },
  });

type Row = Awaited<ReturnType<typeof listMailboxes>>['rows'][number];

function present(row: Row): z.input<typeof mailbox> {
  return {
    id: row.id,
    email: row.email,
    clusterId: row.cluster_id,
    isActive: row.status === 'active',
    createdAt: row.created_at.toISOString(),
  };
}
