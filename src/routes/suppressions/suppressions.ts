/** The routes of suppressions: who must not be written to. Spec: Lead; choice 17. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { validationError } from '../../domain/errors.ts';
import {
  suppressedDomain,
  suppressedEmail,
  SUPPRESSION_KINDS,
  SUPPRESSION_REASONS,
  type NewSuppression,
} from '../../domain/suppressions/suppressions.ts';
import { paged, reply } from '../../http/envelope.ts';
import { route, type Route } from '../../http/route.ts';
import { idParams, offsetOf, pageQuery, timestamp } from '../../http/schemas.ts';
import {
  addSuppressions,
  checkSuppressions,
  getSuppression,
  listLifted,
  listSuppressions,
  listSuppressionsBehind,
  removeSuppression,
  type LiftedSuppression,
  type SuppressionRow,
} from '../../services/suppressions/suppressions.ts';
import { totalOf } from '../cursor.ts';
import { erasureRoutes } from './erasures.ts';

type Needs = Pick<Context, 'db'>;

const tag = 'Suppressions';

export const suppressionRoutes = (context: Needs): Route[] => [
  add(context),
  list(context),
  lifted(context),
  check(context),
  read(context),
  remove(context),
  ...erasureRoutes(context),
];

const suppression = z
  .object({
    id: z.int(),
    kind: z.enum(SUPPRESSION_KINDS),
    value: z.string(),
    reason: z.enum(SUPPRESSION_REASONS),
    note: z.string().nullable(),
    createdAt: timestamp,
  })
  .meta({ id: 'Suppression' });

const added = suppression.extend({ suppressedLeads: z.int() });

const addedMany = z.object({
  created: z.int(),
  existing: z.int(),
  erased: z.int().meta({ description: 'Addresses of erased people, which are not stored' }),
  suppressedLeads: z.int(),
  suppressions: z.array(suppression),
});

/** `erasure` is written by erasures alone. */
const reason = z.enum(['unsubscribe', 'bounce', 'complaint', 'manual']).optional();

const value = (normal: (text: string) => string | undefined, problem: string) =>
  z
    .string()
    .max(320)
    .refine((text) => normal(text) !== undefined, problem)
    .transform((text) => normal(text)!)
    .optional();

const entry = z
  .object({
    email: value(suppressedEmail, 'must be an e-mail address').meta({ type: 'string' }),
    domain: value(suppressedDomain, 'must be a domain name').meta({ type: 'string' }),
    reason,
    note: z.string().trim().max(1_000).nullish(),
  })
  .meta({ id: 'NewSuppression' });

const MAX_ENTRIES = 1_000;

const order = entry.extend({
  entries: z.array(entry).min(1).max(MAX_ENTRIES).optional(),
});

/** Each names an address or a domain, not both. */
function entryOf(given: z.output<typeof entry>, field: string): NewSuppression {
  const { email, domain, reason: why = 'manual', note = null } = given;
  if ((email === undefined) === (domain === undefined)) {
    const message = `${field === '' ? 'body' : field} must have either email or domain`;
    throw validationError([{ field, message }]);
  }
  return email === undefined
    ? { kind: 'domain', value: domain!, reason: why, note }
    : { kind: 'email', value: email, reason: why, note };
}

const add = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/suppressions',
    tag,
    summary: 'Suppresses an address or a domain, or up to 1,000 of them.',
    description:
      'With `email` or `domain`, or many as `entries`. A domain counts for all domains below it. ' +
      'Leads that are concerned become `suppressed`, unless they have bounced or unsubscribed. ' +
      'What is suppressed already stays as it is and is answered.',
    status: 201,
    body: order,
    response: z.union([added, addedMany]),
    handler: async ({ user, body }) => {
      const { entries, ...single } = body;
      if (!entries) return addOne(context, user.userId, entryOf(single, ''));
      const wanted = entries.map((each, at) => entryOf(each, `entries[${at}]`));
      return addMany(context, user.userId, wanted);
    },
  });

async function addOne(context: Needs, userId: string, wanted: NewSuppression) {
  const { rows, created, suppressedLeads } = await addSuppressions(context, userId, [wanted]);
  const [row] = rows;
  if (!row) {
    // Not stored, since that would make the address known again; nobody can be written to there.
    const suppressions = { created: 0, existing: 0, erased: 1, suppressedLeads, suppressions: [] };
    return reply(suppressions, { message: 'This person was erased and is never written to' });
  }
  const message = created > 0 ? 'Suppressed' : 'Suppressed already';
  return reply({ ...present(row), suppressedLeads }, { message });
}

async function addMany(context: Needs, userId: string, wanted: NewSuppression[]) {
  const { rows, created, suppressedLeads } = await addSuppressions(context, userId, wanted);
  const stored = rows.filter((row) => row !== undefined);
  return {
    created,
    existing: stored.length - created,
    erased: rows.length - stored.length,
    suppressedLeads,
    suppressions: stored.map(present),
  };
}

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
    liftedLeads: z.int(),
    liftedAt: timestamp,
  })
  .meta({ id: 'LiftedSuppression' });

const lifted = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/suppressions/lifted',
    tag,
    summary: 'Lists suppressions that were removed, newest first: when, and who asked for it.',
    description: 'Those of people who were erased since are not among them.',
    status: 200,
    paged: true,
    query: pageQuery.extend(filters),
    response: z.array(liftedSuppression),
    handler: async ({ user, query }) => {
      const { limit, kind, reason: why, search } = query;
      const page = { filter: { kind, reason: why, search }, limit, offset: offsetOf(query) };
      const { rows, total } = await listLifted(context, user.userId, page);
      return paged(rows.map(presentLifted), query, total);
    },
  });

const presentLifted = (row: LiftedSuppression): z.input<typeof liftedSuppression> => ({
  id: row.id,
  suppressionId: row.suppression_id,
  kind: row.kind,
  value: row.value,
  reason: row.reason,
  note: row.note === '' ? null : row.note,
  liftedLeads: row.lifted_leads,
  liftedAt: row.lifted_at.toISOString(),
});

const check = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/suppressions/check',
    tag,
    summary: 'Tells for up to 1,000 addresses whether they may be written to.',
    status: 200,
    repeatable: true,
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
    tag,
    summary: 'Reads a suppression.',
    status: 200,
    errors: [404],
    params: idParams,
    response: suppression,
    handler: async ({ user, params }) =>
      present(await getSuppression(context, user.userId, params.id)),
  });

const remove = (context: Needs) =>
  route({
    method: 'delete',
    path: '/v1/suppressions/:id',
    tag,
    summary: 'Removes a suppression.',
    description:
      'Leads that nothing else suppresses are again what they were: `suppressed` ones, and what the ' +
      'reason has stopped (`bounced`, `unsubscribed`). One with the reason `unsubscribe` or ' +
      '`complaint` needs a `note` that says who asked for it, which is kept ' +
      '(`GET /v1/suppressions/lifted`): 400 ' +
      '`VALIDATION_ERROR` without. One with the reason `erasure` cannot be removed: `INVALID_STATE`.',
    status: 200,
    errors: [404],
    params: idParams,
    query: z.object({
      note: z.string().trim().min(1).max(1_000).optional().describe('Who asked for it, and when.'),
    }),
    response: z.object({ id: z.int(), liftedLeads: z.int() }),
    handler: async ({ user, params, query }) => {
      const which = { id: params.id, note: query.note };
      const { liftedLeads } = await removeSuppression(context, user.userId, which);
      return reply({ id: params.id, liftedLeads }, { message: 'Suppression removed' });
    },
  });

const present = (row: SuppressionRow): z.input<typeof suppression> => ({
  id: row.id,
  kind: row.kind,
  value: row.value,
  reason: row.reason,
  note: row.note,
  createdAt: row.created_at.toISOString(),
});
