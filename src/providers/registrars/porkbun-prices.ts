/** Porkbun's prices: read from `checkDomain` alone, one name at a time. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { isRateLimited, waitOutLimit } from '../../domain/accounts/vendor-limits.ts';
import type { JsonClient } from '../http-client.ts';
import { centsFromDollars } from './dollars.ts';
import { ask, domainPath, whenRefusedWith } from './porkbun-client.ts';
import type { DomainQuote, NamedQuote } from './port.ts';

/** "Registrations over $100 are not currently supported via API" (ORDER_TOO_LARGE). */
export const MAX_ORDER_CENTS = 10_000;

/**
 * How long the checks of one list may wait in total for the vendor's rate limit, unless the caller sets
 * less.
 */
const PATIENCE_MS = 60_000;

const money = z.string().regex(/^[\d,]+(\.\d+)?$/);
const yesNo = z.enum(['yes', 'no']);
const checkAnswer = z.object({
  response: z.object({
    avail: yesNo,
    premium: yesNo.nullish(),
    /** Dollars for each year of the shortest term. */
    price: money.nullish(),
    minDuration: z.coerce.number().int().min(1).nullish(),
    additional: z.object({ renewal: z.object({ price: money }).nullish() }).nullish(),
  }),
  limits: z.object({ limit: z.coerce.number(), used: z.coerce.number() }).nullish(),
  ttlRemaining: z.coerce.number().nullish(),
});
type CheckAnswer = z.infer<typeof checkAnswer>;

/** What the vendor charges for whole terms, whether or not the name is free. */
export interface Offer {
  available: boolean;
  premium: boolean;
  priceCents: number | null;
  renewalCents: number | null;
  termYears: number;
  /** Milliseconds until the vendor takes another check; 0 = at once. */
  nextCheckMs: number;
}

/** `/pricing/get` is public but shows promotions that an order may not get: it is never asked. */
export async function check(client: JsonClient, domain: string): Promise<Offer> {
  return toOffer(
    await ask(client, {
      path: domainPath('/domain/checkDomain', domain),
      repeatable: true,
      answer: checkAnswer,
    }),
  );
}

function toOffer({ response, limits, ttlRemaining }: CheckAnswer): Offer {
  const termYears = response.minDuration ?? 1;
  const isUsedUp = limits ? limits.used >= limits.limit : false;
  return {
    available: response.avail === 'yes',
    premium: response.premium === 'yes',
    priceCents: centsOf(response.price, termYears),
    renewalCents: centsOf(response.additional?.renewal?.price, termYears),
    termYears,
    nextCheckMs: isUsedUp ? (ttlRemaining ?? 1) * 1_000 : 0,
  };
}

/** Exact: the vendor refuses an order whose price is a cent off. */
function centsOf(dollars: string | null | undefined, years: number): number | null {
  const cents = centsFromDollars(dollars?.replaceAll(',', ''));
  return cents === null ? null : cents * years;
}

export const quote = async (client: JsonClient, domain: string): Promise<DomainQuote> =>
  toQuote(await offerOf(client, domain));

/** Null = a name that cannot be registered here. */
const offerOf = (client: JsonClient, domain: string): Promise<Offer | null> =>
  check(client, domain).catch(whenRefusedWith(ODD_NAME, null));

/** Refusals of names that cannot be registered here by anybody. */
const ODD_NAME = /^(INVALID_(DOMAIN|TLD)|.*TLD.*NOT_SUPPORTED|API_REGISTRATION_NOT_SUPPORTED)/;

/**
 * One by one: the vendor takes 10 checks in 10 seconds (or what its answer says), so fifty names may
 * take almost a minute. Those for which the time does not suffice are left out.
 */
export async function quoteAll(
  client: JsonClient,
  domains: readonly string[],
  withinMs = PATIENCE_MS,
): Promise<NamedQuote[]> {
  const deadline = Date.now() + withinMs;
  const quotes: NamedQuote[] = [];
  let waitMs = 0;
  for (const domain of domains) {
    if (quotes.length > 0 && Date.now() + waitMs > deadline) break;
    if (waitMs > 0) await sleep(waitMs);
    const offer = await waitOutLimit(() => offerOf(client, domain), deadline).catch(
      tooHasty(quotes),
    );
    if (offer === 'later') break;
    waitMs = offer?.nextCheckMs ?? 0;
    const isRestricted = offer === null || !isSoldByApi(offer);
    quotes.push({ domain, ...toQuote(offer), ...(isRestricted && { restricted: true }) });
  }
  return quotes;
}

/** When the limit is hit, a partial list is answered; with no result at all it is an error. */
const tooHasty =
  (known: readonly NamedQuote[]) =>
  (error: unknown): 'later' => {
    if (isRateLimited(error) && known.length > 0) return 'later';
    throw error;
  };

/** Premium names and orders over $100 are sold on the website only. */
export const isSoldByApi = ({ premium, priceCents }: Offer): boolean =>
  !premium && (priceCents === null || priceCents <= MAX_ORDER_CENTS);

function toQuote(offer: Offer | null): DomainQuote {
  const { available = false, premium = false, termYears = 1 } = offer ?? {};
  if (!offer || !available) {
    return { available: false, premium, priceCents: null, renewalCents: null, termYears };
  }
  const { priceCents, renewalCents } = offer;
  return { available, premium, priceCents, renewalCents, termYears };
}
