/** Which names can be bought, and which to suggest. Spec: Domains; choices 25, 58. */
import type { Context } from '../../context.ts';
import { listLiveNames } from '../../db/domains/domains.ts';
import { listEndedFor, listNamesInUse } from '../../db/domains/ended-domains.ts';
import { suggestDomains } from '../../domain/domains/domain-suggestions.ts';
import type { NamedQuote, Registrar } from '../../providers/registrars/port.ts';
import { withRegistrarErrors, registrarOf } from './registrars.ts';

type Needs = Pick<Context, 'db' | 'config' | 'clock' | 'registrars'>;

/** `restricted`: not registered, or this cannot be known, but it cannot be bought here. */
export interface Availability {
  domain: string;
  available: boolean;
  /** Price of the first term at the registrar; null where it does not sell the name. */
  priceCents: number | null;
  restricted?: boolean;
  /** The registrar was not asked: its rate limit did not allow it in time. */
  unknown?: boolean;
}

/** What was answered in time, and how many names were not. */
export interface SearchResult {
  names: Availability[];
  unknown: number;
}

/** The most names that a registrar answers at once, and that a request may hold. */
export const MAX_NAMES = 50;

/** How long a registrar that takes one name at a time is asked; clients time out after 30 s. */
const SEARCH_MS = 15_000;

/**
 * Choice 25: POST /v1/domains/check. In the order asked, each name once; a name that the registrar's
 * limit did not let us ask in time is `unknown`.
 */
export async function checkDomains(
  context: Needs,
  {
    userId,
    domains,
    provider,
  }: { userId: string; domains: readonly string[]; provider?: string | undefined },
): Promise<SearchResult> {
  const wanted = [...new Set(domains)];
  const registrar = registrarOf(context, provider ?? context.config.DEFAULT_REGISTRAR);
  const known = await lookUp(context, registrar, { userId, domains: wanted, withinMs: SEARCH_MS });
  const nothing = { available: false, priceCents: null, unknown: true };
  const names = wanted.map((domain) => known.get(domain) ?? { domain, ...nothing });
  return { names, unknown: wanted.length - known.size };
}

/**
 * Choice 58: POST /v1/domains/suggest. Only what can be bought, best first. A registrar that takes
 * one name at a time is asked for no more than it takes to find `limit`, and only for a while.
 */
export async function suggestAvailable(
  context: Needs,
  wish: { userId: string; keyword: string; tlds?: readonly string[] | undefined; limit: number },
): Promise<SearchResult> {
  const { userId, keyword, tlds, limit } = wish;
  let left = suggestDomains(keyword, { ...(tlds && { tlds }), limit: MAX_NAMES });
  const registrar = registrarOf(context, context.config.DEFAULT_REGISTRAR);
  const deadline = Date.now() + SEARCH_MS;
  const found: Availability[] = [];
  while (left.length > 0 && found.length < limit) {
    const portion = Math.max(registrar.namesAtOnce ?? MAX_NAMES, limit - found.length);
    const domains = left.slice(0, portion);
    const withinMs = deadline - Date.now();
    if (withinMs <= 0) break;
    const known = await lookUp(context, registrar, { userId, domains, withinMs }).catch(
      (error: unknown) => nothingMore(found, error),
    );
    found.push(...[...known.values()].filter(({ available }) => available));
    left = left.slice(known.size);
    if (known.size < domains.length) break;
  }
  const isEnough = found.length >= limit;
  return { names: found.slice(0, limit), unknown: isEnough ? 0 : left.length };
}

/** Returns what was found, even if the registrar fails for the rest. */
function nothingMore(found: readonly Availability[], error: unknown): Map<string, Availability> {
  if (found.length === 0) throw error;
  return new Map();
}

/** Availability by name, for names that were answered in time. */
async function lookUp(
  context: Needs,
  registrar: Registrar,
  { userId, domains, withinMs }: { userId: string; domains: readonly string[]; withinMs: number },
): Promise<Map<string, Availability>> {
  const [quotes, live, ended, inUse] = await Promise.all([
    withRegistrarErrors(() => registrar.quoteAll(domains, withinMs)),
    listLiveNames(context.db, domains),
    listEndedFor(context.db, domains, { userId, now: context.clock.now() }),
    listNamesInUse(context.db, { userId, names: domains }),
  ]);
  // What is for sale again is nobody's. Choice 162.
  for (const { name } of ended) live.delete(name);
  for (const name of inUse) live.add(name);
  const capCents = context.config.DOMAIN_COST_CAP_CENTS;
  return new Map(
    quotes.map((quote) => [
      quote.domain,
      availability(quote, { isLive: live.has(quote.domain), capCents }),
    ]),
  );
}

/** What is sold but never bought here (premium, above the cap) is `restricted`, not available. */
function availability(
  quote: NamedQuote,
  { isLive, capCents }: { isLive: boolean; capCents: number },
): Availability {
  const { domain, priceCents } = quote;
  const isForSale = (quote.available || quote.premium) && !isLive;
  const isDear = quote.premium || priceCents === null || priceCents > capCents;
  const restricted = quote.restricted === true || (isForSale && isDear);
  return {
    domain,
    available: isForSale && !restricted,
    priceCents: isForSale ? priceCents : null,
    ...(restricted && { restricted }),
  };
}
