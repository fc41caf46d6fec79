/**
 * What registrars may charge us for one user within a day: nobody gives it back, whatever the user pays. Choice 69.
 */
import { sql, type Transaction } from 'kysely';
import { DAY_MS } from '../../domain/day.ts';
import { spendingLimit } from '../../domain/domains/spending.ts';
import type { Database } from '../tables.ts';

/** The settings of these names. */
export interface SpendingLimits {
  DOMAIN_SPENDING_CAP_CENTS: number;
  /** These two are counted until the price is known. */
  DOMAIN_COST_CAP_CENTS: number;
  DOMAIN_RENEWAL_COST_CAP_CENTS: number;
  MAX_FREE_DOMAIN_ORDERS?: number | undefined;
}

export interface SpendingRequest {
  userId: string;
  /** The user pays nothing for it. */
  isFree: boolean;
  limits: SpendingLimits;
  now: Date;
}

/**
 * Counts the user's orders of the last day with the one that this transaction has just inserted, one
 * transaction after the other. Throws `rate_limited` DOMAIN_SPENDING_LIMIT with the moment when it ends.
 */
export async function assertWithinSpending(
  trx: Transaction<Database>,
  { userId, isFree, limits, now }: SpendingRequest,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`spending:${userId}`}, 0))`.execute(
    trx,
  );
  const since = new Date(now.getTime() - DAY_MS);
  const spent = await spentSince(trx, { userId, limits, since });
  if (spent.cents > limits.DOMAIN_SPENDING_CAP_CENTS) throw spendingLimit(spent.first);
  const most = limits.MAX_FREE_DOMAIN_ORDERS;
  if (!isFree || most === undefined) return;
  const free = await freeSince(trx, userId, since);
  // The operation of this order is inserted after it.
  if (free.orders >= most) throw spendingLimit(free.first);
}

/** `first`: the oldest of them; a day after it there is room again. */
async function spentSince(
  trx: Transaction<Database>,
  { userId, limits, since }: { userId: string; limits: SpendingLimits; since: Date },
): Promise<{ cents: number; first: Date }> {
  const { rows } = await sql<{ cents: string; first: Date | null }>`
    select coalesce(sum(cents), 0) as cents, min(at) as first from (
      select coalesce(cost_cents, ${limits.DOMAIN_COST_CAP_CENTS}::bigint) as cents,
        coalesce(purchased_at, created_at) as at
      from domains where user_id = ${userId} and (status = 'pending'
        or (status = 'active' and order_ref is not null and purchased_at >= ${since}))
      union all
      select coalesce(cost_cents, ${limits.DOMAIN_RENEWAL_COST_CAP_CENTS}::bigint), created_at
      from domain_renewals where user_id = ${userId} and state <> 'failed' and created_at >= ${since}
    ) as ordered`.execute(trx);
  const { cents, first } = rows[0]!;
  return { cents: Number(cents), first: first ?? new Date() };
}

async function freeSince(
  trx: Transaction<Database>,
  userId: string,
  since: Date,
): Promise<{ orders: number; first: Date }> {
  const { rows } = await sql<{ orders: number; first: Date | null }>`
    select count(*)::integer as orders, min(created_at) as first from operations
    where user_id = ${userId} and kind in ('buyDomain', 'renewDomain')
      and hold_id is null and created_at >= ${since}`.execute(trx);
  const { orders, first } = rows[0]!;
  return { orders, first: first ?? new Date() };
}
