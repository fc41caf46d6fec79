/** How many leads match, with reads limited to the cost of a page. Choice 5. */
import { sql, type Expression, type Kysely } from 'kysely';
import { MAX_COUNTED } from '../pages.ts';
import { countAccount, countList } from './lead-counters.ts';
import { isDeletingLists } from './deleted-lists.ts';
import { filtered, fits, isWhole, searchOf, type LeadFilter } from './lead-queries.ts';
import { onlyValueOf, placesWithValue } from './lead-walks.ts';
import type { Database } from '../tables.ts';
import { MAX_FOUND, type Total } from '../search-pages.ts';

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
  // Only one of both runs; where no list is being deleted an index has all columns.
  const isGoing = isDeletingLists(userId);
  const either = sql`
    select from leads where leads.user_id = ${userId} and ${fits(filter)} and not ${isGoing}
    union all
    select from (${rows}) as leads where ${isGoing}`;
  return countRows(db, either, MAX_COUNTED);
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
