/** The routes of domains and their DNS records. Spec: Domains; choices 24-26. */
import { z } from 'zod';
import type { Context } from '../context.ts';
import { paged } from '../http/envelope.ts';
import { route, type Route } from '../http/route.ts';
import { idParams, offsetOf, pageQuery, timestamp } from '../http/schemas.ts';
import { addDnsRecord, listDnsRecords } from '../services/dns-records.ts';
import { buyDomain, getUserDomain, listDomains } from '../services/domains.ts';
import { domainName } from './domain-name.ts';

type Needs = Pick<Context, 'db' | 'config' | 'temporal' | 'registrars' | 'startOperation'>;

export const domainRoutes = (context: Needs): Route[] => [
  buy(context),
  list(context),
  read(context),
  listDns(context),
  addDns(context),
];

const statuses = ['pending', 'active', 'failed'] as const;

const domain = z
  .object({
    id: z.int(),
    domain: z.string(),
    provider: z.string(),
    isActive: z.boolean(),
    status: z.enum(statuses),
    purchasedAt: timestamp.nullable(),
    expiresAt: timestamp.nullable(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    createdAt: timestamp,
  })
  .meta({ id: 'Domain' });

const dnsRecord = z
  .object({
    id: z.union([z.int(), z.string()]),
    type: z.string(),
    name: z.string(),
    value: z.string(),
    priority: z.int().optional(),
    ttl: z.int(),
  })
  .meta({ id: 'DnsRecord' });

const buy = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/domains',
    tag: 'Domains',
    summary: 'Buys a domain.',
    description:
      'Waits up to 25 s for the registrar. Slower than that the answer has `isActive: false` and ' +
      '`GET /v1/domains/:id` tells; asking again for the same name attaches to the purchase.',
    status: 201,
    errors: [402],
    body: z.object({
      domain: domainName,
      provider: z
        .string()
        .max(64)
        .refine((name) => name in context.registrars, {
          message: `must be one of: ${Object.keys(context.registrars).join(', ')}`,
        })
        .optional(),
    }),
    response: domain,
    handler: async ({ user, body, noteWorkflow }) => {
      const bought = await buyDomain(context, user.userId, body);
      noteWorkflow(bought.workflowId);
      return present(bought.domain);
    },
  });

const list = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/domains',
    tag: 'Domains',
    summary: 'Lists the domains; failed purchases only with `?status=failed`.',
    status: 200,
    paged: true,
    query: pageQuery.extend({ status: z.enum(statuses).optional() }),
    response: z.array(domain),
    handler: async ({ user, query }) => {
      const page = { status: query.status, limit: query.limit, offset: offsetOf(query) };
      const { rows, total } = await listDomains(context, user.userId, page);
      return paged(rows.map(present), query, total);
    },
  });

const read = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/domains/:id',
    tag: 'Domains',
    summary: 'Reads a domain.',
    status: 200,
    errors: [404],
    params: idParams,
    response: domain,
    handler: async ({ user, params }) =>
      present(await getUserDomain(context, user.userId, params.id)),
  });

const listDns = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/domains/:id/dns',
    tag: 'Domains',
    summary: 'Lists the DNS records at the registrar.',
    description: '`records` stands at the top level, not under `data`.',
    status: 200,
    errors: [404],
    envelope: 'custom',
    params: idParams,
    response: z.object({ success: z.literal(true), records: z.array(dnsRecord) }),
    handler: async ({ user, params }) => ({
      success: true as const,
      records: (await listDnsRecords(context, user.userId, params.id)).map(presentRecord),
    }),
  });

const addDns = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/domains/:id/dns',
    tag: 'Domains',
    summary: 'Adds a DNS record; nothing that is there is changed.',
    description: 'A second SPF or DMARC record is refused. An MX without priority gets 10.',
    status: 201,
    errors: [404],
    params: idParams,
    body: z.object({
      // Which types there are is the registrar's to say: RECORD_TYPE_NOT_SUPPORTED.
      type: z
        .string()
        .regex(/^[a-z0-9]{1,10}$/i, 'must be a record type')
        .transform((type) => type.toUpperCase()),
      name: z.string().trim().max(253),
      value: z.string().trim().min(1).max(4_096),
      priority: z.int().min(0).max(65_535).optional(),
      ttl: z.int().min(60).max(604_800).optional(),
    }),
    response: dnsRecord,
    handler: async ({ user, params, body }) => {
      const { priority, ...record } = body;
      const given = { ...record, ...(priority !== undefined && { priority }) };
      return presentRecord(await addDnsRecord(context, user.userId, params.id, given));
    },
  });

type DomainRow = Awaited<ReturnType<typeof getUserDomain>>;
type RecordRow = Awaited<ReturnType<typeof listDnsRecords>>[number];

function present(row: DomainRow): z.input<typeof domain> {
  return {
    id: row.id,
    domain: row.name,
    provider: row.provider,
    isActive: row.status === 'active',
    status: row.status,
    purchasedAt: row.purchased_at?.toISOString() ?? null,
    expiresAt: row.expires_at?.toISOString() ?? null,
    error:
      row.error_code === null ? null : { code: row.error_code, message: row.error_message ?? '' },
    createdAt: row.created_at.toISOString(),
  };
}

/** The registrar's id is a number wherever it looks like one. */
function presentRecord(row: RecordRow): z.input<typeof dnsRecord> {
  const { id, type, name, value, priority, ttl } = row;
  return {
    id: /^\d{1,15}$/.test(id) ? Number(id) : id,
    type,
    name,
    value,
    ...(priority !== undefined && { priority }),
    ttl,
  };
}
