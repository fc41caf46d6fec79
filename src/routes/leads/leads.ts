/** Leads. Spec: Leads; choices 17, 18. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { customVariable } from '../../domain/leads/custom-fields.ts';
import { byWireName, LEAD_FIELDS } from '../../domain/leads/lead-fields.ts';
import { reply } from '../../http/envelope.ts';
import { route, type Route } from '../../http/route.ts';
import { bodyId, idParams, pathId } from '../../http/schemas.ts';
import { streamed } from '../../http/stream.ts';
import { changeLead } from '../../services/leads/lead-changes.ts';
import { deleteLead, deleteLeads } from '../../services/leads/lead-deletions.ts';
import { moveLeads } from '../../services/leads/lead-moves.ts';
import {
  getUserLead,
  listLeads,
  listLeadsBehind,
  readAllLeads,
  readLeadFilter,
  type LeadFilter,
  type LeadRow,
} from '../../services/leads/leads.ts';
import { cursorPaged, pageOrCursorQuery, type Behind, type Page } from '../cursor.ts';
import {
  lead,
  leadFilterQuery,
  leadQuery,
  orderOf,
  presentLead,
  presentProvenance,
  provenance,
} from './lead-shapes.ts';
import { changedCustom } from './custom-field-shapes.ts';
import { changedFields } from './lead-field-shapes.ts';
import { createLeads } from './new-leads.ts';

type Needs = Pick<Context, 'db' | 'clock' | 'temporal'>;

const tag = 'Leads';

export const leadRoutes = (context: Needs): Route[] => [
  createLeads(context),
  list(context),
  bulkDelete(context),
  move(context),
  read(context),
  change(context),
  remove(context),
];

const leadWithProvenance = lead.extend({ provenance }).meta({ id: 'LeadWithProvenance' });

/** Spec: GET /v1/leads. Returns all leads of the account; with `page` or `limit`, one page. */
const list = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/leads',
    operationId: 'leads.list',
    tag,
    summary: 'Lists leads: all of them, or in pages.',
    description:
      'Without `page`, `limit` and `cursor` the answer has all leads. Pages have ' +
      '`meta.pagination.nextCursor`: the next page by `cursor` neither skips nor repeats a lead ' +
      'when others come or go, and is as fast at the end as at the start.',
    status: 200,
    errors: { 404: ['LEAD_LIST_NOT_FOUND'] },
    paged: 'cursor',
    query: z.object({ ...pageOrCursorQuery, ...leadFilterQuery, leadListId: pathId.optional() }),
    response: z.array(lead),
    handler: async ({ user, query }) => {
      const filter = await readLeadFilter(context, user.userId, leadQuery(query));
      const { userId } = user;
      if (query.page === undefined && query.limit === undefined && !query.cursor) {
        const pages = readAllLeads(context, userId, { filter, order: orderOf(query) });
        return streamed(pages, presentLead, { message: MESSAGE });
      }
      const reads = leadPages(context, userId, filter);
      return cursorPaged(query, reads, { present: presentLead, message: MESSAGE });
    },
  });

export const leadPages = (context: Needs, userId: string, filter: LeadFilter) => ({
  page: (page: Page) => listLeads(context, userId, { filter, ...page }),
  behind: (page: Behind) => listLeadsBehind(context, userId, { filter, ...page }),
});

const MESSAGE = 'Leads of the account';

const read = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/leads/:id',
    operationId: 'leads.read',
    tag,
    summary: 'Reads a lead and where each of its fields came from.',
    status: 200,
    errors: { 404: ['LEAD_NOT_FOUND'] },
    params: idParams,
    response: leadWithProvenance,
    handler: async ({ user, params }) =>
      presentWhole(await getUserLead(context, user.userId, params.id)),
  });

const change = (context: Needs) =>
  route({
    method: 'patch',
    path: '/v1/leads/:id',
    operationId: 'leads.update',
    tag,
    summary: 'Changes a lead; null clears a field.',
    description:
      'A new e-mail address has no validation result. One of e-mail, phone and profile has to stay. ' +
      'An address that another lead has is `LEAD_EXISTS`.',
    status: 200,
    errors: { 400: ['LEAD_EXISTS', 'PERSON_ERASED'], 404: ['LEAD_NOT_FOUND', 'COMPANY_NOT_FOUND'] },
    params: idParams,
    body: z.object({
      ...changedFields,
      companyId: bodyId.nullish(),
      custom: changedCustom,
    }),
    response: leadWithProvenance,
    handler: async ({ user, params, body }) =>
      presentWhole(await changeLead(context, { userId: user.userId, id: params.id }, body)),
  });

const remove = (context: Needs) =>
  route({
    method: 'delete',
    path: '/v1/leads/:id',
    operationId: 'leads.delete',
    tag,
    summary: 'Deletes a lead.',
    status: 200,
    errors: { 404: ['LEAD_NOT_FOUND'] },
    params: idParams,
    response: z.object({ id: z.int() }),
    handler: async ({ user, params }) => {
      await deleteLead(context, user.userId, params.id);
      return reply({ id: params.id }, { message: 'Lead deleted' });
    },
  });

const MAX_IDS = 1_000;
const ids = z.array(bodyId).min(1).max(MAX_IDS);

const bulkDelete = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/leads/bulk-delete',
    operationId: 'leads.deleteMany',
    tag,
    summary: 'Deletes many leads.',
    description: 'Ids that are no leads of the account are listed in `missingIds`.',
    status: 200,
    body: z.object({ ids }),
    response: z.object({ deletedLeads: z.int(), missingIds: z.array(z.int()) }),
    handler: ({ user, body }) => deleteLeads(context, user.userId, body.ids),
  });

const move = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/leads/move',
    operationId: 'leads.move',
    tag,
    summary: 'Moves leads to a list, with their companies.',
    description:
      'A lead is in the list of its company. So the companies of the given leads move, and all ' +
      'their leads with them; `movedLeads` counts these. Leads without a company stay, in ' +
      '`withoutCompanyIds`, and so do companies that the list has already, in `knownCompanies`.',
    status: 200,
    errors: { 404: ['LEAD_LIST_NOT_FOUND'] },
    body: z.object({ ids, leadListId: bodyId }),
    response: z.object({
      leadListId: z.int(),
      movedCompanies: z.int(),
      movedLeads: z.int(),
      knownCompanies: z.array(z.object({ companyId: z.int(), existingCompanyId: z.int() })),
      withoutCompanyIds: z.array(z.int()),
      missingIds: z.array(z.int()),
    }),
    handler: async ({ user, body }) => ({
      leadListId: body.leadListId,
      ...(await moveLeads(context, user.userId, body)),
    }),
  });

function presentWhole(row: LeadRow): z.input<typeof leadWithProvenance> {
  const shown = presentLead(row);
  const values = {
    ...byWireName((field) => shown[LEAD_FIELDS[field].wire]),
    companyId: shown.companyId,
    ...Object.fromEntries(
      (row.custom_values ?? []).map(({ name, value }) => [customVariable(name), value]),
    ),
  };
  return { ...shown, provenance: presentProvenance(row, values) };
}
