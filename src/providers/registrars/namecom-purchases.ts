/** Name.com's prices, purchases and renewals: what costs money, and what is checked before. */
import { z } from 'zod';
import { ProviderError } from '../../domain/errors.ts';
import type { JsonClient } from '../http-client.ts';
import { centsFromDollars } from './dollars.ts';
import type { DomainQuote, NamedQuote, OwnedDomain, Registration, Renewal } from './port.ts';
import { earlierRenewal } from './renewal.ts';

const PROVIDER = 'namecom';

/** Registries whose shortest term is not one year; the vendor's price is for that term. */
const TERM_YEARS: Record<string, number> = { ai: 2 };

const availabilityAnswer = z.object({
  results: z.array(
    z.object({
      domainName: z.string(),
      purchasable: z.boolean(),
      premium: z.boolean().optional(),
      purchaseType: z.string().optional(),
      purchasePrice: z.number().optional(),
      renewalPrice: z.number().optional(),
    }),
  ),
});
const domainAnswer = z.object({
  domainName: z.string(),
  createDate: z.iso.datetime({ offset: true }),
  expireDate: z.iso.datetime({ offset: true }),
  autorenewEnabled: z.boolean().nullish(),
});
const orderAnswer = z.object({ domain: domainAnswer, order: z.int(), totalPaid: z.number() });
const pricingAnswer = z.object({
  premium: z.boolean().nullish(),
  renewalPrice: z.number().nullish(),
});

/** What one order may cost, and the key under which the vendor remembers it. */
export interface OrderLimit {
  maxCents: number;
  key: string;
}

export const domainPath = (domain: string) => `/domains/${encodeURIComponent(domain)}`;

/**
 * One call for all names. Only `registration` is asked for: aftermarket and expiring names are
 * another product. The order of the answer is not promised; a name whose registry the vendor does
 * not sell is left out of it, and when all are, the call is refused with 422.
 */
export async function quoteAll(
  client: JsonClient,
  domains: readonly string[],
): Promise<NamedQuote[]> {
  if (domains.length === 0) return [];
  const { results } = await client
    .send({
      method: 'POST',
      path: '/domains:checkAvailability',
      body: { domainNames: domains, purchaseType: 'registration' },
      repeatable: true,
      answer: availabilityAnswer,
    })
    .catch(whenRefusedWith('422', { results: [] }));
  const found = new Map(results.map((result) => [result.domainName.toLowerCase(), result]));
  return domains.map((domain) => {
    const result = found.get(domain);
    return { domain, ...toQuote(domain, result), ...(!result && { restricted: true }) };
  });
}

export async function quote(client: JsonClient, domain: string): Promise<DomainQuote> {
  const [named] = await quoteAll(client, [domain]);
  const { available, premium, priceCents, renewalCents, termYears } = named!;
  return { available, premium, priceCents, renewalCents, termYears };
}

function toQuote(
  domain: string,
  found: z.infer<typeof availabilityAnswer>['results'][number] | undefined,
): DomainQuote {
  const termYears = TERM_YEARS[domain.slice(domain.lastIndexOf('.') + 1)] ?? 1;
  const forSale = found?.purchasable && (found.purchaseType ?? 'registration') === 'registration';
  if (!found || !forSale) {
    return { available: false, premium: false, priceCents: null, renewalCents: null, termYears };
  }
  return {
    available: true,
    premium: found.premium ?? false,
    priceCents: centsFromDollars(found.purchasePrice),
    renewalCents: centsFromDollars(found.renewalPrice),
    termYears,
  };
}

export async function find(client: JsonClient, domain: string): Promise<OwnedDomain | null> {
  return client
    .send({ method: 'GET', path: domainPath(domain), repeatable: true, answer: domainAnswer })
    .then(owned, whenRefusedWith('404', null));
}

/** The cap is compared with the list price; VAT, where our account pays it, comes on top. */
export async function register(
  client: JsonClient,
  domain: string,
  { maxCents, key }: OrderLimit,
): Promise<Registration> {
  const offer = await quote(client, domain);
  // Ours already: with the same key the vendor repeats its first answer instead of selling again.
  if (!offer.available && !(await find(client, domain))) {
    throw refusal('DOMAIN_UNAVAILABLE', `${domain} is not available for registration`);
  }
  const price = offer.priceCents;
  if (offer.available && (offer.premium || price === null || price > maxCents)) {
    throw refusal('PRICE_ABOVE_CAP', `${domain} costs more than is allowed for a domain`);
  }
  // No `years`: the vendor takes the shortest term of the registry, which is what was quoted.
  const bought = await client.send({
    method: 'POST',
    path: '/domains',
    headers: { 'X-Idempotency-Key': key },
    body: {
      domain: { domainName: domain, autorenewEnabled: false },
      purchaseType: 'registration',
    },
    repeatable: false,
    answer: orderAnswer,
  });
  // The purchase stands even if this fails; `renew` switches it off once more before the term ends.
  if (bought.domain.autorenewEnabled) await stopAutoRenewal(client, domain).catch(() => undefined);
  return ordered(bought);
}

/**
 * The vendor documents no idempotency key for renewals, so the end of the term is read first. That alone
 * does not keep a repetition from paying twice: callers look into the orders too (`listOrders`). Without `years` it adds the registry's shortest term, which is
 * what `getPricing` prices.
 */
export async function renew(
  client: JsonClient,
  { domain, expiresAt }: { domain: string; expiresAt: string },
  { maxCents, key }: OrderLimit,
): Promise<Renewal> {
  const path = domainPath(domain);
  const shown = await client
    .send({ method: 'GET', path, repeatable: true, answer: domainAnswer })
    .catch(whenRefusedWith('404', null));
  const earlier = earlierRenewal(shown && owned(shown), { provider: PROVIDER, domain, expiresAt });
  if (shown?.autorenewEnabled) await stopAutoRenewal(client, domain);
  if (earlier) return earlier;
  const pricing = await client.send({
    method: 'GET',
    path: `${path}:getPricing`,
    repeatable: true,
    answer: pricingAnswer,
  });
  const price = centsFromDollars(pricing.renewalPrice);
  if (price === null || price > maxCents) {
    throw refusal('PRICE_ABOVE_CAP', `${domain} costs more than is allowed for a renewal`);
  }
  // Only premium names send their price; the vendor refuses it when it has changed.
  const body = pricing.premium ? { purchasePrice: pricing.renewalPrice } : {};
  const headers = { 'X-Idempotency-Key': key };
  const call = { method: 'POST', path: `${path}:renew`, headers, body } as const;
  return ordered(await client.send({ ...call, repeatable: false, answer: orderAnswer }));
}

const stopAutoRenewal = (client: JsonClient, domain: string) =>
  client.send({
    method: 'PATCH',
    path: domainPath(domain),
    body: { autorenewEnabled: false },
    repeatable: true,
    answer: z.unknown(),
  });

const ordered = (answer: z.infer<typeof orderAnswer>): Registration => ({
  ...owned(answer.domain),
  orderRef: String(answer.order),
  chargedCents: centsFromDollars(answer.totalPaid) ?? 0,
});

const owned = (domain: z.infer<typeof domainAnswer>): OwnedDomain => ({
  domain: domain.domainName.toLowerCase(),
  purchasedAt: new Date(domain.createDate).toISOString(),
  expiresAt: new Date(domain.expireDate).toISOString(),
});

const refusal = (clientCode: string, message: string) =>
  new ProviderError('rejected', message, { provider: PROVIDER, clientCode });

/** Turns the vendor's refusal with this status into `value`; anything else stays an error. */
export const whenRefusedWith =
  <T>(status: string, value: T) =>
  (error: unknown): T => {
    if (
      error instanceof ProviderError &&
      error.kind === 'rejected' &&
      error.facts.providerCode === status
    ) {
      return value;
    }
    throw error;
  };
