/** Who changed what in an account. Choice 98. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { ACTOR_KINDS, AUDITED_RESOURCES } from '../../domain/accounts/audit-log.ts';
import { BYTE_ORDER_MARK, csvText, type CsvValue } from '../../domain/csv-text.ts';
import { reply } from '../../http/envelope.ts';
import { route, type Route } from '../../http/route.ts';
import { pageQuery, timestamp } from '../../http/schemas.ts';
import { streamedText } from '../../http/stream.ts';
import {
  exportAuditLog,
  readAuditLog,
  type AuditFilter,
  type AuditLogRow,
} from '../../services/accounts/audit-log.ts';

type Needs = Pick<Context, 'db'>;

const tag = 'Audit log';

export const auditLogRoutes = (context: Needs): Route[] => [list(context), exported(context)];

const cursor = z
  .string()
  .regex(/^a\d{1,15}$/, 'must be the nextCursor of an answer')
  .transform((text) => Number(text.slice(1)))
  .meta({ type: 'string', description: '`meta.pagination.nextCursor` of the page before' });

const filterText = z.string().trim().min(1).max(100);

const filters = {
  action: filterText.optional().describe('The `operationId`, such as `campaigns.start`.'),
  resourceType: z.enum(AUDITED_RESOURCES).optional(),
  resourceId: filterText.optional(),
  actor: filterText
    .optional()
    .describe('`api_key`, `user`, `operator` or `system`, or the id of a key or user.'),
  since: timestamp.optional().describe('From then on.'),
  until: timestamp.optional().describe('Before then.'),
};

const values = z
  .record(z.string(), z.unknown())
  .nullable()
  .meta({ description: 'Names of fields, and what they were (or are now).' });

const entry = z
  .object({
    id: z.int(),
    at: timestamp,
    action: z
      .string()
      .meta({ description: 'The `operationId`; of an operator the name of the command.' }),
    actor: z.object({
      kind: z.enum(ACTOR_KINDS),
      id: z.string().nullable().describe('Of a key, or of the user of a session.'),
      name: z.string().nullable().describe('The visible beginning of the key, or who else it was.'),
    }),
    source: z.object({ ipAddress: z.string().nullable(), userAgent: z.string().nullable() }),
    resourceType: z.enum(AUDITED_RESOURCES).nullable(),
    resourceId: z.string().nullable(),
    requestId: z.string().nullable(),
    before: values,
    after: values,
  })
  .meta({ id: 'AuditEntry' });

const list = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/audit-log',
    operationId: 'auditLog.list',
    tag,
    summary: 'Lists what was changed in the account, newest first.',
    description:
      'Every operation that changes something has one entry, written together with its change; a refused ' +
      'request has none, and a repeat under its `Idempotency-Key` none of its own. `before` and `after` tell ' +
      'the fields that changed; secrets, texts of messages and data of people are never among them (`leftOut` ' +
      'names such fields). Entries cannot be changed, and are kept for 400 days by default.',
    status: 200,
    paged: 'cursor',
    query: z.object({ limit: pageQuery.shape.limit, cursor: cursor.optional(), ...filters }),
    response: z.array(entry),
    handler: async ({ user, query }) => {
      const { limit, cursor: before } = query;
      const page = { filter: filterOf(query), limit, before };
      const { rows, hasNext } = await readAuditLog(context, user.userId, page);
      const nextCursor = hasNext ? `a${rows.at(-1)!.id}` : null;
      const meta = { pagination: { limit, hasNext, nextCursor } };
      return reply(rows.map(present), { meta });
    },
  });

const exported = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/audit-log/export',
    operationId: 'auditLog.export',
    tag,
    summary: 'The audit log as a CSV file, with the filters of `GET /v1/audit-log`.',
    description:
      'UTF-8 with a byte order mark, commas, one row per entry, the newest first; `before` and `after` are ' +
      'JSON. A cell that a spreadsheet would take for a formula has an apostrophe in front.',
    status: 200,
    contentType: 'text/csv',
    query: z.object({ ...filters, format: z.enum(['csv']).default('csv') }),
    response: z.string(),
    handler: ({ user, query }) =>
      streamedText(linesOf(exportAuditLog(context, user.userId, filterOf(query))), {
        contentType: 'text/csv; charset=utf-8',
        fileName: 'audit-log.csv',
      }),
  });

type Filters = { [Name in keyof typeof filters]?: z.output<(typeof filters)[Name]> };

const filterOf = ({ since, until, ...same }: Filters): AuditFilter => ({
  action: same.action,
  resourceType: same.resourceType,
  resourceId: same.resourceId,
  actor: same.actor,
  since: since === undefined ? undefined : new Date(since),
  until: until === undefined ? undefined : new Date(until),
});

/** Operators are not named to clients: who it was is in the table, with the reason. */
const present = (row: AuditLogRow): z.input<typeof entry> => ({
  id: row.id,
  at: row.at.toISOString(),
  action: row.action,
  actor: {
    kind: row.actor_kind,
    id: row.actor_id,
    name: row.actor_kind === 'operator' ? null : row.actor_name,
  },
  source: { ipAddress: row.ip, userAgent: row.user_agent },
  resourceType: row.resource_type,
  resourceId: row.resource_id,
  requestId: row.request_id,
  before: row.before,
  after: row.after,
});

/** The columns of a file, in their order. */
const CELLS: Readonly<Record<string, (shown: z.input<typeof entry>) => CsvValue>> = {
  id: ({ id }) => id,
  at: ({ at }) => at,
  action: ({ action }) => action,
  actorKind: ({ actor }) => actor.kind,
  actorId: ({ actor }) => actor.id,
  actorName: ({ actor }) => actor.name,
  ipAddress: ({ source }) => source.ipAddress,
  userAgent: ({ source }) => source.userAgent,
  resourceType: ({ resourceType }) => resourceType,
  resourceId: ({ resourceId }) => resourceId,
  requestId: ({ requestId }) => requestId,
  before: ({ before }) => before && JSON.stringify(before),
  after: ({ after }) => after && JSON.stringify(after),
};

async function* linesOf(pages: AsyncIterable<AuditLogRow[]>): AsyncGenerator<string> {
  let before = BYTE_ORDER_MARK + csvText([Object.keys(CELLS)]);
  for await (const page of pages) {
    const rows = page.map((row) => Object.values(CELLS).map((valueOf) => valueOf(present(row))));
    yield before + csvText(rows);
    before = '';
  }
  if (before !== '') yield before;
}
