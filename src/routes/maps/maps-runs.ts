/** The routes of maps runs. Spec: Maps scraper; choices 30-33, 54, 60. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { scrapeMapsFlow } from '../../domain/maps/flows.ts';
import { MAPS_ITEM_STATUSES, MAPS_RUN_STATUSES } from '../../domain/maps/maps.ts';
import { paged, reply } from '../../http/envelope.ts';
import { route, type Route } from '../../http/route.ts';
import { idParams, offsetOf, pageQuery, pathId } from '../../http/schemas.ts';
import { importMapsRun } from '../../services/maps/maps-imports.ts';
import {
  cancelMapsRun,
  createMapsRun,
  deleteMapsRun,
  enrichMapsRun,
  getUserMapsRun,
  listRunItems,
  listUserMapsRuns,
} from '../../services/maps/maps-runs.ts';
import { mapsItem, presentItem } from './maps-items.ts';
import { importOptions, orderOf, searchOrder } from './maps-orders.ts';
import { importAnswer, mapsRun, presentImport, presentRun } from './maps-presenters.ts';

type Needs = Pick<Context, 'db' | 'config' | 'temporal' | 'maps' | 'startOperation'>;

export const mapsRoutes = (context: Needs): Route[] => [
  create(context),
  list(context),
  read(context),
  items(context),
  enrich(context),
  importRun(context),
  cancel(context),
  remove(context),
];

const tag = 'Maps scraper';

const create = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/maps-scraper/runs',
    operationId: 'mapsRuns.create',
    tag,
    summary: 'Searches the map for businesses.',
    description:
      'Runs by itself: poll `GET /v1/maps-scraper/runs/{id}` every 5 to 15 seconds while the status ' +
      'is `queued`, `running` or `enriching`. One of `searchStringsArray`, `startUrls`, `placeIds` ' +
      'is required. Without `locationQuery` the map shows at most about 120 places per search.',
    status: 201,
    errors: { 404: ['LEAD_LIST_NOT_FOUND'] },
    repeatable: true,
    body: searchOrder,
    response: mapsRun,
    handler: async ({ user, body, requestKey, noteWorkflow }) => {
      const run = await createMapsRun(context, user.userId, orderOf(body), requestKey);
      noteWorkflow(scrapeMapsFlow.workflowId({ runId: run.id }));
      return reply(presentRun(run), { message: 'The run was queued' });
    },
  });

const list = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/maps-scraper/runs',
    operationId: 'mapsRuns.list',
    tag,
    summary: 'Lists the runs, newest first.',
    status: 200,
    paged: true,
    query: pageQuery.extend({
      status: z.enum(MAPS_RUN_STATUSES).optional(),
      leadListId: pathId.optional(),
    }),
    response: z.array(mapsRun),
    handler: async ({ user, query }) => {
      const page = { ...query, offset: offsetOf(query) };
      const { rows, total } = await listUserMapsRuns(context, user.userId, page);
      return paged(rows.map(presentRun), query, total);
    },
  });

const read = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/maps-scraper/runs/:id',
    operationId: 'mapsRuns.read',
    tag,
    summary: 'Reads a run with its counters.',
    status: 200,
    errors: { 404: ['MAPS_RUN_NOT_FOUND'] },
    params: idParams,
    response: mapsRun,
    handler: async ({ user, params }) => {
      const run = await getUserMapsRun(context, user.userId, params.id);
      return reply(presentRun(run), { message: run.status_message });
    },
  });

const items = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/maps-scraper/runs/:id/items',
    operationId: 'mapsRuns.listItems',
    tag,
    summary: "Lists a run's places with what was found on their websites.",
    description:
      '`status` tells of the visit to the website and `reason` why it brought nothing; ' +
      '`bestContact` says whom an import would take and why, `import` what the last one did.',
    status: 200,
    errors: { 404: ['MAPS_RUN_NOT_FOUND'] },
    paged: true,
    params: idParams,
    query: pageQuery.extend({
      status: z.enum(MAPS_ITEM_STATUSES).optional(),
      importStatus: z.enum(['imported', 'skipped']).optional(),
    }),
    response: z.array(mapsItem),
    handler: async ({ user, params, query }) => {
      const page = { ...query, offset: offsetOf(query) };
      const { rows, total } = await listRunItems(context, user.userId, params.id, page);
      return paged(rows.map(presentItem), query, total);
    },
  });

const enrich = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/maps-scraper/runs/:id/enrich',
    operationId: 'mapsRuns.enrich',
    tag,
    summary: 'Visits the websites of the places and collects contacts.',
    description:
      'A completed run becomes `enriching`; one that is still searched keeps its status and is ' +
      'enriched afterwards. Without `force` only places without results are visited. A failed or ' +
      'cancelled run is 400 `INVALID_STATE`.',
    status: 200,
    errors: { 400: ['INVALID_STATE'], 404: ['MAPS_RUN_NOT_FOUND'] },
    params: idParams,
    body: z.object({ force: z.boolean().default(false) }),
    response: z
      .object({
        id: z.int(),
        status: z.enum(MAPS_RUN_STATUSES),
        statusMessage: z.string(),
        enrichedItems: z.int(),
      })
      .meta({ id: 'MapsEnrichment' }),
    handler: async ({ user, params, body }) => {
      const run = await enrichMapsRun(context, user.userId, params.id, body.force);
      const { id, status, statusMessage, enrichedItems } = presentRun(run);
      const message =
        status === 'enriching'
          ? 'The websites are being visited'
          : 'The websites are visited when the places are there';
      return reply({ id, status, statusMessage, enrichedItems }, { message });
    },
  });

const importRun = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/maps-scraper/runs/:id/import-to-lead-list',
    operationId: 'mapsRuns.importToLeadList',
    tag,
    summary: "Makes leads of a run's places.",
    description:
      'Takes `limit` places in the order in which they were saved. Repeated with the same options for the same list, ' +
      'it goes on behind those that it has handled (`remainingItems` are left), so that a run of any size is imported ' +
      'by repeating it; while it goes on, a repeat waits for it. When all are handled, it begins with the first again, finds what is there (`foundLeads`, `foundCompanies`) and changes ' +
      'nothing. `maxLeadsPerCompany` counts over all parts. With other options, or with `startOver`, it begins with ' +
      'the first place. A second list gets companies and leads of its own. Each contact of a place counts as ' +
      'imported or found, each place without one as skipped. The answer waits up to 25 seconds; of a slower import ' +
      'it tells what is done so far (`status` is `running`), and the import goes on by itself. Why ' +
      'an item was skipped stands in `GET /v1/maps-scraper/runs/{id}/items`. Addresses without a ' +
      'score are validated first, unless `minValidationScore` is 0. `includePhoneOnly` wins over ' +
      '`requireEmail`.',
    status: 200,
    errors: {
      400: ['LEAD_LIST_REQUIRED'],
      404: ['MAPS_RUN_NOT_FOUND', 'LEAD_LIST_NOT_FOUND'],
      502: ['IMPORT_FAILED'],
    },
    repeatable: true,
    params: idParams,
    body: importOptions,
    response: importAnswer,
    handler: async ({ user, params, body, requestKey, noteWorkflow }) => {
      const { leadListId, ...options } = body;
      const order = { ...options, leadListId, requestKey };
      const done = await importMapsRun(context, user.userId, params.id, order);
      noteWorkflow(done.workflowId);
      return presentImport(done);
    },
  });

const cancel = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/maps-scraper/runs/:id/cancel',
    operationId: 'mapsRuns.cancel',
    tag,
    summary: 'Stops a run; places that were saved stay.',
    status: 200,
    errors: { 400: ['INVALID_STATE'], 404: ['MAPS_RUN_NOT_FOUND'] },
    repeatable: true,
    params: idParams,
    response: mapsRun,
    handler: async ({ user, params }) => {
      const run = await cancelMapsRun(context, user.userId, params.id);
      return reply(presentRun(run), { message: 'The run is cancelled' });
    },
  });

const remove = (context: Needs) =>
  route({
    method: 'delete',
    path: '/v1/maps-scraper/runs/:id',
    operationId: 'mapsRuns.delete',
    tag,
    summary: 'Deletes a run with its places; leads that were made of them stay.',
    status: 200,
    errors: { 404: ['MAPS_RUN_NOT_FOUND'] },
    params: idParams,
    response: z.object({ id: z.int(), deletedItems: z.int() }),
    handler: async ({ user, params }) =>
      reply(await deleteMapsRun(context, user.userId, params.id), {
        message: 'The run is deleted',
      }),
  });
