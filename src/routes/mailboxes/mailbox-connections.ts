/** The routes of mailboxes that live elsewhere. Choice 105. */
import type { Context } from '../../context.ts';
import { route, type Route } from '../../http/route.ts';
import { idParams } from '../../http/schemas.ts';
import {
  connectMailbox,
  getConnection,
  reconnectMailbox,
} from '../../services/mailboxes/mailbox-connections.ts';
import {
  changeBody,
  changeOf,
  connectBody,
  connection,
  orderOf,
  presentConnection,
} from './connection-shapes.ts';

type Needs = Pick<Context, 'db' | 'config' | 'cipher' | 'temporal' | 'startOperation'>;

export const mailboxConnectionRoutes = (context: Needs): Route[] => [
  connect(context),
  read(context),
  change(context),
];

const connect = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/mailboxes/connect',
    operationId: 'mailboxes.connect',
    tag: 'Mailboxes',
    summary: 'Connects a mailbox that lives elsewhere, by its SMTP, IMAP and password.',
    description:
      'Answers at once. It is proven first: both logins, and a message from the mailbox to itself that is read ' +
      'by IMAP and deleted. Then `status` is `active`, and limits, warm-up, campaigns and inbox are as for any ' +
      'mailbox; `GET /v1/mailboxes/:id/connection` tells how far it is, or what is wrong. A `preset` knows its ' +
      'vendor’s servers. The password is stored sealed and never shown again.',
    status: 201,
    errors: { 400: ['MAILBOX_EXISTS'] },
    repeatable: true,
    body: connectBody(context.config.SEND_MAILBOX_DAILY_MAX),
    response: connection,
    handler: async ({ user, body, requestKey, noteWorkflow }) => {
      const done = await connectMailbox(context, user.userId, orderOf(body), requestKey);
      noteWorkflow(done.workflowId);
      return presentConnection(done.view);
    },
  });

const read = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/mailboxes/:id/connection',
    operationId: 'mailboxes.readConnection',
    tag: 'Mailboxes',
    summary: 'Reads where a connected mailbox lives, and how far its proof is.',
    status: 200,
    errors: { 400: ['NOT_CONNECTED'], 404: ['MAILBOX_NOT_FOUND'] },
    params: idParams,
    response: connection,
    handler: async ({ user, params }) =>
      presentConnection(await getConnection(context, { userId: user.userId, id: params.id })),
  });

const change = (context: Needs) =>
  route({
    method: 'patch',
    path: '/v1/mailboxes/:id/connection',
    operationId: 'mailboxes.updateConnection',
    tag: 'Mailboxes',
    summary: 'Connects a mailbox anew, by another password or other servers.',
    description:
      'Proves it as at first. One that is in use goes on by its login of before until that has succeeded; one ' +
      'that has failed is tried again, by what this shows of it and the `password`, which was forgotten. What is left ' +
      'out stays; a `preset` brings the servers of its vendor where none are named. Another host, port, TLS or ' +
      '`username` comes with the `password`, too: the stored one goes nowhere else.',
    status: 200,
    errors: {
      400: ['NOT_CONNECTED', 'INVALID_STATE', 'MAILBOX_EXISTS'],
      404: ['MAILBOX_NOT_FOUND'],
    },
    params: idParams,
    body: changeBody,
    response: connection,
    handler: async ({ user, params, body, noteWorkflow }) => {
      const mailbox = { userId: user.userId, id: params.id };
      const done = await reconnectMailbox(context, mailbox, changeOf(body));
      noteWorkflow(done.workflowId);
      return presentConnection(done.view);
    },
  });
