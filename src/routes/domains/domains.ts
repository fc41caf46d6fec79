/** The routes of domains and their DNS records. Spec: Domains; choices 24-26. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { paged } from '../../http/envelope.ts';
import { route, type Route } from '../../http/route.ts';
import { idParams, offsetOf, pageQuery } from '../../http/schemas.ts';
import { buyDomain, getUserDomain, listDomains } from '../../services/domains/domains.ts';
import { viewDomain, viewDomains } from '../../services/domains/domains-views.ts';
import { domainName } from './domain-name.ts';
import { domainDnsRoutes } from './domains-dns.ts';
import { domainSearchRoutes } from './domains-search.ts';
import { domain, domainStatuses, presentDomain, registrarName } from './domains-shapes.ts';
import { domainUpkeepRoutes } from './domains-upkeep.ts';
import { trackingDomainRoutes } from './tracking-domains.ts';

type Needs = Pick<
  Context,
  'db' | 'dns' | 'config' | 'clock' | 'temporal' | 'registrars' | 'startOperation'
>;

export const domainRoutes = (context: Needs): Route[] => [
  buy(context),
  list(context),
  read(context),
  ...domainSearchRoutes(context),
  ...domainUpkeepRoutes(context),
  ...domainDnsRoutes(context),
  ...trackingDomainRoutes(context),
];

const buy = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/domains',
    operationId: 'domains.buy',
    tag: 'Domains',
    summary: 'Buys a domain.',
    description:
      'Waits up to 25 s for the registrar. Slower than that the answer has `isActive: false` and ' +
      '`GET /v1/domains/:id` tells; asking again for the same name attaches to the purchase.',
    status: 201,
    errors: {
      400: [
        'DOMAIN_ALREADY_OWNED',
        'DOMAIN_UNAVAILABLE',
        'DOMAIN_REJECTED',
        'PRICE_ABOVE_CAP',
        'PROVIDER_REJECTED',
        'CANCELLED',
      ],
      402: ['INSUFFICIENT_BALANCE'],
      429: ['DOMAIN_SPENDING_LIMIT'],
    },
    repeatable: true,
    body: z.object({
      domain: domainName,
      provider: registrarName(context),
    }),
    response: domain,
    handler: async ({ user, body, requestKey, noteWorkflow }) => {
      const bought = await buyDomain(context, user.userId, body, requestKey);
      noteWorkflow(bought.workflowId);
      return presentDomain(await viewDomain(context, bought.domain));
    },
  });

const list = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/domains',
    operationId: 'domains.list',
    tag: 'Domains',
    summary: 'Lists the domains; failed purchases only with `?status=failed`.',
    status: 200,
    paged: true,
    query: pageQuery.extend({ status: z.enum(domainStatuses).optional() }),
    response: z.array(domain),
    handler: async ({ user, query }) => {
      const page = { status: query.status, limit: query.limit, offset: offsetOf(query) };
      const { rows, total } = await listDomains(context, user.userId, page);
      return paged((await viewDomains(context, rows)).map(presentDomain), query, total);
    },
  });

const read = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/domains/:id',
    operationId: 'domains.read',
    tag: 'Domains',
    summary: 'Reads a domain.',
    status: 200,
    errors: { 404: ['DOMAIN_NOT_FOUND'] },
    params: idParams,
    response: domain,
    handler: async ({ user, params }) =>
      presentDomain(
        await viewDomain(context, await getUserDomain(context, user.userId, params.id)),
      ),
  });
