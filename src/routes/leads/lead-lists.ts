/** Lead lists. Spec: Lead lists; choices 3-5, 62. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { paged, reply } from '../../http/envelope.ts';
import { route, type Route } from '../../http/route.ts';
import { idParams, pageQuery, timestamp } from '../../http/schemas.ts';
import {
  assertUserLeadList,
  changeLeadList,
  createLeadList,
  deleteLeadList,
  getUserLeadList,
  listLeadLists,
  type LeadListRow,
} from '../../services/leads/lead-lists.ts';
import { readLeadFilter } from '../../services/leads/leads.ts';
import { company, companyPages, presentCompany } from './companies.ts';
import { cursorPaged, pageOrCursorQuery } from '../cursor.ts';
import { lead, leadFilterQuery, leadQuery, pageOf, presentLead, sortQuery } from './lead-shapes.ts';
import { leadPages } from './leads.ts';

type Needs = Pick<Context, 'db' | 'clock' | 'config' | 'temporal' | 'startOperation'>;

const tag = 'Lead lists';

export const leadListRoutes = (context: Needs): Route[] => [
  create(context),
  list(context),
  read(context),
  change(context),
  remove(context),
  companiesOf(context),
  leadsOf(context),
];

/** Choice 3. */
const leadList = z
  .object({
    id: z.int(),
    name: z.string(),
    description: z.string().nullable(),
    source: z.string().nullable(),
    companiesCount: z.int(),
    leadsCount: z.int(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'LeadList' });

/** Choice 4. */
const name = z.string().trim().min(1).max(200);
const description = z.string().trim().max(2_000).nullish();

const create = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/lead-lists',
    operationId: 'leadLists.create',
    tag,
    summary: 'Creates a lead list.',
    status: 201,
    body: z.object({ name, description }),
    response: leadList,
    handler: async ({ user, body }) =>
      reply(present(await createLeadList(context, user.userId, body)), {
        message: 'Lead list created',
      }),
  });

const list = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/lead-lists',
    operationId: 'leadLists.list',
    tag,
    summary: 'Lists the lead lists.',
    status: 200,
    paged: true,
    query: pageQuery,
    response: z.array(leadList),
    handler: async ({ user, query }) => {
      const { rows, total } = await listLeadLists(context, user.userId, pageOf(query));
      return paged(rows.map(present), query, total);
    },
  });

const read = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/lead-lists/:id',
    operationId: 'leadLists.read',
    tag,
    summary: 'Reads a lead list.',
    status: 200,
    errors: { 404: ['LEAD_LIST_NOT_FOUND'] },
    params: idParams,
    response: leadList,
    handler: async ({ user, params }) =>
      present(await getUserLeadList(context, user.userId, params.id)),
  });

const change = (context: Needs) =>
  route({
    method: 'patch',
    path: '/v1/lead-lists/:id',
    operationId: 'leadLists.update',
    tag,
    summary: 'Changes a lead list.',
    status: 200,
    errors: { 404: ['LEAD_LIST_NOT_FOUND'] },
    params: idParams,
    body: z.object({ name: name.optional(), description }),
    response: leadList,
    handler: async ({ user, params, body }) =>
      present(await changeLeadList(context, { userId: user.userId, id: params.id }, body)),
  });

/** Spec: DELETE /v1/lead-lists/:id. Its errors carry the codes of the specification. */
const remove = (context: Needs) =>
  route({
    method: 'delete',
    path: '/v1/lead-lists/:id',
    operationId: 'leadLists.delete',
    tag,
    summary: 'Deletes a lead list, its companies and the leads under them.',
    description:
      'For good, and all or nothing: none of it is in any answer any more, nor written to. The rows ' +
      'of a big list are removed in the background. A discovery or an import of a file that fills ' +
      'the list is cancelled and an import of places ends; a map run goes on without the list.',
    status: 200,
    errors: { 404: ['LEAD_LIST_NOT_FOUND'], 500: ['LEAD_LIST_DELETE_ERROR'] },
    params: idParams,
    response: z.object({
      lead_list_id: z.int(),
      deleted_companies: z.int(),
      deleted_leads: z.int(),
      message: z.string(),
    }),
    handler: async ({ user, params }) => {
      const { companies, leads } = await deleteLeadList(context, user.userId, params.id);
      const message = 'Lead list deleted';
      // Choice 62: in `data` as in the specification, and beside it as in all other routes.
      const deleted = {
        lead_list_id: params.id,
        // Spec: Cascade. The companies that were directly in the list.
        deleted_companies: companies,
        deleted_leads: leads,
        message,
      };
      return reply(deleted, { message });
    },
  });

/** Choice 5. */
const companiesOf = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/lead-lists/:id/companies',
    operationId: 'leadLists.listCompanies',
    tag,
    summary: 'Lists the companies of a list.',
    status: 200,
    errors: { 404: ['LEAD_LIST_NOT_FOUND'] },
    paged: 'cursor',
    params: idParams,
    query: z.object({ ...pageOrCursorQuery, ...sortQuery }),
    response: z.array(company),
    handler: async ({ user, params, query }) => {
      await assertUserLeadList(context, user.userId, params.id);
      const filter = { leadListId: params.id, search: query.search };
      const reads = companyPages(context, user.userId, filter);
      return cursorPaged(query, reads, { present: presentCompany });
    },
  });

/** Choice 5. A lead is in the list of its company. */
const leadsOf = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/lead-lists/:id/leads',
    operationId: 'leadLists.listLeads',
    tag,
    summary: 'Lists the leads of a list.',
    status: 200,
    errors: { 404: ['LEAD_LIST_NOT_FOUND'] },
    paged: 'cursor',
    params: idParams,
    query: z.object({ ...pageOrCursorQuery, ...leadFilterQuery }),
    response: z.array(lead),
    handler: async ({ user, params, query }) => {
      await assertUserLeadList(context, user.userId, params.id);
      const wanted = await readLeadFilter(context, user.userId, leadQuery(query));
      const filter = { ...wanted, leadListId: params.id };
      const reads = leadPages(context, user.userId, filter);
      return cursorPaged(query, reads, { present: presentLead });
    },
  });

const present = (row: LeadListRow): z.input<typeof leadList> => ({
  id: row.id,
  name: row.name,
  description: row.description,
  source: row.source,
  companiesCount: row.companies_count,
  leadsCount: row.leads_count,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});
