/** What other mail servers report of a domain. Choice 76. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { pagination, reply } from '../../http/envelope.ts';
import { route, type Route } from '../../http/route.ts';
import { idParams, offsetOf, pageQuery, queryInteger, timestamp } from '../../http/schemas.ts';
import { viewDeliverability } from '../../services/domains/deliverability.ts';

type Needs = Pick<Context, 'db' | 'clock'>;

const MAX_DAYS = 3_650;
const DEFAULT_DAYS = 30;

const outcome = z.enum(['pass', 'fail']).nullable();

const line = z.object({
  day: z.iso.date().meta({ description: 'UTC' }),
  source: z.string().meta({
    description:
      'DMARC: the address that delivered the messages. TLS: the mail server, or the policy',
  }),
  isOwnServer: z.boolean().meta({ description: "It is the server of the domain's cluster" }),
  result: z.string().meta({
    description: 'DMARC: `pass` or `fail`. TLS: `success`, or the type of the failure (RFC 8460)',
  }),
  disposition: z
    .enum(['none', 'pass', 'quarantine', 'reject'])
    .nullable()
    .meta({ description: 'DMARC: what the receiver did' }),
  dkim: outcome.meta({ description: 'DMARC: whether an aligned signature was valid' }),
  spf: outcome.meta({ description: 'DMARC: whether an aligned envelope sender passed SPF' }),
  authResults: z
    .string()
    .nullable()
    .meta({ description: 'DMARC: what was checked, of one record' }),
  messages: z.int().meta({ description: 'TLS: connections' }),
  reporters: z.array(z.string()).meta({ description: 'At most 20, as they call themselves' }),
});

const deliverability = z
  .object({
    domain: z.string(),
    alignment: z.object({
      state: z.enum(['ok', 'warning', 'failing', 'unknown']).meta({
        description: '`unknown`: nobody has reported on its server in the last 7 days',
      }),
      failingSince: timestamp.nullable(),
      sources: z.array(z.string()).meta({ description: 'Addresses of its own server' }),
      messages: z.int(),
      failed: z.int(),
      reporters: z.int(),
    }),
    addresses: z.array(
      z.object({
        address: z.string(),
        readAt: timestamp.nullable(),
        failingSince: timestamp.nullable(),
      }),
    ),
    lines: z.array(line),
  })
  .meta({ id: 'Deliverability' });

export const deliverabilityRoutes = (context: Needs): Route[] => [
  route({
    method: 'get',
    path: '/v1/domains/:id/deliverability',
    operationId: 'domains.readDeliverability',
    tag: 'Domains',
    summary: 'Lists what other mail servers report of a domain.',
    description:
      'Their DMARC (`kind=dmarc`) or TLS reports (`kind=tls`) of the last `days`, which come to ' +
      '`postmaster@` the domain: by day, source, result and disposition, the newest day first. ' +
      '`alignment` judges the messages of its own server. Nobody signs a report: it proves nothing.',
    status: 200,
    errors: { 404: ['DOMAIN_NOT_FOUND'] },
    paged: true,
    params: idParams,
    query: pageQuery.extend({
      kind: z.enum(['dmarc', 'tls']).default('dmarc'),
      days: queryInteger(MAX_DAYS, DEFAULT_DAYS),
    }),
    response: deliverability,
    handler: async ({ user, params, query }) => {
      const asked = { ...query, id: params.id, offset: offsetOf(query) };
      const { total, ...seen } = await viewDeliverability(context, user.userId, asked);
      const data = {
        ...seen,
        alignment: {
          ...seen.alignment,
          failingSince: seen.alignment.failingSince?.toISOString() ?? null,
        },
        addresses: seen.addresses.map(({ address, readAt, failingSince }) => ({
          address,
          readAt: readAt?.toISOString() ?? null,
          failingSince: failingSince?.toISOString() ?? null,
        })),
      };
      return reply(data, { meta: { pagination: pagination(query, total) } });
    },
  }),
];
