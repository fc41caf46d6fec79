/** Porkbun's orders: what costs prepaid credit, and what is checked before. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { ProviderError } from '../../domain/errors.ts';
import type { JsonClient } from '../http-client.ts';
import { ask, domainPath } from './porkbun-client.ts';
import { findOwned, isoOf, stopAutoRenewal } from './porkbun-domains.ts';
import { PROVIDER, REPLAYED } from './porkbun-failures.ts';
import { check, isSoldByApi, MAX_ORDER_CENTS } from './porkbun-prices.ts';
import type { Registration, Renewal } from './port.ts';
import { earlierRenewal } from './renewal.ts';

/** How long the vendor repeats its first answer to an idempotency key. */
export const KEY_WINDOW_MS = 24 * 3_600_000;

/** The vendor takes one order a second. */
const ATTEMPT_GAP_MS = 1_100;

/** The most remembered refusals of one key that are skipped. */
const MAX_REPLAYS = 5;

const orderAnswer = z.object({
  orderId: z.union([z.string(), z.number()]).transform(String),
  cost: z.int(),
  /** Of renewals: the day of the new end. */
  expirationDate: z.string().nullish(),
});

/** What one order may cost, and the key under which the vendor remembers it. */
export interface OrderLimit {
  maxCents: number;
  key: string;
}

/**
 * The price is read here and sent along to the cent; the vendor refuses any other, so no order
 * costs more than was compared with the cap.
 */
export async function register(
  client: JsonClient,
  domain: string,
  { maxCents, key }: OrderLimit,
): Promise<Registration> {
  const offer = await check(client, domain);
  const cost = offer.priceCents;
  if (!offer.available && (cost === null || (await isLongOurs(client, domain)))) {
    throw refusal('DOMAIN_UNAVAILABLE', `${domain} is not available for registration`);
  }
  if (cost === null || !isSoldByApi(offer) || cost > Math.min(maxCents, MAX_ORDER_CENTS)) {
    throw refusal('PRICE_ABOVE_CAP', `${domain} costs more than is allowed for a domain`);
  }
  const path = domainPath('/domain/create', domain);
  const order = await spend(client, { path, body: { cost, agreeToTerms: 'yes' } }, key);
  // The answer does not tell when the term ends.
  const owned = await findOwned(client, domain).catch(() => null);
  // On unless it is known to be off. The purchase stands even if this fails: the comparison looks for it again.
  if (owned?.renewsItself !== false) await stopAutoRenewal(client, domain).catch(() => undefined);
  const { purchasedAt, expiresAt } = owned ?? termFrom(new Date(), offer.termYears);
  return { domain, purchasedAt, expiresAt, orderRef: order.orderId, chargedCents: order.cost };
}

/**
 * The term of an order that went through and is not listed yet, to some minutes: the vendor has no list of
 * orders, so that a purchase which it has confirmed is never looked for. The daily look corrects the end.
 */
function termFrom(start: Date, years: number): Pick<Registration, 'purchasedAt' | 'expiresAt'> {
  const end = new Date(start);
  end.setUTCFullYear(end.getUTCFullYear() + years);
  return { purchasedAt: start.toISOString(), expiresAt: end.toISOString() };
}

/**
 * Bought before the vendor began to remember keys. A name that is taken and was bought since, or is not listed, may
 * be what this very key has bought: it gets its first answer again, and anybody else's name is refused.
 */
async function isLongOurs(client: JsonClient, domain: string): Promise<boolean> {
  const owned = await findOwned(client, domain);
  return owned !== null && Date.parse(owned.purchasedAt) <= Date.now() - KEY_WINDOW_MS;
}

/**
 * Reads the end of the term first: after a day the vendor has forgotten the key. It refuses renewals
 * within 30 days of the registration or of the last renewal.
 */
export async function renew(
  client: JsonClient,
  { domain, expiresAt }: { domain: string; expiresAt: string },
  { maxCents, key }: OrderLimit,
): Promise<Renewal> {
  const owned = await findOwned(client, domain);
  const earlier = earlierRenewal(owned, { provider: PROVIDER, domain, expiresAt });
  if (owned?.renewsItself) await stopAutoRenewal(client, domain);
  if (earlier) return earlier;
  const { renewalCents: cost } = await check(client, domain);
  if (cost === null || cost > maxCents) {
    throw refusal('PRICE_ABOVE_CAP', `${domain} costs more than is allowed for a renewal`);
  }
  const order = await spend(
    client,
    { path: domainPath('/domain/renew', domain), body: { cost } },
    key,
  );
  const newEnd = order.expirationDate
    ? isoOf(order.expirationDate)
    : await findOwned(client, domain)
        .then((shown) => shown?.expiresAt)
        .catch(() => undefined);
  if (newEnd === undefined || newEnd <= expiresAt) throw unread(domain);
  const { purchasedAt } = owned!;
  return {
    domain,
    purchasedAt,
    expiresAt: newEnd,
    orderRef: order.orderId,
    chargedCents: order.cost,
  };
}

/**
 * One order under `key` and its price: another price is another body, which one key may not have. The
 * vendor remembers answers of refusals too, such as that of an empty account; a remembered one proves
 * that nothing was done, and is skipped.
 */
async function spend(
  client: JsonClient,
  { path, body }: { path: string; body: { cost: number; agreeToTerms?: 'yes' } },
  key: string,
): Promise<z.infer<typeof orderAnswer>> {
  for (let attempt = 1; ; attempt += 1) {
    const suffix = attempt === 1 ? '' : `:${attempt}`;
    try {
      return await ask(client, {
        path,
        body,
        key: `${key}:${body.cost}${suffix}`,
        repeatable: false,
        answer: orderAnswer,
      });
    } catch (error) {
      if (attempt === MAX_REPLAYS || !isRemembered(error)) throw error;
      await sleep(ATTEMPT_GAP_MS);
    }
  }
}

const isRemembered = (error: unknown): boolean =>
  error instanceof ProviderError &&
  error.kind !== 'outcome_unknown' &&
  error.facts.providerCode?.startsWith(REPLAYED) === true;

/** The renewal succeeded, but the new end is not shown yet: a repeat finds it. */
const unread = (domain: string) =>
  new ProviderError('outcome_unknown', `porkbun: ${domain} was ordered and is not listed yet`, {
    provider: PROVIDER,
  });

const refusal = (clientCode: string, message: string) =>
  new ProviderError('rejected', message, { provider: PROVIDER, clientCode });
