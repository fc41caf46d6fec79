/** Companies. Spec: Company; choices 1, 2. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { reply } from '../../http/envelope.ts';
import { route, type Route } from '../../http/route.ts';
import { bodyId, idParams, pathId, shortText, timestamp } from '../../http/schemas.ts';
import {
  changeCompany,
  deleteCompany,
  getUserCompany,
  listCompanies,
  listCompaniesBehind,
  type CompanyFilter,
  type CompanyRow,
} from '../../services/leads/companies.ts';
import { cursorPaged, pageOrCursorQuery, type Behind, type Page } from '../cursor.ts';
import { presentProvenance, provenance, sortQuery } from './lead-shapes.ts';
import { anyText, phone, webAddress } from './lead-texts.ts';

type Needs = Pick<Context, 'db'>;

const tag = 'Companies';

export const companyRoutes = (context: Needs): Route[] => [
  list(context),
  read(context),
  change(context),
  remove(context),
];

/** Choice 1. */
export const company = z
  .object({
    id: z.int(),
    name: z.string(),
    domain: z.string().nullable(),
    website: z.string().nullable(),
    phone: z.string().nullable(),
    address: z.string().nullable(),
    city: z.string().nullable(),
    state: z.string().nullable(),
    countryCode: z.string().nullable(),
    category: z.string().nullable(),
    rating: z.number().nullable(),
    reviewsCount: z.int().nullable(),
    source: z.string().nullable(),
    mapsUrl: z.string().nullable(),
    placeId: z.string().nullable(),
    leadListId: z.int().nullable(),
    leadsCount: z.int(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Company' });

const companyWithProvenance = company.extend({ provenance }).meta({ id: 'CompanyWithProvenance' });

const list = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/companies',
    operationId: 'companies.list',
    tag,
    summary: 'Lists the companies.',
    status: 200,
    paged: 'cursor',
    query: z.object({ ...pageOrCursorQuery, ...sortQuery, leadListId: pathId.optional() }),
    response: z.array(company),
    handler: async ({ user, query }) => {
      const { search, leadListId } = query;
      const reads = companyPages(context, user.userId, { search, leadListId });
      return cursorPaged(query, reads, { present: presentCompany });
    },
  });

export const companyPages = (context: Needs, userId: string, filter: CompanyFilter) => ({
  page: (page: Page) => listCompanies(context, userId, { filter, ...page }),
  behind: (page: Behind) => listCompaniesBehind(context, userId, { filter, ...page }),
});

const read = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/companies/:id',
    operationId: 'companies.read',
    tag,
    summary: 'Reads a company and where each of its fields came from.',
    status: 200,
    errors: { 404: ['COMPANY_NOT_FOUND'] },
    params: idParams,
    response: companyWithProvenance,
    handler: async ({ user, params }) =>
      presentWhole(await getUserCompany(context, user.userId, params.id)),
  });

const change = (context: Needs) =>
  route({
    method: 'patch',
    path: '/v1/companies/:id',
    operationId: 'companies.update',
    tag,
    summary: 'Changes a company; null clears a field.',
    description:
      'The domain follows the website. `leadListId` moves the company and its leads to another ' +
      'list, null takes them out of theirs.',
    status: 200,
    errors: { 400: ['COMPANY_EXISTS'], 404: ['COMPANY_NOT_FOUND', 'LEAD_LIST_NOT_FOUND'] },
    params: idParams,
    body: z.object({
      name: shortText.optional(),
      website: webAddress,
      phone,
      address: anyText,
      city: anyText,
      state: anyText,
      countryCode: z
        .string()
        .trim()
        .regex(/^[a-z]{2}$/i, 'must be two letters')
        .transform((code) => code.toUpperCase())
        .nullish(),
      category: anyText,
      leadListId: bodyId.nullish(),
    }),
    response: companyWithProvenance,
    handler: async ({ user, params, body }) =>
      presentWhole(await changeCompany(context, { userId: user.userId, id: params.id }, body)),
  });

const remove = (context: Needs) =>
  route({
    method: 'delete',
    path: '/v1/companies/:id',
    operationId: 'companies.delete',
    tag,
    summary: 'Deletes a company and its leads.',
    status: 200,
    errors: { 404: ['COMPANY_NOT_FOUND'] },
    params: idParams,
    response: z.object({ id: z.int(), deletedLeads: z.int() }),
    handler: async ({ user, params }) => {
      const { deletedLeads } = await deleteCompany(context, user.userId, params.id);
      return reply({ id: params.id, deletedLeads }, { message: 'Company deleted' });
    },
  });

export const presentCompany = (row: CompanyRow): z.input<typeof company> => ({
  id: row.id,
  name: row.name,
  domain: row.domain,
  website: row.website,
  phone: row.phone,
  address: row.address,
  city: row.city,
  state: row.state,
  countryCode: row.country_code,
  category: row.category,
  rating: row.rating,
  reviewsCount: row.reviews_count,
  source: row.source,
  mapsUrl: row.maps_url,
  placeId: row.place_id,
  leadListId: row.lead_list_id,
  leadsCount: row.leads_count,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});

function presentWhole(row: CompanyRow): z.input<typeof companyWithProvenance> {
  const shown = presentCompany(row);
  const { id: _id, source: _source, leadsCount: _count, createdAt, updatedAt, ...values } = shown;
  return {
    ...shown,
    createdAt,
    updatedAt,
    provenance: presentProvenance(row, values),
  };
}
