/** The routes of discovery processes. Spec: Lead discovery; choices 19-23. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { ALL_COUNTRIES, LEAD_PROCESS_STATUSES } from '../../domain/discovery/discovery.ts';
import { isCountryCode } from '../../domain/countries.ts';
import type { JobRequest } from '../../domain/operations/jobs.ts';
import { paged, reply } from '../../http/envelope.ts';
import { route, type Route } from '../../http/route.ts';
import { bodyId, idParams, offsetOf, pageQuery } from '../../http/schemas.ts';
import {
  getLeadProcessView,
  listUserLeadProcesses,
  requestOfLeadProcess,
  startLeadProcess,
} from '../../services/discovery/lead-processes.ts';
import {
  leadProcess,
  leadProcessView,
  presentLeadProcess,
  presentLeadProcessView,
} from './lead-process.ts';

type Needs = Pick<Context, 'db' | 'config' | 'temporal' | 'adLibraries' | 'startOperation'>;

export const leadProcessRoutes = (context: Needs): Route[] => [
  start(context),
  list(context),
  read(context),
  control(context, 'pause', {
    summary: 'Pauses a discovery; what was found stays.',
    message: 'The process is paused',
  }),
  control(context, 'resume', {
    summary: 'Resumes a paused discovery where it stood.',
    message: 'The process goes on',
  }),
  control(context, 'cancel', {
    summary: 'Cancels a discovery for good; what was found stays.',
    message: 'The process is cancelled',
  }),
];

/** Choice 22: two letters in any case, or ALL. */
const country = z
  .string()
  .trim()
  .toUpperCase()
  .refine(
    (code) => code === ALL_COUNTRIES || isCountryCode(code),
    'must be a two-letter country code, or ALL',
  );

/** Choice 23. */
export const discoveryOrder = z.object({
  searchTerm: z.string().trim().min(1).max(100),
  leadCount: z.int().min(1).max(10_000).default(100),
  adReachedCountries: z
    .array(country)
    .min(1)
    .max(50)
    .transform((codes) => [...new Set(codes)])
    .default(['US']),
  leadListId: bodyId.optional(),
});

const start = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/leads/process',
    operationId: 'leadProcesses.create',
    tag: 'Lead discovery',
    summary: 'Finds companies that advertise for a term, and people there.',
    description:
      'Searches ad libraries (`search_ads`), identifies the companies behind the ads ' +
      '(`extract_companies`), finds contacts on their websites and then at contact finders ' +
      '(`enrich_contacts`), validates addresses (`validate_emails`) and stores the people as leads ' +
      'under their companies (`attach_leads`). Without `leadListId` a list named like the term is ' +
      'made. Poll `GET /v1/leads/process/:id`.\n\n' +
      '`foundLeads` counts the leads that this process created, never more than `leadCount`; ' +
      '`processedLeads` counts all people that were decided on: these, those with an invalid ' +
      'address, those who must not be stored, and people who were leads of their company in the list ' +
      'before (`duplicateLeads`). Companies of other lists stay there: the list gets its own. No ' +
      'contact is bought twice in an account.',
    status: 201,
    errors: { 404: ['LEAD_LIST_NOT_FOUND'] },
    repeatable: true,
    body: discoveryOrder,
    response: leadProcess,
    handler: async ({ user, body, requestKey, noteWorkflow }) => {
      const { process, workflowId } = await startLeadProcess(
        context,
        user.userId,
        body,
        requestKey,
      );
      noteWorkflow(workflowId);
      return reply(presentLeadProcess(process), { message: 'Lead discovery started' });
    },
  });

const list = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/leads/process',
    operationId: 'leadProcesses.list',
    tag: 'Lead discovery',
    summary: 'Lists the discovery processes, newest first.',
    description: 'All of them, unless `page` or `limit` asks for a page.',
    status: 200,
    paged: 'asked',
    query: z.object({
      page: pageQuery.shape.page.unwrap().optional(),
      limit: pageQuery.shape.limit.unwrap().optional(),
      status: z.enum(LEAD_PROCESS_STATUSES).optional(),
    }),
    response: z.array(leadProcess),
    handler: async ({ user, query }) => {
      const { status, page, limit } = query;
      if (page === undefined && limit === undefined) {
        const { rows } = await listUserLeadProcesses(context, user.userId, { status });
        return rows.map(presentLeadProcess);
      }
      const asked = { page: page ?? 1, limit: limit ?? 20 };
      const part = { status, limit: asked.limit, offset: offsetOf(asked) };
      const { rows, total } = await listUserLeadProcesses(context, user.userId, part);
      return paged(rows.map(presentLeadProcess), asked, total);
    },
  });

const read = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/leads/process/:id',
    operationId: 'leadProcesses.read',
    tag: 'Lead discovery',
    summary: 'Reads the progress of a discovery and the results of each source.',
    status: 200,
    errors: { 404: ['PROCESS_NOT_FOUND'] },
    params: idParams,
    response: leadProcessView,
    handler: async ({ user, params }) =>
      presentLeadProcessView(await getLeadProcessView(context, user.userId, params.id)),
  });

const control = (
  context: Needs,
  request: JobRequest,
  { summary, message }: { summary: string; message: string },
) =>
  route({
    method: 'post',
    path: `/v1/leads/process/:id/${request}`,
    operationId: `leadProcesses.${request}`,
    tag: 'Lead discovery',
    summary,
    description:
      'Takes effect within the current page of work. The same state again changes ' +
      'nothing; a process that has ended is 400 `PROCESS_NOT_ACTIVE`.',
    status: 200,
    errors: { 400: ['PROCESS_NOT_ACTIVE'], 404: ['PROCESS_NOT_FOUND'] },
    params: idParams,
    response: leadProcess,
    handler: async ({ user, params }) => {
      const subject = { userId: user.userId, id: params.id };
      const process = await requestOfLeadProcess(context, subject, request);
      return reply(presentLeadProcess(process), { message });
    },
  });
