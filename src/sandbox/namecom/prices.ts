/** Name.com's prices, and which names it does not sell. */
import { isMagic } from '../magic-names.ts';

export interface NamePrice {
  premium: boolean;
  /** Whole terms, in cents. */
  purchaseCents: number;
  renewalCents: number;
  transferCents: number;
}

/** Cents a year. `.io` and `.ai` are ordinary names that cost more than we charge. */
const YEARLY_CENTS: Record<string, { purchase: number; renewal: number; minYears?: number }> = {
  com: { purchase: 1_299, renewal: 1_799 },
  net: { purchase: 1_399, renewal: 1_999 },
  org: { purchase: 1_199, renewal: 1_899 },
  co: { purchase: 1_499, renewal: 3_599 },
  dev: { purchase: 1_399, renewal: 1_799 },
  email: { purchase: 999, renewal: 2_999 },
  biz: { purchase: 1_499, renewal: 2_199 },
  info: { purchase: 899, renewal: 2_799 },
  io: { purchase: 4_999, renewal: 6_999 },
  ai: { purchase: 9_249, renewal: 9_249, minYears: 2 },
};
const PREMIUM_CENTS = 249_900;

/** Undefined: names under this top-level domain are not sold here. */
export function priceOf(domain: string, years?: number): NamePrice | undefined {
  const yearly = YEARLY_CENTS[tldOf(domain)];
  if (yearly === undefined) return undefined;
  const term = years ?? yearly.minYears ?? 1;
  const premium = isMagic('premium', domain);
  return {
    premium,
    purchaseCents: premium ? PREMIUM_CENTS : yearly.purchase * term,
    renewalCents: yearly.renewal * term,
    transferCents: yearly.purchase,
  };
}

/** The shortest term in years; `.ai` is sold for two. */
export const minYears = (domain: string): number => YEARLY_CENTS[tldOf(domain)]?.minYears ?? 1;

export const tldOf = (domain: string): string => domain.slice(domain.indexOf('.') + 1);

/** One label and a top-level domain, as they can be registered. */
export const isRegistrableName = (domain: string): boolean =>
  /^(?!-)[a-z0-9-]{1,63}(?<!-)\.[a-z]{2,63}$/.test(domain);

export const dollars = (cents: number): number => cents / 100;
