/** The routes that find names to buy. Spec: Domains; choices 25, 58. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { reply } from '../../http/envelope.ts';
import { route, type Route } from '../../http/route.ts';
import {
  checkDomains,
  MAX_NAMES,
  suggestAvailable,
  type SearchResult,
} from '../../services/domains/domains-search.ts';
import { domainName } from './domain-name.ts';
import { registrarName } from './domains-shapes.ts';

type Needs = Pick<Context, 'db' | 'config' | 'clock' | 'registrars'>;

const tag = 'Domains';

export const domainSearchRoutes = (context: Needs): Route[] => [check(context), suggest(context)];

const availability = z
  .object({
    domain: z.string(),
    available: z.boolean(),
    priceCents: z.int().nullable(),
    restricted: z.boolean().optional(),
    unknown: z.boolean().optional(),
  })
  .meta({ id: 'DomainAvailability' });

const RESTRICTED =
  '`priceCents` is what the registrar asks for the first term. `restricted`: it cannot be bought ' +
  'here (premium, dearer than allowed, or not sold by the registrar). A registrar that takes one name ' +
  'at a time is asked for 15 seconds: `message` then says for how many names that was not enough.';

const check = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/domains/check',
    operationId: 'domains.check',
    tag,
    summary: 'Says which of up to 50 names can be bought.',
    description: `In the order asked, each name once, in lower-case punycode. ${RESTRICTED} Those are \`unknown\`.`,
    status: 200,
    errors: { 400: ['PROVIDER_REJECTED'] },
    repeatable: true,
    changesNothing: true,
    body: z.object({
      domains: z.array(domainName).min(1).max(MAX_NAMES),
      provider: registrarName(context),
    }),
    response: z.array(availability),
    handler: async ({ user, body }) =>
      replyOf(await checkDomains(context, { userId: user.userId, ...body })),
  });

/** Without its dot; a second-level suffix (`co.uk`) counts as one. */
const tld = z
  .string()
  .trim()
  .toLowerCase()
  .transform((text) => text.replace(/^\./, ''))
  .pipe(z.string().regex(/^[a-z0-9-]{2,63}(\.[a-z0-9-]{2,63})?$/, 'must be like com'));

const suggest = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/domains/suggest',
    operationId: 'domains.suggest',
    tag,
    summary: 'Suggests names for a keyword that can be bought now.',
    description: `The same keyword brings the same names, as long as they are free. ${RESTRICTED}`,
    status: 200,
    errors: { 400: ['PROVIDER_REJECTED'] },
    repeatable: true,
    changesNothing: true,
    body: z.object({
      keyword: z.string().trim().min(1).max(100),
      tlds: z.array(tld).min(1).max(20).optional(),
      limit: z.int().min(1).max(MAX_NAMES).default(10),
    }),
    response: z.array(availability),
    handler: async ({ user, body }) =>
      replyOf(await suggestAvailable(context, { userId: user.userId, ...body })),
  });

const replyOf = ({ names, unknown }: SearchResult) =>
  reply(names, {
    message:
      unknown === 0
        ? undefined
        : `The registrar did not answer for ${unknown} names in time; ask again shortly`,
  });
