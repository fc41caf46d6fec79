/** The routes of operations: all long jobs in one list, and what their owner may ask of them. Choice 91. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import type { ClientAction } from '../../domain/operations/client-operations.ts';
import { paged } from '../../http/envelope.ts';
import { route, type Route } from '../../http/route.ts';
import { bodyId, idParams, offsetOf, orNull, pageQuery, pathId } from '../../http/schemas.ts';
import {
  answerOperation,
  answerOperations,
  getUserOperation,
  listUserOperations,
} from '../../services/operations/client-operations.ts';
import { kind, operation, present, resourceType, state } from './operation-shapes.ts';

type Needs = Pick<Context, 'db' | 'config' | 'temporal' | 'startOperation' | 'clock' | 'maps'>;

const TAG = 'Operations';
const MOST_AT_ONCE = 100;

export const operationRoutes = (context: Needs): Route[] => [
  list(context),
  many(context, 'retry', 'Runs the blocked steps of several operations again.'),
  many(context, 'cancel', 'Cancels several operations.'),
  read(context),
  one(context, 'retry', 'Runs the blocked step of an operation again.'),
  one(
    context,
    'cancel',
    'Cancels an operation; what it has done is undone where that is possible.',
  ),
];

const list = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/operations',
    operationId: 'operations.list',
    tag: TAG,
    summary: 'Lists all long jobs of the account, newest first.',
    description:
      'A job is what a creating call has begun: a provisioning, a purchase, an import, a campaign. `resource` ' +
      'is what it works on, `actions` what may be asked of it now.',
    status: 200,
    paged: true,
    query: pageQuery.extend({
      state: state.optional(),
      kind: kind.optional(),
      resourceType: resourceType.optional(),
      resourceId: pathId.optional().describe('Of any type where `resourceType` is not given.'),
    }),
    response: z.array(operation),
    handler: async ({ user, query }) => {
      const { resourceType: resource, resourceId, kind: wanted, state: inState, limit } = query;
      const page = { resource, resourceId, kind: wanted, state: inState };
      const { rows, total } = await listUserOperations(context, user.userId, {
        ...page,
        limit,
        offset: offsetOf(query),
      });
      return paged(rows.map(present), query, total);
    },
  });

const read = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/operations/:id',
    operationId: 'operations.read',
    tag: TAG,
    summary: 'Reads an operation: its steps, and why it waits.',
    status: 200,
    errors: { 404: ['OPERATION_NOT_FOUND'] },
    params: idParams,
    response: operation,
    handler: async ({ user, params }) =>
      present(await getUserOperation(context, user.userId, params.id)),
  });

const one = (context: Needs, action: ClientAction, summary: string) =>
  route({
    method: 'post',
    path: `/v1/operations/:id/${action}`,
    operationId: `operations.${action}`,
    tag: TAG,
    summary,
    description: '400 `INVALID_STATE` where it is not among its `actions`. May be repeated.',
    status: 200,
    errors: { 400: ['INVALID_STATE'], 404: ['OPERATION_NOT_FOUND'] },
    repeatable: true,
    params: idParams,
    response: operation,
    handler: async ({ user, params }) =>
      present(await answerOperation(context, { userId: user.userId, id: params.id }, action)),
  });

const many = (context: Needs, action: ClientAction, summary: string) =>
  route({
    method: 'post',
    path: `/v1/operations/${action}`,
    operationId: `operations.${action}Many`,
    tag: TAG,
    summary,
    description: 'Each by itself: `error` says why one was refused, and the others go on.',
    status: 200,
    repeatable: true,
    body: z.object({ ids: z.array(bodyId).min(1).max(MOST_AT_ONCE) }),
    response: z.array(
      z.object({
        id: z.int(),
        operation: orNull(operation),
        error: z.object({ code: z.string(), message: z.string() }).nullable(),
      }),
    ),
    handler: async ({ user, body }) => {
      const answered = await answerOperations(
        context,
        { userId: user.userId, ids: body.ids },
        action,
      );
      return answered.map(({ operation: row, ...rest }) => ({
        ...rest,
        operation: row && present(row),
      }));
    },
  });
