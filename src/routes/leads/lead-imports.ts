/** The routes of lead file imports. Spec: Leads; choice 47. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { BYTE_ORDER_MARK, csvText } from '../../domain/csv-text.ts';
import { LEAD_IMPORT_STATUSES, MAX_FILE_BYTES } from '../../domain/leads/lead-imports.ts';
import { paged } from '../../http/envelope.ts';
import { parseJsonBody } from '../../http/request-text.ts';
import { route, type Route } from '../../http/route.ts';
import { idParams, offsetOf, pageQuery } from '../../http/schemas.ts';
import { streamedText } from '../../http/stream.ts';
import { checkFields } from '../../http/validation.ts';
import {
  cancelLeadImport,
  getLeadImport,
  importLeadFile,
  listLeadImports,
  pagesOfImportErrors,
} from '../../services/leads/lead-imports.ts';
import { FILE_TYPES, fileText, isFile, withoutMark } from '../files.ts';
import { fileQuery, jsonFile, leadImport, presentLeadImport } from './lead-import.ts';

type Needs = Pick<Context, 'db' | 'config' | 'temporal' | 'startOperation'>;

export const leadImportRoutes = (context: Needs): Route[] => [
  upload(context),
  list(context),
  read(context),
  readErrors(context),
  cancel(context),
];

const upload = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/leads/import',
    operationId: 'leadImports.create',
    tag: 'Leads',
    summary: 'Imports a CSV file of leads; a job, which `GET /v1/leads/import/:id` tells of.',
    description:
      'The body is the file itself (`text/csv`, settings in the query) or JSON with the file in ' +
      '`csv`. At most 10 MB and 100,000 rows; UTF-8, UTF-16 or Windows-1252, or the `charset` of the ' +
      '`Content-Type` (`text/csv; charset=windows-1250`); commas, semicolons, tabs or pipes. The columns are found by the usual headers of many languages, or named by ' +
      '`mapping`, which then lists every column that is read; custom fields by their name or label, or as ' +
      '`custom.name` in `mapping`. Each row needs an e-mail address, a telephone ' +
      'number or a profile URL. A row without a company stands under the domain of its address; ' +
      'with a private address under the person in a list, else under no company.',
    status: 201,
    errors: { 404: ['LEAD_LIST_NOT_FOUND'] },
    repeatable: true,
    rawBody: true,
    files: FILE_TYPES,
    maxBodyBytes: MAX_FILE_BYTES,
    query: fileQuery,
    body: jsonFile,
    response: leadImport,
    handler: async ({ user, query, headers, rawBody, requestKey, noteWorkflow }) => {
      const file = isFile(headers)
        ? { ...query, text: fileText(headers, rawBody) }
        : textOf(checkFields(jsonFile, parseJsonBody(headers['content-type'], rawBody)));
      const { mapping: named, ...given } = file;
      const upload = { ...given, named, requestKey };
      const { row, workflowId } = await importLeadFile(context, user.userId, upload);
      noteWorkflow(workflowId);
      return presentLeadImport(row);
    },
  });

const textOf = ({ csv, ...given }: z.output<typeof jsonFile>) => ({
  ...given,
  text: withoutMark(csv),
});

const list = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/leads/import',
    operationId: 'leadImports.list',
    tag: 'Leads',
    summary: 'Lists the imports of lead files, newest first.',
    status: 200,
    paged: true,
    query: pageQuery.extend({ status: z.enum(LEAD_IMPORT_STATUSES).optional() }),
    response: z.array(leadImport),
    handler: async ({ user, query }) => {
      const page = { status: query.status, limit: query.limit, offset: offsetOf(query) };
      const { rows, total } = await listLeadImports(context, user.userId, page);
      return paged(rows.map(presentLeadImport), query, total);
    },
  });

const read = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/leads/import/:id',
    operationId: 'leadImports.read',
    tag: 'Leads',
    summary: 'Reads the progress of a lead file import.',
    status: 200,
    errors: { 404: ['LEAD_IMPORT_NOT_FOUND'] },
    params: idParams,
    response: leadImport,
    handler: async ({ user, params }) =>
      presentLeadImport(await getLeadImport(context, user.userId, params.id)),
  });

const readErrors = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/leads/import/:id/errors',
    operationId: 'leadImports.exportErrors',
    tag: 'Leads',
    summary: 'The rows that failed as a CSV file: row, column, problem and the row as it was.',
    description: 'What was corrected in it can be imported again as it is.',
    status: 200,
    errors: { 404: ['LEAD_IMPORT_NOT_FOUND'] },
    contentType: 'text/csv',
    params: idParams,
    response: z.string(),
    handler: async ({ user, params }) => {
      const { id, headers } = await getLeadImport(context, user.userId, params.id);
      return streamedText(errorFile(context, id, headers), {
        contentType: 'text/csv; charset=utf-8',
        fileName: `lead-import-${id}-errors.csv`,
      });
    },
  });

async function* errorFile(context: Needs, importId: number, headers: string[]) {
  let before = BYTE_ORDER_MARK + csvText([['row', 'column', 'problem', ...headers]]);
  for await (const page of pagesOfImportErrors(context, importId)) {
    const rows = page.map((row) => [row.row_number, row.column_name, row.problem, ...row.cells]);
    yield before + csvText(rows);
    before = '';
  }
  if (before !== '') yield before;
}

const cancel = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/leads/import/:id/cancel',
    operationId: 'leadImports.cancel',
    tag: 'Leads',
    summary: 'Stops an import; what was imported stays.',
    description: 'Cancelling again changes nothing; an import that has ended is `INVALID_STATE`.',
    status: 200,
    errors: { 400: ['INVALID_STATE'], 404: ['LEAD_IMPORT_NOT_FOUND'] },
    repeatable: true,
    params: idParams,
    response: leadImport,
    handler: async ({ user, params }) =>
      presentLeadImport(await cancelLeadImport(context, user.userId, params.id)),
  });
