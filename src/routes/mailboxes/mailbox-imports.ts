/** The routes of files of mailboxes. Choice 120. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import {
  MAILBOX_IMPORT_STATUSES,
  MAILBOX_ROW_STATES,
} from '../../domain/mailboxes/mailbox-imports.ts';
import { paged } from '../../http/envelope.ts';
import { parseJsonBody } from '../../http/request-text.ts';
import { route, type Route } from '../../http/route.ts';
import { idParams, offsetOf, pageQuery, shortText } from '../../http/schemas.ts';
import { checkFields } from '../../http/validation.ts';
import {
  cancelMailboxImport,
  getMailboxImport,
  importMailboxes,
  listMailboxImportRows,
  listMailboxImports,
} from '../../services/mailboxes/mailbox-imports.ts';
import { delimiter, FILE_TYPES, fileText, isFile, MAX_FILE_BYTES, withoutMark } from '../files.ts';
import { connectBody } from './connection-shapes.ts';
import {
  mailboxFileOf,
  mailboxImport,
  mailboxImportRow,
  presentImportRow,
  presentMailboxImport,
} from './mailbox-import-shapes.ts';

type Needs = Pick<Context, 'db' | 'config' | 'cipher' | 'temporal' | 'startOperation'>;

export const mailboxImportRoutes = (context: Needs): Route[] => [
  upload(context),
  list(context),
  read(context),
  listRows(context),
  cancel(context),
];

const common = { fileName: shortText.optional(), delimiter: delimiter.optional() };
const jsonFile = z.object({ ...common, csv: z.string() });

const upload = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/mailboxes/import',
    operationId: 'mailboxImports.create',
    tag: 'Mailboxes',
    summary:
      'Connects the mailboxes of a CSV file; a job, which `GET /v1/mailboxes/import/:id` tells of.',
    description:
      'The body is the file itself (`text/csv`, settings in the query) or JSON with the file in `csv`. At most 10 MB ' +
      'and 100,000 rows; UTF-8, UTF-16 or Windows-1252, or the `charset` of the `Content-Type`; commas, semicolons, ' +
      'tabs or pipes. Columns, in any order and case: `email`, `password`, and `preset` or `smtpHost`, `smtpPort` (465), `imapHost`, `imapPort` (993); ' +
      '`username`, `smtpTls`, `imapTls`, `senderName` and `dailyLimit` where wanted. Each row is what ' +
      '`POST /v1/mailboxes/connect` takes, and is proven like that; one that cannot be read or connected stops no ' +
      'other. The passwords are stored sealed and never shown again.',
    status: 201,
    repeatable: true,
    rawBody: true,
    files: FILE_TYPES,
    maxBodyBytes: MAX_FILE_BYTES,
    query: z.object(common),
    body: jsonFile,
    response: mailboxImport,
    handler: async ({ user, query, headers, rawBody, requestKey, noteWorkflow }) => {
      const given = isFile(headers)
        ? { ...query, text: fileText(headers, rawBody) }
        : fromJson(checkFields(jsonFile, parseJsonBody(headers['content-type'], rawBody)));
      const file = await mailboxFileOf(given, connectBody(context.config.SEND_MAILBOX_DAILY_MAX));
      const done = await importMailboxes(context, user.userId, file, requestKey);
      noteWorkflow(done.workflowId);
      return presentMailboxImport(done.view);
    },
  });

const fromJson = ({ csv, ...given }: z.output<typeof jsonFile>) => ({
  ...given,
  text: withoutMark(csv),
});

const list = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/mailboxes/import',
    operationId: 'mailboxImports.list',
    tag: 'Mailboxes',
    summary: 'Lists the imports of mailboxes, newest first.',
    status: 200,
    paged: true,
    query: pageQuery.extend({ status: z.enum(MAILBOX_IMPORT_STATUSES).optional() }),
    response: z.array(mailboxImport),
    handler: async ({ user, query }) => {
      const page = { status: query.status, limit: query.limit, offset: offsetOf(query) };
      const { views, total } = await listMailboxImports(context, user.userId, page);
      return paged(views.map(presentMailboxImport), query, total);
    },
  });

const read = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/mailboxes/import/:id',
    operationId: 'mailboxImports.read',
    tag: 'Mailboxes',
    summary: 'Reads the progress of an import of mailboxes.',
    status: 200,
    errors: { 404: ['MAILBOX_IMPORT_NOT_FOUND'] },
    params: idParams,
    response: mailboxImport,
    handler: async ({ user, params }) =>
      presentMailboxImport(await getMailboxImport(context, user.userId, params.id)),
  });

const listRows = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/mailboxes/import/:id/rows',
    operationId: 'mailboxImports.listRows',
    tag: 'Mailboxes',
    summary: 'Lists what became of the rows of an import, in the order of the file.',
    status: 200,
    errors: { 404: ['MAILBOX_IMPORT_NOT_FOUND'] },
    paged: true,
    params: idParams,
    query: pageQuery.extend({ state: z.enum(MAILBOX_ROW_STATES).optional() }),
    response: z.array(mailboxImportRow),
    handler: async ({ user, params, query }) => {
      const states = query.state && [query.state];
      const page = { states, limit: query.limit, offset: offsetOf(query) };
      const of = { userId: user.userId, id: params.id };
      const { rows, total } = await listMailboxImportRows(context, of, page);
      return paged(rows.map(presentImportRow), query, total);
    },
  });

const cancel = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/mailboxes/import/:id/cancel',
    operationId: 'mailboxImports.cancel',
    tag: 'Mailboxes',
    summary: 'Stops an import; mailboxes that are connected stay.',
    description:
      'Passwords of rows that are waiting are deleted at once. Cancelling again changes nothing; an import that has ' +
      'ended is `INVALID_STATE`.',
    status: 200,
    errors: { 400: ['INVALID_STATE'], 404: ['MAILBOX_IMPORT_NOT_FOUND'] },
    repeatable: true,
    params: idParams,
    response: mailboxImport,
    handler: async ({ user, params }) =>
      presentMailboxImport(await cancelMailboxImport(context, user.userId, params.id)),
  });
