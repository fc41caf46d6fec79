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
  const asked = { userId, limits, now, since: new Date(now.getTime() - DAY_MS) };
  const spent = await spentSince(trx, asked);
  if (spent.cents > limits.DOMAIN_SPENDING_CAP_CENTS) throw spendingLimit(spent.first ?? now);
  const most = limits.MAX_FREE_DOMAIN_ORDERS;
  if (!isFree || most === undefined) return;
  // The operation of this order is inserted after it.
  const free = await freeSince(trx, asked, most);
  if (free.orders >= most) throw spendingLimit(free.first ?? now);
}

interface Asked {
  userId: string;
  limits: SpendingLimits;
  now: Date;
  since: Date;
}

/**
 * `first`: the oldest of them that is enough; a day after it there is room again. What is under way counts
 * until a day after it was paid, which is now at the earliest. A name that was found bought counts like one
 * whose order is known; an import does not, as its owner pays elsewhere.
 */
async function spentSince(
  trx: Transaction<Database>,
  { userId, limits, now, since }: Asked,
): Promise<{ cents: number; first: Date | null }> {
  const { rows } = await sql<{ cents: string; first: Date | null }>`
    with ordered as (
      select coalesce(cost_cents, ${limits.DOMAIN_COST_CAP_CENTS}::bigint) as cents,
        case when status = 'pending' then ${now}::timestamptz else purchased_at end as at
      from domains where user_id = ${userId} and (status = 'pending'
        or (status = 'active' and verification_token is null and purchased_at >= ${since}))
      union all
      select coalesce(cost_cents, ${limits.DOMAIN_RENEWAL_COST_CAP_CENTS}::bigint),
        case when state = 'pending' then ${now}::timestamptz else updated_at end
      from domain_renewals where user_id = ${userId}
        and (state = 'pending' or (state = 'done' and updated_at >= ${since}))
    ), moments as (
      select at, sum(cents) as cents,
        coalesce(sum(sum(cents)) over (order by at desc
          rows between unbounded preceding and 1 preceding), 0) as later
      from ordered group by at
    )
    select coalesce(sum(cents), 0) as cents,
      min(at) filter (where later <= ${limits.DOMAIN_SPENDING_CAP_CENTS}::bigint) as first
    from moments`.execute(trx);
  const { cents, first } = rows[0]!;
  return { cents: Number(cents), first };
}

/** `first`: once it and all before it are a day old, fewer than `most` are left. */
async function freeSince(
  trx: Transaction<Database>,
  { userId, since }: Asked,
  most: number,
): Promise<{ orders: number; first: Date | null }> {
  const { rows } = await sql<{ orders: number; first: Date | null }>`
    with free as (
      select created_at, row_number() over (order by created_at desc) as newest from operations
      where user_id = ${userId} and kind in ('buyDomain', 'renewDomain')
        and hold_id is null and created_at >= ${since}
    )
    select count(*)::integer as orders, max(created_at) filter (where newest >= ${most}::integer) as first
    from free`.execute(trx);
  return rows[0]!;
}
