/** Porkbun's domains: checks with prices, the list of the account, automatic renewal. */
import { Router } from 'express';
import { z } from 'zod';
import { isRegistered } from '../registry.ts';
import { send } from '../vendor-router.ts';
import type { PorkbunRecords, SoldDomain } from './vendor-records.ts';
import type { StandInContext } from './context.ts';
import { dollars, isRegistrableName, priceOf } from './prices.ts';
import { invalidDomain, rateLimited, refuse, success } from './wire.ts';

const PAGE = 1_000;

const listBody = z.object({ domain: z.string().optional(), start: z.coerce.number().default(0) });
const autoRenewBody = z.object({ status: z.enum(['on', 'off']) });

export function domainRoutes(context: StandInContext): Router {
  const { vendorRecords, checks } = context;
  const router = Router();
  router.post('/domain/checkDomain/:domain', (request, response) => {
    const domain = request.params.domain.toLowerCase();
    if (!checks.take()) return send(response, rateLimited(checks.ttlRemaining()));
    const answer = { response: shownOffer(context, domain), limits: checks.state() };
    send(response, success({ ...answer, ttlRemaining: checks.ttlRemaining() }));
  });
  router.post('/domain/listAll', (request, response) => {
    const { domain, start } = listBody.parse(request.body ?? {});
    const page = vendorRecords
      .domains()
      .filter((sold) => domain === undefined || sold.domain === domain.toLowerCase())
      .toSorted((a, b) => a.expiresAt.localeCompare(b.expiresAt))
      .slice(start, start + PAGE)
      .map(shownDomain);
    send(response, success({ count: page.length, domains: page }));
  });
  router.post('/domain/updateAutoRenew/:domain', (request, response) => {
    const parsed = autoRenewBody.safeParse(request.body);
    if (!parsed.success) throw refuse('INVALID_STATUS', 'Status must be on or off.');
    const domain = request.params.domain.toLowerCase();
    const result = updateAutoRenew(vendorRecords, domain, parsed.data.status === 'on');
    send(response, success({ results: { [domain]: result } }));
  });
  // One of the few that are GET.
  router.get('/account/balance', (_request, response) => {
    const balance = vendorRecords.balanceCents();
    send(response, success({ balance, display: `$${dollars(balance)}` }));
  });
  return router;
}

/** A domain that could not be changed is reported inside an answer that says SUCCESS. */
function updateAutoRenew(
  vendorRecords: PorkbunRecords,
  domain: string,
  autoRenew: boolean,
): object {
  const sold = vendorRecords.domain(domain);
  if (!sold?.apiAccess)
    return { status: 'ERROR', message: 'Domain is not opted in to API access.' };
  vendorRecords.saveDomain({ ...sold, autoRenew });
  return { status: 'SUCCESS', message: `Auto renew status updated.` };
}

function shownOffer({ core }: StandInContext, domain: string): object {
  const price = priceOf(domain);
  if (price === undefined || !isRegistrableName(domain)) throw invalidDomain();
  const { yearlyCents, regularCents, renewalCents, transferCents, minYears } = price;
  const extra = (type: string, cents: number) => ({
    type,
    price: dollars(cents),
    regularPrice: dollars(cents),
  });
  return {
    avail: isRegistered(core.store, domain) ? 'no' : 'yes',
    type: 'registration',
    price: dollars(yearlyCents),
    firstYearPromo: yearlyCents < regularCents ? 'yes' : 'no',
    regularPrice: dollars(regularCents),
    premium: price.premium ? 'yes' : 'no',
    minDuration: minYears,
    additional: {
      renewal: extra('renewal', renewalCents),
      transfer: extra('transfer', transferCents),
    },
  };
}

const shownDomain = (sold: SoldDomain) => ({
  domain: sold.domain,
  status: 'ACTIVE',
  tld: sold.domain.slice(sold.domain.indexOf('.') + 1),
  createDate: dateOf(sold.createdAt),
  expireDate: dateOf(sold.expiresAt),
  securityLock: 1,
  whoisPrivacy: 1,
  autoRenew: sold.autoRenew ? 1 : 0,
  apiAccess: sold.apiAccess ? 1 : 0,
  notLocal: 0,
});

/** `2027-01-15T10:00:00Z` -> `2027-01-15 10:00:00`. */
const dateOf = (at: string): string => at.slice(0, 19).replace('T', ' ');
