/** The routes of a domain's DNS records. Spec: Domains; choice 24. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { reply } from '../../http/envelope.ts';
import { route, type Route } from '../../http/route.ts';
import { idParams } from '../../http/schemas.ts';
import {
  addDnsRecord,
  changeDnsRecord,
  deleteDnsRecord,
  listDnsRecords,
} from '../../services/domains/dns-records.ts';

type Needs = Pick<Context, 'db' | 'registrars'>;

const tag = 'Domains';

export const domainDnsRoutes = (context: Needs): Route[] => [
  list(context),
  add(context),
  change(context),
  remove(context),
];

const recordId = z.union([z.int(), z.string()]);

const dnsRecord = z
  .object({
    id: recordId,
    type: z.string(),
    name: z.string(),
    value: z.string(),
    priority: z.int().optional(),
    ttl: z.int(),
  })
  .meta({ id: 'DnsRecord' });

/** The registrar decides which types exist: RECORD_TYPE_NOT_SUPPORTED. */
const recordType = z
  .string()
  .regex(/^[a-z0-9]{1,10}$/i, 'must be a record type')
  .transform((type) => type.toUpperCase());

/** Checked before trimming: in a zone file, a line break would begin another record. */
const oneLine = z
  .string()
  .regex(/^[^\p{Cc}\u2028\u2029]*$/u, 'must be one line without control characters');

const given = z.object({
  type: recordType,
  name: oneLine.trim().max(253),
  value: oneLine.trim().min(1).max(4_096),
  priority: z.int().min(0).max(65_535).optional(),
  ttl: z.int().min(60).max(604_800).optional(),
});

/** The registrar's own id. */
const recordParams = idParams.extend({
  recordId: z.string().regex(/^[\w.-]{1,64}$/, 'must be the id of a record'),
});

const forceQuery = z.object({
  force: z
    .enum(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true'),
});

const IN_USE =
  'A record that a live cluster needs (address of its host, MX, SPF, DKIM key, DMARC policy) is not ' +
  'taken away: 400 `RECORD_IN_USE` says which. With `?force=true` it is done all the same and ' +
  '`message` says what the cluster lacks; nothing puts it back by itself. Widening the SPF or DMARC ' +
  'policy is always possible.';

const list = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/domains/:id/dns',
    operationId: 'dnsRecords.list',
    tag,
    summary: 'Lists the DNS records at the registrar.',
    description: '`records` is at the top level, not under `data`.',
    status: 200,
    errors: {
      400: ['INVALID_STATE', 'DOMAIN_NOT_MANAGED', 'PROVIDER_REJECTED'],
      404: ['DOMAIN_NOT_FOUND'],
    },
    envelope: 'custom',
    params: idParams,
    response: z.object({ success: z.literal(true), records: z.array(dnsRecord) }),
    handler: async ({ user, params }) => ({
      success: true as const,
      records: (await listDnsRecords(context, user.userId, params.id)).map(present),
    }),
  });

const add = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/domains/:id/dns',
    operationId: 'dnsRecords.create',
    tag,
    summary: 'Adds a DNS record; nothing that is there is changed.',
    description:
      'A second SPF or DMARC record is refused. An MX without priority gets 10. ' +
      'A TXT value in quoted pieces becomes one text.',
    status: 201,
    errors: {
      400: [
        'INVALID_STATE',
        'DOMAIN_NOT_MANAGED',
        'RECORD_TYPE_NOT_SUPPORTED',
        'DUPLICATE_RECORD',
        'DUPLICATE_SPF',
        'DUPLICATE_DMARC',
        'RECORD_IN_USE',
        'PROVIDER_REJECTED',
      ],
      404: ['DOMAIN_NOT_FOUND'],
    },
    repeatable: true,
    params: idParams,
    body: given,
    response: dnsRecord,
    handler: async ({ user, params, body, requestKey }) => {
      const { priority, ...record } = body;
      const input = { ...record, ...(priority !== undefined && { priority }) };
      const at = { domainId: params.id, requestKey };
      return present(await addDnsRecord(context, user.userId, at, input));
    },
  });

const change = (context: Needs) =>
  route({
    method: 'patch',
    path: '/v1/domains/:id/dns/:recordId',
    operationId: 'dnsRecords.update',
    tag,
    summary: 'Changes a DNS record; no other is touched.',
    description: `The type stays. A second SPF or DMARC record is refused. ${IN_USE}`,
    status: 200,
    errors: {
      400: [
        'INVALID_STATE',
        'DOMAIN_NOT_MANAGED',
        'RECORD_TYPE_NOT_SUPPORTED',
        'RECORD_NOT_FOUND',
        'DUPLICATE_RECORD',
        'DUPLICATE_SPF',
        'DUPLICATE_DMARC',
        'RECORD_IN_USE',
        'PROVIDER_REJECTED',
      ],
      404: ['DOMAIN_NOT_FOUND', 'RECORD_NOT_FOUND'],
    },
    params: recordParams,
    query: forceQuery,
    body: given.partial(),
    response: dnsRecord,
    handler: async ({ user, params, query, body }) => {
      const choice = { domainId: params.id, recordId: params.recordId, force: query.force };
      // A field that is not given stays.
      const wanted = Object.fromEntries(
        Object.entries(body).filter(([, value]) => value !== undefined),
      );
      const done = await changeDnsRecord(context, user.userId, choice, wanted);
      return reply(present(done.record), { message: done.warning });
    },
  });

const remove = (context: Needs) =>
  route({
    method: 'delete',
    path: '/v1/domains/:id/dns/:recordId',
    operationId: 'dnsRecords.delete',
    tag,
    summary: 'Deletes a DNS record; no other is touched.',
    description: IN_USE,
    status: 200,
    errors: {
      400: ['INVALID_STATE', 'DOMAIN_NOT_MANAGED', 'RECORD_IN_USE', 'PROVIDER_REJECTED'],
      404: ['DOMAIN_NOT_FOUND', 'RECORD_NOT_FOUND'],
    },
    params: recordParams,
    query: forceQuery,
    response: z.object({ id: recordId }),
    handler: async ({ user, params, query }) => {
      const choice = { domainId: params.id, recordId: params.recordId, force: query.force };
      const { record, warning } = await deleteDnsRecord(context, user.userId, choice);
      return reply({ id: idOf(record.id) }, { message: warning });
    },
  });

type RecordRow = Awaited<ReturnType<typeof listDnsRecords>>[number];

/** The registrar's id, as a number where it looks like one. */
const idOf = (id: string): number | string => (/^(0|[1-9]\d{0,14})$/.test(id) ? Number(id) : id);

function present(row: RecordRow): z.input<typeof dnsRecord> {
  const { type, name, value, priority, ttl } = row;
  return { id: idOf(row.id), type, name, value, ...(priority !== undefined && { priority }), ttl };
}
