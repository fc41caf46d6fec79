/** The routes for import, renewal and health of a domain. Choices 25, 64. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { reply } from '../../http/envelope.ts';
import { route, type Route } from '../../http/route.ts';
import { idParams, timestamp } from '../../http/schemas.ts';
import { getUserDomain } from '../../services/domains/domains.ts';
import { checkDomainHealth } from '../../services/domains/domains-health.ts';
import { importDomain, verifyDomain } from '../../services/domains/domains-import.ts';
import { changeDomain, renewDomain } from '../../services/domains/domains-renewal.ts';
import { viewDomain } from '../../services/domains/domains-views.ts';
import { domainName } from './domain-name.ts';
import { domain, presentDomain } from './domains-shapes.ts';

type Needs = Pick<
  Context,
  'db' | 'dns' | 'config' | 'clock' | 'temporal' | 'registrars' | 'startOperation'
>;

const tag = 'Domains';

export const domainUpkeepRoutes = (context: Needs): Route[] => [
  bringIn(context),
  verify(context),
  change(context),
  renew(context),
  health(context),
];

const read = async (context: Needs, userId: string, id: number) =>
  presentDomain(await viewDomain(context, await getUserDomain(context, userId, id)));

const bringIn = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/domains/import',
    operationId: 'domains.import',
    tag,
    summary: 'Adds a domain that you own elsewhere.',
    description:
      'Publish the TXT record in `verification` and ask `POST /v1/domains/:id/verify`; until then the ' +
      'domain is `unverified` and claims nothing. It stays where it is (`provider: manual`): its ' +
      'records are set by you, and a cluster on it waits for them, naming them in ' +
      '`provisioning.message`. Asking again answers the same import.',
    status: 201,
    errors: { 400: ['DOMAIN_ALREADY_OWNED', 'DOMAIN_UNAVAILABLE'] },
    repeatable: true,
    body: z.object({ domain: domainName }),
    response: domain,
    handler: async ({ user, body, requestKey }) => {
      const row = await importDomain(context, user.userId, body.domain, requestKey);
      const view = await viewDomain(context, row);
      const proof = view.verification;
      const message = proof
        ? `Publish TXT ${proof.name} with the value ${proof.value}, then ask for its verification`
        : undefined;
      return reply(presentDomain(view), { message });
    },
  });

const verify = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/domains/:id/verify',
    operationId: 'domains.verify',
    tag,
    summary: 'Looks for the proof of an imported domain.',
    description:
      'Not published yet: 400 `DOMAIN_NOT_VERIFIED`. An active domain is answered as it is.',
    status: 200,
    errors: {
      400: ['INVALID_STATE', 'DOMAIN_NOT_VERIFIED', 'DOMAIN_UNAVAILABLE'],
      404: ['DOMAIN_NOT_FOUND'],
    },
    repeatable: true,
    params: idParams,
    response: domain,
    handler: async ({ user, params }) => {
      const row = await verifyDomain(context, user.userId, params.id);
      return presentDomain(await viewDomain(context, row));
    },
  });

const change = (context: Needs) =>
  route({
    method: 'patch',
    path: '/v1/domains/:id',
    operationId: 'domains.update',
    tag,
    summary: 'Sets whether a domain is renewed automatically.',
    description: 'The event `domain.expiring` is sent before it expires in either case.',
    status: 200,
    errors: { 400: ['DOMAIN_NOT_MANAGED', 'INVALID_STATE'], 404: ['DOMAIN_NOT_FOUND'] },
    params: idParams,
    body: z.object({ autoRenew: z.boolean() }),
    response: domain,
    handler: async ({ user, params, body }) => {
      await changeDomain(context, user.userId, params.id, body);
      return read(context, user.userId, params.id);
    },
  });

const renew = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/domains/:id/renew',
    operationId: 'domains.renew',
    tag,
    summary: 'Buys one more term for a domain.',
    description:
      'Waits up to 25 s for the registrar; slower than that `renewal.status` is `pending`. One renewal ' +
      'per expiry: asking again attaches to the one under way, resumes one that waits for a person, and ' +
      'within a day answers the one that was made. With more than a term left: 400 `RENEWAL_TOO_EARLY`.',
    status: 200,
    errors: {
      400: [
        'INVALID_STATE',
        'DOMAIN_NOT_MANAGED',
        'RENEWAL_TOO_EARLY',
        'DOMAIN_REJECTED',
        'DOMAIN_UNAVAILABLE',
        'PRICE_ABOVE_CAP',
        'PROVIDER_REJECTED',
        'CANCELLED',
      ],
      402: ['INSUFFICIENT_BALANCE'],
      404: ['DOMAIN_NOT_FOUND'],
      429: ['DOMAIN_SPENDING_LIMIT'],
    },
    repeatable: true,
    params: idParams,
    response: domain,
    handler: async ({ user, params, noteWorkflow }) => {
      const { workflowId } = await renewDomain(context, user.userId, params.id);
      if (workflowId !== undefined) noteWorkflow(workflowId);
      return read(context, user.userId, params.id);
    },
  });

const states = ['ok', 'warning', 'failing', 'unknown'] as const;

const domainHealth = z
  .object({
    domain: z.string(),
    status: z.enum(states),
    checkedAt: timestamp,
    checks: z.array(
      z.object({
        name: z.enum([
          'delegation',
          'address',
          'mx',
          'spf',
          'dkim',
          'dmarc',
          'caa',
          'expiry',
          'alignment',
        ]),
        state: z.enum([...states, 'not_applicable']),
        message: z.string(),
      }),
    ),
    requiredRecords: z.array(
      z.object({
        type: z.string(),
        name: z.string(),
        value: z.string(),
        priority: z.int().optional(),
      }),
    ),
  })
  .meta({ id: 'DomainHealth' });

const health = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/domains/:id/health',
    operationId: 'domains.readHealth',
    tag,
    summary: 'Checks a domain as public DNS shows it now.',
    description:
      'Name servers, the records that its cluster needs, its expiry, and what other mail servers report ' +
      'of the messages of its server (`alignment`). `caa` fails where CAA records forbid the certificate ' +
      'of its host, and says what to set. `requiredRecords` are those ' +
      'records in full; an imported domain needs them set by its owner, the MX last.',
    status: 200,
    errors: { 400: ['INVALID_STATE'], 404: ['DOMAIN_NOT_FOUND'] },
    params: idParams,
    response: domainHealth,
    handler: async ({ user, params }) => {
      const seen = await checkDomainHealth(context, user.userId, params.id);
      return { ...seen, checkedAt: seen.checkedAt.toISOString() };
    },
  });
