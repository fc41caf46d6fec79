/** The routes of suppressions: who must not be written to. Spec: Lead; choice 17. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { SUPPRESSION_KINDS, SUPPRESSION_REASONS } from '../../domain/suppressions/suppressions.ts';
import { reply } from '../../http/envelope.ts';
import { route, type Route } from '../../http/route.ts';
import { idParams, offsetOf, pageQuery, timestamp } from '../../http/schemas.ts';
import {
  getSuppression,
  listLifted,
  listSuppressions,
  listSuppressionsBehind,
  type LiftedSuppression,
  type SuppressionRow,
} from '../../services/suppressions/suppression-pages.ts';
import { checkSuppressions, removeSuppression } from '../../services/suppressions/suppressions.ts';
import { totalOf } from '../cursor.ts';
import { erasureRoutes } from './erasures.ts';
import { addRoute, MAX_ENTRIES } from './new-suppressions.ts';
import { openLeads, present, suppression } from './suppression-shapes.ts';

type Needs = Pick<Context, 'db' | 'clock' | 'temporal'>;

const tag = 'Suppressions';

export const suppressionRoutes = (context: Needs): Route[] => [
  addRoute(context),
  list(context),
  lifted(context),
  check(context),
  read(context),
  remove(context),
  ...erasureRoutes(context),
];

const cursor = z
  .string()
  .regex(/^s\d{1,15}$/, 'must be the nextCursor of an answer')
  .transform((text) => Number(text.slice(1)))
  .meta({ type: 'string', description: '`meta.pagination.nextCursor` of the page before' });

const filters = {
  kind: z.enum(SUPPRESSION_KINDS).optional(),
  reason: z.enum(SUPPRESSION_REASONS).optional(),
  search: z.string().trim().max(255).optional(),
};

const list = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/suppressions',
    operationId: 'suppressions.list',
    tag,
    summary: 'Lists suppressions, newest first.',
    status: 200,
    paged: 'cursor',
    query: pageQuery.extend({
      cursor: cursor.optional(),
      ...filters,
    }),
    response: z.array(suppression),
    handler: async ({ user, query }) => {
      const { limit, cursor: before, kind, reason: why, search } = query;
      const filter = { kind, reason: why, search };
      const next = (rows: SuppressionRow[], hasNext: boolean) =>
        hasNext && rows.length > 0 ? `s${rows.at(-1)!.id}` : null;
      if (before !== undefined) {
        const page = { filter, limit, before };
        const { rows, hasNext } = await listSuppressionsBehind(context, user.userId, page);
        const place = { limit, hasNext, nextCursor: next(rows, hasNext) };
        return reply(rows.map(present), { meta: { pagination: place } });
      }
      const page = { filter, limit, offset: offsetOf(query) };
      const { rows, hasNext, ...total } = await listSuppressions(context, user.userId, page);
      const place = { ...totalOf(query, total), hasNext, nextCursor: next(rows, hasNext) };
      const meta = { pagination: place };
      return reply(rows.map(present), { meta });
    },
  });

const liftedSuppression = z
  .object({
    id: z.int(),
    suppressionId: z.int(),
    kind: z.enum(SUPPRESSION_KINDS),
    value: z.string(),
    reason: z.enum(SUPPRESSION_REASONS),
    note: z.string().nullable().describe('Who asked for it.'),
    liftedBy: z
      .enum(['owner', 'recipient'])
      .describe('`recipient`: they took their own unsubscription back.'),
    liftedLeads: z.int(),
    liftedAt: timestamp,
  })
  .meta({ id: 'LiftedSuppression' });

const lifted = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/suppressions/lifted',
    operationId: 'suppressions.listLifted',
    tag,
    summary:
      'Lists suppressions that were removed, newest first: when, by whom, and who asked for it.',
    description: 'Those of people who were erased since are not among them.',
    status: 200,
    paged: true,
    query: pageQuery.extend(filters),
    response: z.array(liftedSuppression),
    handler: async ({ user, query }) => {
      const { limit, kind, reason: why, search } = query;
      const page = { filter: { kind, reason: why, search }, limit, offset: offsetOf(query) };
      const { rows, hasNext, ...total } = await listLifted(context, user.userId, page);
      const meta = { pagination: { ...totalOf(query, total), hasNext } };
      return reply(rows.map(presentLifted), { meta });
    },
  });

const presentLifted = (row: LiftedSuppression): z.input<typeof liftedSuppression> => ({
  id: row.id,
  suppressionId: row.suppression_id,
  kind: row.kind,
  value: row.value,
  reason: row.reason,
  note: row.note === '' ? null : row.note,
  liftedBy: row.lifted_by,
  liftedLeads: row.lifted_leads,
  liftedAt: row.lifted_at.toISOString(),
});

const check = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/suppressions/check',
    operationId: 'suppressions.check',
    tag,
    summary: 'Checks for up to 1,000 addresses whether they may be written to.',
    status: 200,
    repeatable: true,
    reads: true,
    changesNothing: true,
    body: z.object({ emails: z.array(z.string().max(320)).min(1).max(MAX_ENTRIES) }),
    response: z.array(
      z.object({
        email: z.string(),
        isSuppressed: z.boolean(),
        reason: z.enum(SUPPRESSION_REASONS).nullable(),
        suppressionId: z.int().nullable(),
      }),
    ),
    handler: ({ user, body }) => checkSuppressions(context, user.userId, body.emails),
  });

const read = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/suppressions/:id',
    operationId: 'suppressions.read',
    tag,
    summary: 'Reads a suppression.',
    status: 200,
    errors: { 404: ['SUPPRESSION_NOT_FOUND'] },
    params: idParams,
    response: suppression,
    handler: async ({ user, params }) =>
      present(await getSuppression(context, user.userId, params.id)),
  });

const remove = (context: Needs) =>
  route({
    method: 'delete',
    path: '/v1/suppressions/:id',
    operationId: 'suppressions.delete',
    tag,
    summary: 'Removes a suppression.',
    description:
      'Leads that nothing else suppresses are again what they were: `suppressed` ones, and what the ' +
      'reason has stopped (`bounced`, `unsubscribed`). Campaigns that had left them out for it go on. One with the reason `unsubscribe` or ' +
      '`complaint` needs a `note` that says who asked for it, which is kept ' +
      '(`GET /v1/suppressions/lifted`): 400 ' +
      '`VALIDATION_ERROR` without. Of a domain that more than 1,000 leads have they follow in the background: ' +
      '`openLeads` are still to come, and `liftedLeads` of the record grows. One with the reason `erasure` cannot be removed: `INVALID_STATE`.',
    status: 200,
    errors: { 400: ['INVALID_STATE'], 404: ['SUPPRESSION_NOT_FOUND'] },
    params: idParams,
    query: z.object({
      note: z.string().trim().min(1).max(1_000).optional().describe('Who asked for it, and when.'),
    }),
    response: z.object({ id: z.int(), liftedLeads: z.int(), openLeads }),
    handler: async ({ user, params, query }) => {
      const which = { id: params.id, note: query.note };
      const lifted = await removeSuppression(context, user.userId, which);
      return reply({ id: params.id, ...lifted }, { message: 'Suppression removed' });
    },
  });
