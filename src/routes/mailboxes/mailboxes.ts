/** The routes of mailboxes. Spec: Mailboxes; choice 27. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { paged } from '../../http/envelope.ts';
import { route, type Route } from '../../http/route.ts';
import { idParams, offsetOf, oneLineText, pageQuery, pathId } from '../../http/schemas.ts';
import { deleteMailbox } from '../../services/mailboxes/mailbox-changes.ts';
import {
  changeMailbox,
  createMailbox,
  getUserMailbox,
  listMailboxes,
} from '../../services/mailboxes/mailboxes.ts';
import { mailboxBulkRoutes } from './mailbox-bulk.ts';
import { mailboxConnectionRoutes } from './mailbox-connections.ts';
import { mailboxImportRoutes } from './mailbox-imports.ts';
import { mailboxCredentialRoutes } from './mailbox-credentials.ts';
import { mailboxLimitRoutes } from './mailbox-limits.ts';
import { mailboxOauthRoutes } from './mailbox-oauth.ts';
import {
  address,
  createdMailbox,
  mailbox,
  password,
  presentMailbox,
  signature,
} from './mailbox-shapes.ts';

type Needs = Pick<
  Context,
  'db' | 'config' | 'cipher' | 'clock' | 'temporal' | 'startOperation' | 'logger' | 'mailboxOauth'
>;

/** A literal path must come before one with `:id`. */
export const mailboxRoutes = (context: Needs): Route[] => [
  create(context),
  ...mailboxBulkRoutes(context),
  ...mailboxConnectionRoutes(context),
  ...mailboxOauthRoutes(context),
  ...mailboxImportRoutes(context),
  list(context),
  listOfCluster(context),
  ...mailboxCredentialRoutes(context),
  ...mailboxLimitRoutes(context),
  read(context),
  change(context),
  remove(context),
];

const create = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/mailboxes/cluster/:clusterId',
    operationId: 'mailboxes.create',
    tag: 'Mailboxes',
    summary: 'Creates a mailbox on the cluster’s domain.',
    description:
      'IMAP answers on port 993 and SMTP on port 465, both with TLS. `password` is in this ' +
      'answer only. Slower than 25 s the answer has `isActive: false`.',
    status: 201,
    errors: {
      400: [
        'MAIL_SERVER_NOT_READY',
        'EMAIL_DOMAIN_MISMATCH',
        'MAILBOX_EXISTS',
        'MAILBOX_NOT_FOUND',
        'CANCELLED',
      ],
      404: ['CLUSTER_NOT_FOUND'],
    },
    repeatable: true,
    params: z.object({ clusterId: pathId }),
    body: z.object({ email: address, password: password.optional() }),
    response: createdMailbox,
    handler: async ({ user, params, body, requestKey, noteWorkflow }) => {
      const order = { ...params, ...body };
      const created = await createMailbox(context, user.userId, order, requestKey);
      noteWorkflow(created.workflowId);
      return { ...presentMailbox(created.mailbox), password: created.password };
    },
  });

const list = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/mailboxes',
    operationId: 'mailboxes.list',
    tag: 'Mailboxes',
    summary: 'Lists the mailboxes of all clusters, and those that are connected.',
    status: 200,
    paged: true,
    query: pageQuery,
    response: z.array(mailbox),
    handler: async ({ user, query }) => {
      const page = { limit: query.limit, offset: offsetOf(query) };
      const { rows, total } = await listMailboxes(context, user.userId, page);
      return paged(rows.map(presentMailbox), query, total);
    },
  });

const listOfCluster = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/mailboxes/cluster/:clusterId',
    operationId: 'mailboxes.listOfCluster',
    tag: 'Mailboxes',
    summary: 'Lists the mailboxes of a cluster.',
    status: 200,
    errors: { 404: ['CLUSTER_NOT_FOUND'] },
    paged: true,
    params: z.object({ clusterId: pathId }),
    query: pageQuery,
    response: z.array(mailbox),
    handler: async ({ user, params, query }) => {
      const page = { ...params, limit: query.limit, offset: offsetOf(query) };
      const { rows, total } = await listMailboxes(context, user.userId, page);
      return paged(rows.map(presentMailbox), query, total);
    },
  });

const read = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/mailboxes/:id',
    operationId: 'mailboxes.read',
    tag: 'Mailboxes',
    summary: 'Reads a mailbox.',
    status: 200,
    errors: { 404: ['MAILBOX_NOT_FOUND'] },
    params: idParams,
    response: mailbox,
    handler: async ({ user, params }) =>
      presentMailbox(await getUserMailbox(context, user.userId, params.id)),
  });

const change = (context: Needs) =>
  route({
    method: 'patch',
    path: '/v1/mailboxes/:id',
    operationId: 'mailboxes.update',
    tag: 'Mailboxes',
    summary: 'Changes the sender name and the signature of a mailbox.',
    description:
      '`senderName: null` goes back to the account’s. The `signature` stands under messages of ' +
      'campaigns, before their footer or where a template has `{{signature}}`, and under replies and ' +
      'forwards; `null` is none. How much it sends is `/v1/mailboxes/:id/limits`.',
    status: 200,
    errors: { 404: ['MAILBOX_NOT_FOUND'] },
    params: idParams,
    body: z.object({
      senderName: oneLineText.nullable().optional(),
      signature: signature.nullable().optional(),
    }),
    response: mailbox,
    handler: async ({ user, params, body }) =>
      presentMailbox(await changeMailbox(context, { userId: user.userId, id: params.id }, body)),
  });

const remove = (context: Needs) =>
  route({
    method: 'delete',
    path: '/v1/mailboxes/:id',
    operationId: 'mailboxes.delete',
    tag: 'Mailboxes',
    summary: 'Removes a mailbox from its host, with its messages there.',
    description:
      'A connected mailbox keeps its messages: only its login is forgotten here. ' +
      'Its mail is read a last time and stays in the inbox. Campaigns write to leads that have had no ' +
      'message yet from another mailbox; threads end. The address may be created again afterwards. ' +
      'If it takes longer than 25 s the answer has `status: "deleting"`.',
    status: 200,
    errors: { 404: ['MAILBOX_NOT_FOUND'] },
    params: idParams,
    response: mailbox,
    handler: async ({ user, params, noteWorkflow }) => {
      const subject = { userId: user.userId, id: params.id };
      const { mailbox: row, workflowId } = await deleteMailbox(context, subject);
      if (workflowId !== undefined) noteWorkflow(workflowId);
      return presentMailbox(row);
    },
  });
