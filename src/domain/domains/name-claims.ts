/** Whose a name is that our account at a registrar has, and that is nobody's here. Choice 162. */
import { DAY_MS } from '../day.ts';

/** An order here that asked this registrar for the name, whoever's it was. */
export interface NameOrder {
  userId: string;
  askedFrom: Date;
  askedUntil: Date;
}

/** What the rows know of the name. */
export interface NameRecords {
  /** Newest first. */
  orders: readonly NameOrder[];
  /** The comparison has found it in our account, and no account here has it. */
  isFound: boolean;
}

/** The registrar's clock and ours may differ by as much. */
export const CLOCK_SKEW_MS = 5 * 60_000;

/**
 * How long before an order its name may have been bought by one that a restore has lost. What was bought earlier, and
 * asked for by nobody here, is the operator's own.
 */
const LOSS_DAYS = 30;

interface Asked {
  userId: string;
  purchasedAt: Date;
  orderedAt: Date;
  /** How late the registrar does what it was asked for. */
  lagMs: number;
}

/**
 * `caller`: their order has bought it. `unknown`: its order is lost, and only a person can say whose it was.
 * `other`: another one's, or the operator's. An order explains a purchase only of its own time: the name may have
 * ended since, and been bought anew by an order that is lost; and whoever asked later was refused it.
 */
export function ownerOf(
  { orders, isFound }: NameRecords,
  { userId, purchasedAt, orderedAt, lagMs }: Asked,
): 'caller' | 'other' | 'unknown' {
  const at = purchasedAt.getTime();
  const possible = orders.filter(
    ({ askedFrom, askedUntil }) =>
      at >= askedFrom.getTime() - CLOCK_SKEW_MS &&
      at <= askedUntil.getTime() + lagMs + CLOCK_SKEW_MS,
  );
  // Of several, the one whose requests were the nearest to it (of two as near, the newer one): the allowance for the
  // clocks is larger than most gaps.
  const awayMs = ({ askedFrom, askedUntil }: NameOrder) =>
    Math.max(0, askedFrom.getTime() - at, at - askedUntil.getTime());
  const [order] = possible.toSorted((a, b) => awayMs(a) - awayMs(b));
  if (order) return order.userId === userId ? 'caller' : 'other';
  return isFound && at > orderedAt.getTime() - LOSS_DAYS * DAY_MS ? 'unknown' : 'other';
}
