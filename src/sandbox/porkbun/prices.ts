/** Porkbun's prices, and which names its API does not sell. */
import { isMagic } from '../magic-names.ts';

export interface NamePrice {
  premium: boolean;
  /** Cents for each year of the shortest term. */
  yearlyCents: number;
  regularCents: number;
  renewalCents: number;
  transferCents: number;
  minYears: number;
}

/** Cents a year; `promo` is what the first year costs now. `.ai` is sold for two years. */
const YEARLY: Record<string, { regular: number; promo?: number; minYears?: number }> = {
  com: { regular: 1_108 },
  net: { regular: 1_252 },
  org: { regular: 1_184 },
  co: { regular: 2_574, promo: 1_080 },
  dev: { regular: 1_287, promo: 875 },
  email: { regular: 2_059, promo: 515 },
  biz: { regular: 1_647, promo: 1_099 },
  info: { regular: 2_265, promo: 309 },
  io: { regular: 5_180 },
  ai: { regular: 8_270, minYears: 2 },
};
const PREMIUM_CENTS = 249_900;

/** Undefined: names under this top-level domain are not sold here. */
export function priceOf(domain: string): NamePrice | undefined {
  const yearly = YEARLY[domain.slice(domain.indexOf('.') + 1)];
  if (yearly === undefined) return undefined;
  const premium = isMagic('premium', domain);
  const regularCents = premium ? PREMIUM_CENTS : yearly.regular;
  return {
    premium,
    yearlyCents: premium ? PREMIUM_CENTS : (yearly.promo ?? yearly.regular),
    regularCents,
    renewalCents: regularCents,
    transferCents: regularCents,
    minYears: yearly.minYears ?? 1,
  };
}

/** One label and a top-level domain, as they can be registered. */
export const isRegistrableName = (domain: string): boolean =>
  /^(?!-)[a-z0-9-]{1,63}(?<!-)\.[a-z]{2,63}$/.test(domain);

/** `1108` -> `"11.08"`. */
export const dollars = (cents: number): string => (cents / 100).toFixed(2);
