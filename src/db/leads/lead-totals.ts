/** How many leads there are of a kind, without reading more of them than a page is worth. Choice 5. */
import { sql, type Expression, type Kysely } from 'kysely';
import { MAX_COUNTED } from '../pages.ts';
import { countAccount, countList } from './lead-counters.ts';
import { fittingAmong } from './lead-pages.ts';
import { filtered, foundIds, isWhole, searchOf, type LeadFilter } from './lead-queries.ts';
import type { Database } from '../tables.ts';
import type { TextMatch } from '../text-search.ts';

/** `isCapped`: there may be more. */
export interface Total {
  total: number;
  isCapped?: boolean;
}

/** Rows that fit a search have to be read to be counted. */
export const MAX_FOUND = 1_000;

/** Exact for a list and the account, and as far as it is counted for what a filter has. */
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
  if (filter.search) return countFound(db, userId, filter);
  const rows = filtered(db, userId, filter, undefined).select('leads.id');
  return countRows(db, rows, MAX_COUNTED);
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

/** Where so many of the first leads fit, their number will do: all of them would have to be read. */
const NEAR = 1_000;
const MANY = NEAR / 10;

async function countFound(
  db: Kysely<Database>,
  userId: string,
  filter: LeadFilter,
): Promise<Total> {
  const order = { sort: 'createdAt', order: 'desc' } as const;
  const near = await fittingAmong(db, userId, { filter, order, limit: NEAR, rows: NEAR });
  const total = near.ids.length;
  if (!near.hasMore) return { total };
  if (total >= MANY) return { total, isCapped: true };
  const { search: _text, ...others } = filter;
  const search = (await searchOf(db, filter))!;
  const isAlone = Object.values(others).every((value) => value === undefined);
  return isAlone
    ? countNamed(db, userId, search)
    : countRows(db, filtered(db, userId, filter, search).select('leads.id'), MAX_FOUND);
}

/** Of people and of companies so many are enough to know that there are more. */
async function countNamed(db: Kysely<Database>, userId: string, search: TextMatch) {
  const [people, theirs] = foundIds(userId, search);
  const { rows } = await sql<{ total: number }>`
    select count(distinct id)::integer as total from (
      (${people} limit ${MAX_FOUND}) union all (${theirs} limit ${MAX_FOUND})) as found`.execute(
    db,
  );
  return capped(Math.min(rows[0]!.total, MAX_FOUND), MAX_FOUND);
}

const capped = (total: number, most: number): Total => ({
  total,
  ...(total === most && { isCapped: true }),
});
