/** The routes of tracking domains. Choice 131. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { paged, reply } from '../../http/envelope.ts';
import { route, type Route } from '../../http/route.ts';
import { idParams, offsetOf, pageQuery } from '../../http/schemas.ts';
import {
  checkTrackingDomain,
  createTrackingDomain,
  getUserTrackingDomain,
  linksHostOf,
  listUserTrackingDomains,
  removeTrackingDomain,
  type TrackingDomain,
} from '../../services/domains/tracking-domains.ts';
import {
  presentTrackingDomain,
  trackingDomain,
  trackingDomainOrder,
} from './tracking-domain-shapes.ts';

type Needs = Pick<Context, 'db' | 'config' | 'temporal' | 'startOperation'>;

export const trackingDomainRoutes = (context: Needs): Route[] => [
  create(context),
  list(context),
  read(context),
  check(context),
  remove(context),
];

const tag = 'Domains';

const present = (context: Needs, row: TrackingDomain) =>
  presentTrackingDomain(row, linksHostOf(context));

const create = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/tracking-domains',
    operationId: 'trackingDomains.create',
    tag,
    summary: 'Adds a domain of yours for the links in your messages.',
    description:
      'Set the CNAME record of `record`; it is looked for every minute at first. Then a certificate is ordered ' +
      'for the name, and it is `active` within a minute or two. Campaigns use it by `trackingDomainId`: for the ' +
      'unsubscribe link, the tracking pixel and tracked links. An account has at most 100.',
    status: 201,
    errors: {
      400: ['TRACKING_DOMAINS_OFF', 'TRACKING_DOMAIN_EXISTS', 'TOO_MANY_TRACKING_DOMAINS'],
    },
    body: trackingDomainOrder,
    response: trackingDomain,
    handler: async ({ user, body }) => {
      const made = present(context, await createTrackingDomain(context, user.userId, body.name));
      const message = `Set the record ${made.record.name} CNAME ${made.record.value}`;
      return reply(made, { message });
    },
  });

const list = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/tracking-domains',
    operationId: 'trackingDomains.list',
    tag,
    summary: 'Lists the tracking domains, oldest first.',
    status: 200,
    errors: { 400: ['TRACKING_DOMAINS_OFF'] },
    paged: true,
    query: pageQuery,
    response: z.array(trackingDomain),
    handler: async ({ user, query }) => {
      const page = { limit: query.limit, offset: offsetOf(query) };
      const { rows, total } = await listUserTrackingDomains(context, user.userId, page);
      return paged(
        rows.map((row) => present(context, row)),
        query,
        total,
      );
    },
  });

const read = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/tracking-domains/:id',
    operationId: 'trackingDomains.read',
    tag,
    summary: 'Reads a tracking domain: its record, its status, what it waits for.',
    status: 200,
    errors: { 400: ['TRACKING_DOMAINS_OFF'], 404: ['TRACKING_DOMAIN_NOT_FOUND'] },
    params: idParams,
    response: trackingDomain,
    handler: async ({ user, params }) =>
      present(context, await getUserTrackingDomain(context, user.userId, params.id)),
  });

const check = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/tracking-domains/:id/check',
    operationId: 'trackingDomains.check',
    tag,
    summary: 'Looks at a tracking domain now, and not only when it is due.',
    description:
      'Answers before the look has ended: read the domain a few seconds later. Work that has failed ' +
      '(`WORK_FAILED`) is started again.',
    status: 200,
    errors: { 400: ['TRACKING_DOMAINS_OFF'], 404: ['TRACKING_DOMAIN_NOT_FOUND'] },
    params: idParams,
    response: trackingDomain,
    handler: async ({ user, params }) =>
      present(context, await checkTrackingDomain(context, user.userId, params.id)),
  });

const remove = (context: Needs) =>
  route({
    method: 'delete',
    path: '/v1/tracking-domains/:id',
    operationId: 'trackingDomains.delete',
    tag,
    summary: 'Forgets a tracking domain.',
    description:
      'Links in messages that were sent work until its certificate ends: leave the record until then. Campaigns ' +
      'that are not active go on without it.',
    status: 200,
    errors: { 400: ['TRACKING_DOMAIN_IN_USE'], 404: ['TRACKING_DOMAIN_NOT_FOUND'] },
    params: idParams,
    response: z.object({ id: z.int() }),
    handler: async ({ user, params }) =>
      reply(await removeTrackingDomain(context, user.userId, params.id), {
        message: 'Tracking domain deleted',
      }),
  });
