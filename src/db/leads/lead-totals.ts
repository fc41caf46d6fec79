/** How many leads match, with reads limited to the cost of a page. Choice 5. */
import { sql, type Expression, type Kysely } from 'kysely';
import { MAX_COUNTED } from '../pages.ts';
import { countAccount, countList } from './lead-counters.ts';
import { isDeletingLists, isKeptPlace, keptParts } from './deleted-lists.ts';
import {
  filtered,
  fits,
  isBehind,
  isWhole,
  LEADS,
  searchOf,
  type LeadFilter,
  type RowOrder,
} from './lead-queries.ts';
import { onlyValueOf, placesWithValue } from './pages/lead-walks.ts';
import type { Database } from '../tables.ts';
import { MAX_FOUND, type Total } from '../search-pages.ts';

const NEWEST: RowOrder = { sort: 'createdAt', order: 'desc' };

/** Exact for a list and the account; for a filter counted up to the limit; searches: `searchLeads`. */
export async function countLeads(
  db: Kysely<Database>,
  userId: string,
  filter: LeadFilter,
): Promise<Total> {
  if (isWhole(filter)) {
    const { leadListId } = filter;
    const counts = await (leadListId === undefined
      ? countAccount(db, userId)
      : countList(db, userId, leadListId));
    return { total: counts.leads };
  }
  const value = onlyValueOf(filter);
  if (value) return countRows(db, placesWithValue(userId, value), MAX_COUNTED);
  const rows = filtered(db, userId, filter, await searchOf(db, filter)).select('leads.id');
  if (filter.search) return countRows(db, rows, MAX_FOUND);
  if (filter.leadListId !== undefined || filter.custom) return countRows(db, rows, MAX_COUNTED);
  const parts = await keptParts(db, userId, 'leads', { filter, order: NEWEST });
  const kept = sql`select from leads where leads.user_id = ${userId} and ${isKeptPlace(userId)}
    and ${fits(filter)}`;
  if (parts) {
    let found = 0;
    for (const after of parts) {
      const part = sql`${kept} and ${isBehind(after, NEWEST, LEADS)}`;
      found += (await countRows(db, part, MAX_FOUND - found)).total;
      if (found >= MAX_FOUND) break;
    }
    return capped(found, MAX_FOUND);
  }
  // Only one of both runs; an index has all columns of the usual filters. While a list is being deleted each lead is looked
  // for in it, which may be read from the disk.
  const isGoing = isDeletingLists(userId);
  const either = sql`
    (select from leads where leads.user_id = ${userId} and ${fits(filter)} and not ${isGoing}
      limit ${MAX_COUNTED})
    union all
    (${kept} and ${isGoing} limit ${MAX_FOUND})`;
  const counted = await sql<{ total: number; isGoing: boolean }>`
    select count(*)::integer as total, ${isGoing} as "isGoing" from (${either}) as row`.execute(db);
  const { total, isGoing: isAnyGoing } = counted.rows[0]!;
  return capped(total, isAnyGoing ? MAX_FOUND : MAX_COUNTED);
}

/** Counts no further than `most`. */
export async function countRows(
  db: Kysely<Database>,
  rows: Expression<unknown>,
  most: number,
): Promise<Total> {
  const counted = await sql<{ total: number }>`select count(*)::integer as total
    from (select from (${rows}) as row limit ${most}) as bounded`.execute(db);
  return capped(counted.rows[0]!.total, most);
}

const capped = (total: number, most: number): Total => ({
  total,
  ...(total === most && { isCapped: true }),
});
