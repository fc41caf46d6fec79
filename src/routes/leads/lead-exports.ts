/** Leads as CSV files, which `POST /v1/leads/import` can read back. Spec: Leads, Lead lists. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { BYTE_ORDER_MARK, csvText, type CsvValue } from '../../domain/csv-text.ts';
import { customVariable } from '../../domain/leads/custom-fields.ts';
import { LEAD_FIELDS } from '../../domain/leads/lead-fields.ts';
import { route, type Route } from '../../http/route.ts';
import { idParams, pathId } from '../../http/schemas.ts';
import { streamedText } from '../../http/stream.ts';
import { exportLeads, type ExportedLead } from '../../services/leads/lead-exports.ts';
import { assertUserLeadList } from '../../services/leads/lead-lists.ts';
import { leadFilterQuery, leadQuery, presentLead } from './lead-shapes.ts';

type Needs = Pick<Context, 'db'>;

/** Must come before `/v1/leads/:id`. */
export const leadExportRoutes = (context: Needs): Route[] => [
  exportAll(context),
  exportList(context),
];

/** What a file has of a lead, in its order; named as in the API, and in the import's mapping. */
const OF_LEAD = [
  'id',
  ...Object.values(LEAD_FIELDS).map(({ wire }) => wire),
  'status',
  'leadSource',
  'validationScore',
  'emailValid',
  'companyId',
] as const;

/** What follows, of the company. */
const OF_COMPANY: Readonly<Record<string, (row: ExportedLead) => CsvValue | undefined>> = {
  companyName: ({ company }) => company?.name,
  companyWebsite: ({ company }) => company?.website ?? company?.domain,
  companyPhone: ({ company }) => company?.phone,
  companyAddress: ({ company }) => company?.address,
  companyCity: ({ company }) => company?.city,
  companyState: ({ company }) => company?.state,
  companyCountryCode: ({ company }) => company?.country_code,
  companyCategory: ({ company }) => company?.category,
  leadListId: ({ company }) => company?.lead_list_id,
  createdAt: ({ lead }) => lead.created_at.toISOString(),
};

function cellsOf(row: ExportedLead, customNames: readonly string[]): CsvValue[] {
  const shown = presentLead(row.lead);
  const custom = new Map(row.lead.custom_values?.map(({ name, value }) => [name, value]));
  return [
    ...OF_LEAD.map((name) => shown[name]),
    ...Object.values(OF_COMPANY).map((valueOf) => valueOf(row) ?? null),
    ...customNames.map((name) => custom.get(name) ?? null),
  ];
}

const format = z.enum(['csv']).default('csv');
const { sort: _sort, order: _order, ...filters } = leadFilterQuery;

const description =
  'UTF-8 with a byte order mark, commas, one row per lead, the oldest first. A cell that a ' +
  'spreadsheet would take for a formula has an apostrophe in front; telephone numbers have none. Custom fields come last, as ' +
  '`custom.name`.';

const exportAll = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/leads/export',
    operationId: 'leads.export',
    tag: 'Leads',
    summary: 'All leads as a CSV file, with the filters of `GET /v1/leads`.',
    description,
    status: 200,
    errors: { 404: ['LEAD_LIST_NOT_FOUND'] },
    contentType: 'text/csv',
    query: z.object({ ...filters, format, leadListId: pathId.optional() }),
    response: z.string(),
    handler: async ({ user, query }) =>
      file(await exportLeads(context, user.userId, leadQuery(query)), 'leads.csv'),
  });

const exportList = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/lead-lists/:id/export',
    operationId: 'leadLists.export',
    tag: 'Lead lists',
    summary: 'The leads of a list as a CSV file.',
    description,
    status: 200,
    errors: { 404: ['LEAD_LIST_NOT_FOUND'] },
    contentType: 'text/csv',
    params: idParams,
    query: z.object({ ...filters, format }),
    response: z.string(),
    handler: async ({ user, params, query }) => {
      // Named by the path, it is refused without a field.
      await assertUserLeadList(context, user.userId, params.id);
      const wanted = leadQuery({ ...query, leadListId: params.id });
      const found = await exportLeads(context, user.userId, wanted);
      return file(found, `lead-list-${params.id}.csv`);
    },
  });

interface Found {
  pages: AsyncIterable<ExportedLead[]>;
  customNames: readonly string[];
}

const file = (found: Found, fileName: string) =>
  streamedText(linesOf(found), { contentType: 'text/csv; charset=utf-8', fileName });

async function* linesOf({ pages, customNames }: Found): AsyncGenerator<string> {
  const header = [...OF_LEAD, ...Object.keys(OF_COMPANY), ...customNames.map(customVariable)];
  let before = BYTE_ORDER_MARK + csvText([header]);
  for await (const page of pages) {
    yield before + csvText(page.map((row) => cellsOf(row, customNames)));
    before = '';
  }
  if (before !== '') yield before;
}
