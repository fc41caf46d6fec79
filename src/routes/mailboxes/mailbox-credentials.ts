/** The routes that show passwords: a new one, the current one, and all of them as a file. Choices 27, 43. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { exactCsvText, type CsvValue } from '../../domain/csv-text.ts';
import { route, type Route } from '../../http/route.ts';
import { idParams, pathId } from '../../http/schemas.ts';
import { streamedText } from '../../http/stream.ts';
import { rotatePassword } from '../../services/mailboxes/mailbox-changes.ts';
import {
  exportMailboxes,
  getCredentials,
  type MailboxCredentials,
} from '../../services/mailboxes/mailbox-credentials.ts';
import { mailbox, password, presentMailbox } from './mailbox-shapes.ts';

type Needs = Pick<Context, 'db' | 'config' | 'cipher' | 'temporal' | 'startOperation'>;

/** `export` must come before `:id`. */
export const mailboxCredentialRoutes = (context: Needs): Route[] => [
  exportAll(context),
  read(context),
  rotate(context),
];

const IMAP_PORT = 993;
const SMTP_PORT = 465;

/** Choice 43: a key without this scope gets 401 JWT_REQUIRED. */
const scope = 'credentials:read';

const rotate = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/mailboxes/:id/rotate-password',
    operationId: 'mailboxes.rotatePassword',
    tag: 'Mailboxes',
    summary: 'Changes the password of a mailbox.',
    description:
      'The new one is in this answer only. Campaigns, warm-up and inbox go on with it by ' +
      'themselves. `isInForce` is false where the host has not taken it within 25 s; given up, the ' +
      'old one stays.',
    status: 200,
    errors: {
      400: ['INVALID_STATE', 'MAILBOX_NOT_FOUND', 'CANCELLED'],
      404: ['MAILBOX_NOT_FOUND'],
    },
    repeatable: true,
    params: idParams,
    body: z.object({ password: password.optional() }),
    response: mailbox
      .extend({ password: z.string(), isInForce: z.boolean() })
      .meta({ id: 'RotatedMailbox' }),
    handler: async ({ user, params, body, requestKey, noteWorkflow }) => {
      const subject = { userId: user.userId, id: params.id };
      const rotation = await rotatePassword(context, subject, body, requestKey);
      noteWorkflow(rotation.workflowId);
      const { password: shown, isInForce } = rotation;
      return { ...presentMailbox(rotation.mailbox), password: shown, isInForce };
    },
  });

const server = z.object({ host: z.string(), port: z.int(), secure: z.literal(true) });

const read = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/mailboxes/:id/credentials',
    operationId: 'mailboxes.readCredentials',
    tag: 'Mailboxes',
    summary: 'Shows how to log in to a mailbox.',
    description: 'Needs a JWT, or a key with the scope `credentials:read`.',
    status: 200,
    errors: { 400: ['INVALID_STATE'], 404: ['MAILBOX_NOT_FOUND'] },
    scope,
    params: idParams,
    response: z
      .object({
        id: z.int(),
        email: z.string(),
        username: z.string(),
        password: z.string(),
        imap: server,
        smtp: server,
      })
      .meta({ id: 'MailboxCredentials' }),
    handler: async ({ user, params }) => {
      const {
        id,
        email,
        password: shown,
        host,
      } = await getCredentials(context, {
        userId: user.userId,
        id: params.id,
      });
      const at = (port: number) => ({ host, port, secure: true as const });
      const [imap, smtp] = [at(IMAP_PORT), at(SMTP_PORT)];
      return { id, email, username: email, password: shown, imap, smtp };
    },
  });

type Columns = Readonly<Record<string, (row: MailboxCredentials) => CsvValue>>;

const firstName = ({ senderName }: MailboxCredentials) => senderName.trim().split(/\s+/)[0] ?? '';
const lastName = ({ senderName }: MailboxCredentials) =>
  senderName.trim().split(/\s+/).slice(1).join(' ');

/** In the order of the file; named as the importing programs require. */
const FORMATS: Readonly<Record<'csv' | 'instantly' | 'smartlead', Columns>> = {
  csv: {
    id: ({ id }) => id,
    email: ({ email }) => email,
    senderName: ({ senderName }) => senderName,
    username: ({ email }) => email,
    password: (row) => row.password,
    imapHost: ({ host }) => host,
    imapPort: () => IMAP_PORT,
    smtpHost: ({ host }) => host,
    smtpPort: () => SMTP_PORT,
    dailyLimit: ({ dailyLimit }) => dailyLimit,
    signature: (row) => row.signature,
  },
  instantly: {
    Email: ({ email }) => email,
    'First Name': firstName,
    'Last Name': lastName,
    'IMAP Username': ({ email }) => email,
    'IMAP Password': (row) => row.password,
    'IMAP Host': ({ host }) => host,
    'IMAP Port': () => IMAP_PORT,
    'SMTP Username': ({ email }) => email,
    'SMTP Password': (row) => row.password,
    'SMTP Host': ({ host }) => host,
    'SMTP Port': () => SMTP_PORT,
    'Daily Limit': ({ dailyLimit }) => dailyLimit,
  },
  smartlead: {
    from_name: ({ senderName }) => senderName,
    from_email: ({ email }) => email,
    user_name: ({ email }) => email,
    password: (row) => row.password,
    smtp_host: ({ host }) => host,
    smtp_port: () => SMTP_PORT,
    imap_host: ({ host }) => host,
    imap_port: () => IMAP_PORT,
    max_email_per_day: ({ dailyLimit }) => dailyLimit,
  },
};

const exportAll = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/mailboxes/export',
    operationId: 'mailboxes.export',
    tag: 'Mailboxes',
    summary: 'All active mailboxes with their passwords, as a CSV file.',
    description:
      'Needs a JWT, or a key with the scope `credentials:read`. `format` names the columns: ours, ' +
      'Instantly’s or Smartlead’s. UTF-8, commas, the oldest first; every cell stands as it is.',
    status: 200,
    errors: { 404: ['CLUSTER_NOT_FOUND'] },
    scope,
    contentType: 'text/csv',
    query: z.object({
      format: z.enum(['csv', 'instantly', 'smartlead']).default('csv'),
      clusterId: pathId.optional(),
    }),
    response: z.string(),
    handler: async ({ user, query }) => {
      const pages = await exportMailboxes(context, user.userId, query.clusterId);
      return streamedText(linesOf(pages, FORMATS[query.format]), {
        contentType: 'text/csv; charset=utf-8',
        fileName: `mailboxes-${query.format}.csv`,
      });
    },
  });

async function* linesOf(
  pages: AsyncIterable<MailboxCredentials[]>,
  columns: Columns,
): AsyncGenerator<string> {
  const values = Object.values(columns);
  let before = exactCsvText([Object.keys(columns)]);
  for await (const page of pages) {
    yield before + exactCsvText(page.map((row) => values.map((value) => value(row))));
    before = '';
  }
  if (before !== '') yield before;
}
