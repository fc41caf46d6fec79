/** Name.com's domains: availability, pricing, registration, listing. */
import { Router, type Request } from 'express';
import { z } from 'zod';
import type { SandboxCore } from '../core.ts';
import type { IdempotencyKeys } from '../idempotency.ts';
import { answerIsLost } from '../magic-names.ts';
import { isRegistered } from '../registry.ts';
import type { Store } from '../store.ts';
import { failsLater, lateMs, loseAnswer, send, type Answer } from '../vendor-router.ts';
import type { NamecomRecords, Order, SoldDomain } from './vendor-records.ts';
import { page } from './paging.ts';
import { dollars, isRegistrableName, minYears, priceOf, tldOf } from './prices.ts';
import { refuse } from './wire.ts';
import { parseBody, withIdempotency } from './request-body.ts';

const MAX_NAMES_PER_CHECK = 50;
const NAMESERVERS = ['ns1.name.com', 'ns2.name.com', 'ns3.name.com', 'ns4.name.com'];

const checkBody = z.object({
  domainNames: z.array(z.string().min(1)).min(1).max(MAX_NAMES_PER_CHECK),
  purchaseType: z.string().optional(),
});

const createBody = z.object({
  domain: z.object({
    domainName: z.string().min(1),
    privacyEnabled: z.boolean().optional(),
    autorenewEnabled: z.boolean().optional(),
    contacts: z.record(z.string(), z.unknown()).optional(),
  }),
  purchasePrice: z.number().optional(),
  purchaseType: z.string().optional(),
  years: z.int().optional(),
});
type CreateBody = z.infer<typeof createBody>;

interface StandInContext {
  core: SandboxCore;
  vendorRecords: NamecomRecords;
  keys: IdempotencyKeys;
}

export function domainRoutes(context: StandInContext): Router {
  const { vendorRecords } = context;
  const router = Router();
  router.post('/domains\\:checkAvailability', (request, response) => {
    const { domainNames } = parseBody(checkBody, request);
    const names = domainNames.map((name) => name.toLowerCase());
    const results = names.flatMap((name) => checkResult(context.core.store, name));
    if (results.length === 0) throw refuse(422, 'Unprocessable Entity', 'Unsupported TLD');
    // The vendor does not promise the order of the request.
    response.json({ results: results.toReversed() });
  });
  router.get('/domains/:name\\:getPricing', (request, response) => {
    response.json(pricing(nameIn(request), request.query['years']));
  });
  router.post('/domains', (request, response) => {
    const answer = withIdempotency(context.keys, request, () => register(context, request));
    send(response, answer);
  });
  router.get('/domains', (request, response) => {
    const wanted = request.query['domainName'];
    const found = vendorRecords
      .domains()
      .filter((d) => wanted === undefined || d.domain === wanted);
    const { items, ...counts } = page(found, request);
    response.json({ ...counts, domains: items.map(shownDomain) });
  });
  router.get('/domains/:name', (request, response) => {
    response.json(shownDomain(owned(vendorRecords, request.params.name)));
  });
  router.post('/domains/:name\\:setNameservers', (request, response) => {
    const sold = owned(vendorRecords, nameIn(request));
    const { nameservers } = parseBody(z.object({ nameservers: z.array(z.string()) }), request);
    vendorRecords.saveDomain({ ...sold, nameservers });
    response.json(shownDomain({ ...sold, nameservers }));
  });
  return router;
}

/** Express's types read `:name\\:verb` as one parameter; its router does not. */
export const nameIn = (request: { params: object }): string =>
  (request.params as { name: string }).name.toLowerCase();

/** The domain of this account, or the vendor's 404. */
export function owned(vendorRecords: NamecomRecords, name: string): SoldDomain {
  const sold = vendorRecords.domain(name.toLowerCase());
  if (sold === undefined) throw refuse(404, 'Not Found');
  return sold;
}

function checkResult(store: Store, domain: string): object[] {
  const price = priceOf(domain);
  if (price === undefined || !isRegistrableName(domain)) return [];
  const name = { domainName: domain, sld: domain.split('.')[0], tld: tldOf(domain) };
  if (isRegistered(store, domain)) return [{ ...name, purchasable: false }];
  return [
    {
      ...name,
      purchasable: true,
      premium: price.premium,
      purchaseType: 'registration',
      purchasePrice: dollars(price.purchaseCents),
      renewalPrice: dollars(price.renewalCents),
    },
  ];
}

function pricing(domain: string, years: unknown): object {
  const term = years === undefined ? minYears(domain) : Number(years);
  const price = priceOf(domain, term);
  if (price === undefined) throw refuse(422, 'Unsupported TLD');
  if (!isTerm(domain, term)) throw refuse(400, 'Invalid value for years for this domain');
  return {
    premium: price.premium,
    purchasePrice: dollars(price.purchaseCents),
    renewalPrice: dollars(price.renewalCents),
    transferPrice: dollars(price.transferCents),
  };
}

export const isTerm = (domain: string, years: number): boolean =>
  Number.isInteger(years) && years >= minYears(domain) && years <= 10;

function register(context: StandInContext, request: Request): Answer {
  const body = parseBody(createBody, request);
  const domain = body.domain.domainName.toLowerCase();
  const { years, amountCents } = agreeOnPrice(context, domain, body);
  const createdAt = wholeSeconds(new Date());
  const lateBy = lateMs(request);
  const order: Order = {
    id: context.vendorRecords.nextId('order'),
    itemId: context.vendorRecords.nextId('order'),
    domain,
    kind: 'register',
    years,
    amountCents,
    at: createdAt,
    refundedAt: null,
    ...(failsLater(request)
      ? { rejection: { atMs: Date.now() + lateBy, before: null } }
      : lateBy > 0 && { startedUntilMs: Date.now() + lateBy }),
  };
  const sold: SoldDomain = {
    domain,
    createdAt,
    expiresAt: yearsAfter(createdAt, years),
    orderId: order.id,
    privacyEnabled: body.domain.privacyEnabled ?? false,
    // The account's default: a caller who does not want it has to say so.
    autorenewEnabled: body.domain.autorenewEnabled ?? true,
    nameservers: NAMESERVERS,
  };
  // The order is there at once, whenever the domain shows it.
  context.core.store.withLag(0, () => context.vendorRecords.saveOrder(order));
  context.vendorRecords.saveDomain(sold);
  if (answerIsLost(context.core.store, 'namecom', domain)) loseAnswer(request);
  const totalPaid = dollars(amountCents);
  return { status: 200, body: { domain: shownDomain(sold), order: order.id, totalPaid } };
}

function agreeOnPrice({ core, vendorRecords }: StandInContext, domain: string, body: CreateBody) {
  if (!isRegistrableName(domain)) throw refuse(400, 'Bad Request', 'Invalid domain name');
  const years = body.years ?? minYears(domain);
  const price = priceOf(domain, years);
  if (price === undefined) throw refuse(422, 'Unprocessable Entity', 'Unsupported TLD');
  if (!isTerm(domain, years)) throw refuse(400, 'Invalid years');
  // An order that is under way has not reached the registry: until then another one is taken as well.
  const isTaken = core.store.asSeenOutside(() => isRegistered(core.store, domain));
  if (isTaken) throw refuse(400, 'Bad Request', 'Domain is not available');
  if (price.premium && body.purchasePrice === undefined) {
    throw refuse(
      400,
      'Purchase price is required for premium domains in order to complete this request',
    );
  }
  const offered = body.purchasePrice;
  if (offered !== undefined && Math.round(offered * 100) !== price.purchaseCents) {
    throw refuse(400, 'Purchase price does not match');
  }
  if (vendorRecords.balanceCents() < price.purchaseCents) {
    throw refuse(402, 'Payment Required', 'Insufficient Funds');
  }
  return { years, amountCents: price.purchaseCents };
}

export const shownDomain = (sold: SoldDomain) => ({
  domainName: sold.domain,
  createDate: sold.createdAt,
  expireDate: sold.expiresAt,
  autorenewEnabled: sold.autorenewEnabled ?? false,
  locked: true,
  privacyEnabled: sold.privacyEnabled,
  contacts: { registrant: CONTACT, admin: CONTACT, tech: CONTACT, billing: CONTACT },
  nameservers: sold.nameservers,
  renewalPrice: dollars(priceOf(sold.domain)?.renewalCents ?? 0),
});

/** The account's default contact. */
const CONTACT = {
  firstName: 'Sandbox',
  lastName: 'Account',
  address1: '1 Test Street',
  city: 'Denver',
  state: 'CO',
  zip: '80202',
  country: 'US',
  email: 'account@sandbox.test',
  phone: '+13035550100',
};

export const wholeSeconds = (at: Date): string => `${at.toISOString().slice(0, 19)}Z`;

export function yearsAfter(at: string, years: number): string {
  const then = new Date(at);
  then.setUTCFullYear(then.getUTCFullYear() + years);
  return wholeSeconds(then);
}
