/** The routes of placement tests. Choice 124. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { PLACEMENT_TEST_STATUSES } from '../../domain/placement/placement.ts';
import { paged } from '../../http/envelope.ts';
import { route, type Route } from '../../http/route.ts';
import { idParams, offsetOf, pageQuery } from '../../http/schemas.ts';
import {
  cancelPlacementTest,
  getPlacementTest,
  listPlacementTests,
  startPlacementTest,
} from '../../services/placement/placement-tests.ts';
import { placementSeedRoutes } from './placement-seeds.ts';
import { placementTest, placementTestOrder, presentPlacementTest } from './test-shapes.ts';

type Needs = Pick<Context, 'db' | 'config' | 'cipher' | 'temporal' | 'startOperation'>;

export const placementRoutes = (context: Needs): Route[] => [
  ...placementSeedRoutes(context),
  create(context),
  list(context),
  read(context),
  cancel(context),
];

const tag = 'Placement';

const create = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/placement/tests',
    operationId: 'placementTests.create',
    tag,
    summary: 'Sends a campaign’s message to seed mailboxes and tells where it landed, by provider.',
    description:
      'Answers at once; `GET /v1/placement/tests/:id` tells the rest within ten minutes, and the event ' +
      '`placement_test.completed` that it is there. The message is the campaign’s own, with the fields of a lead, ' +
      'links, tracking and headers as it would be sent; no lead is used up. It goes out once to each seed, at once, ' +
      'and each counts toward the daily limit of its mailbox. Inbox and spam are seen by IMAP; tabs within the ' +
      'inbox, such as promotions, are not.',
    status: 201,
    repeatable: true,
    errors: {
      400: ['NO_SEEDS', 'CAMPAIGN_NOT_READY', 'INVALID_STATE'],
      404: [
        'CAMPAIGN_NOT_FOUND',
        'LEAD_NOT_FOUND',
        'MAILBOX_NOT_FOUND',
        'PLACEMENT_SEED_NOT_FOUND',
      ],
    },
    body: placementTestOrder,
    response: placementTest,
    handler: async ({ user, body, requestKey, noteWorkflow }) => {
      const done = await startPlacementTest(context, user.userId, body, requestKey);
      noteWorkflow(done.workflowId);
      return presentPlacementTest(done.view);
    },
  });

const list = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/placement/tests',
    operationId: 'placementTests.list',
    tag,
    summary: 'Lists the placement tests, newest first.',
    status: 200,
    paged: true,
    query: pageQuery.extend({ status: z.enum(PLACEMENT_TEST_STATUSES).optional() }),
    response: z.array(placementTest),
    handler: async ({ user, query }) => {
      const page = { status: query.status, limit: query.limit, offset: offsetOf(query) };
      const { views, total } = await listPlacementTests(context, user.userId, page);
      return paged(views.map(presentPlacementTest), query, total);
    },
  });

const read = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/placement/tests/:id',
    operationId: 'placementTests.read',
    tag,
    summary: 'Reads a placement test: where its message landed so far.',
    status: 200,
    errors: { 404: ['PLACEMENT_TEST_NOT_FOUND'] },
    params: idParams,
    response: placementTest,
    handler: async ({ user, params }) =>
      presentPlacementTest(await getPlacementTest(context, user.userId, params.id)),
  });

const cancel = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/placement/tests/:id/cancel',
    operationId: 'placementTests.cancel',
    tag,
    summary: 'Stops a placement test; messages that are sent stay sent.',
    description:
      'Cancelling again changes nothing; a test that has ended is `INVALID_STATE`. It has no verdict.',
    status: 200,
    errors: { 400: ['INVALID_STATE'], 404: ['PLACEMENT_TEST_NOT_FOUND'] },
    repeatable: true,
    params: idParams,
    response: placementTest,
    handler: async ({ user, params }) =>
      presentPlacementTest(await cancelPlacementTest(context, user.userId, params.id)),
  });
