/** Pages of suppressions, newest first, searches among them, and how many there are. Choice 17. */
import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import type { SuppressionKind, SuppressionReason } from '../../domain/suppressions/suppressions.ts';
import { hasMuchOf } from '../large-accounts.ts';
import { MAX_COUNTED } from '../pages.ts';
import { foundByText, inOrderOfUser, ofUser } from '../planned-searches.ts';
import {
  blockOf,
  findInBlocks,
  findInOrder,
  foundOf,
  isBehindBlocks,
  isInBlocks,
  type BlockSearch,
  type Near,
} from '../search-blocks.ts';
import { MANY, MAX_FOUND, type Total } from '../search-pages.ts';
import type { Database } from '../tables.ts';
import { findableBy, matching } from '../text-search.ts';
import { findInRanges, type RangeSearch } from './suppression-ranges.ts';
import type { Suppression } from './suppressions.ts';
import type { RangeSource } from './written-ranges.ts';

export interface SuppressionFilter {
  kind?: SuppressionKind | undefined;
  reason?: SuppressionReason | undefined;
  /** Part of the value. */
  search?: string | undefined;
}

export interface SuppressionsWanted {
  filter: SuppressionFilter;
  limit: number;
  offset?: number | undefined;
  /** Continues after the entry with that id. */
  before?: number | undefined;
}

export async function listSuppressions(
  db: Kysely<Database>,
  userId: string,
  wanted: SuppressionsWanted,
): Promise<Suppression[]> {
  if (!wanted.filter.search) return newest(db, userId, wanted);
  return (await searchSuppressions(db, userId, wanted)).rows;
}

/** A page of those that a text is part of, and how many there are: see `findInOrder`. */
export async function searchSuppressions(
  db: Kysely<Database>,
  userId: string,
  wanted: SuppressionsWanted,
): Promise<Total & { rows: Suppression[] }> {
  const { ids, ...total } = await findSuppressionIds(db, userId, wanted);
  return { rows: await entriesWith(db, ids), ...total };
}

/** The ids of such a page: of the entries that hold, or of those that were lifted. */
export async function findSuppressionIds(
  db: Kysely<Database>,
  userId: string,
  { filter, limit, offset = 0, before }: SuppressionsWanted,
  source: RangeSource = 'suppressions',
): Promise<Total & { ids: number[] }> {
  const { search = '', ...others } = filter;
  const blocks = await blocksOf(db, userId, { source, filter, before });
  const entries = sql`select id, value from ${sql.table(source)}`;
  const near = {
    rows: blocks.isUsual
      ? sql`${entries} where ${ofUser(USER, userId)} and ${isBefore(before)} order by ${IN_ORDER}`
      : sql`${entries} where ${isFitting(userId, others, before)} order by id desc`,
    row: 'near',
    fits: matching(search)(VALUE),
    // What several near ones have is found in the next block, too.
    far: (found: Near) =>
      found.ids.length > SEVERAL
        ? Promise.resolve(undefined)
        : findFar(db, userId, { source, filter: { ...filter, search }, wanted }, found),
  };
  const wanted = offset + limit;
  const { ids, ...total } = await findInOrder(db, near, blocks, wanted);
  return { ids: ids.slice(offset), ...total };
}

/** Of 250 near ones: some 200 of a block, where they are as frequent there. */
const SEVERAL = 2;

/** Behind the near ones by ranges, and behind those that were read block by block. */
async function findFar(
  db: Kysely<Database>,
  userId: string,
  { source, filter, wanted }: Pick<RangeSearch, 'source' | 'filter' | 'wanted'>,
  near: Near,
): Promise<(Total & { ids: number[] }) | undefined> {
  const lacking = Math.max(MANY, wanted) - near.ids.length;
  const search = { source, filter, before: near.last, wanted: lacking };
  const found = await findInRanges(db, userId, search);
  if (!found) return undefined;
  const { before, ...total } = found;
  const ids = [...near.ids, ...found.ids];
  if (before === undefined) {
    return totalled(ids, near.ids.length + found.total, { ...total, wanted });
  }
  const blocks = await blocksOf(db, userId, { source, filter, before });
  const rest = (await findInBlocks(db, blocks, lacking - found.ids.length))!;
  return totalled([...ids, ...rest.ids], ids.length + rest.total, { ...rest, wanted });
}

/** Counted to 1,000, as other searches are. */
const totalled = (
  ids: readonly number[],
  total: number,
  { isCapped = false, wanted }: { isCapped?: boolean; wanted: number },
) =>
  foundOf(
    { ids, total: Math.min(total, MAX_FOUND), isAll: !isCapped && total < MAX_FOUND },
    wanted,
  );

interface EntriesSearched {
  source: RangeSource;
  filter: SuppressionFilter;
  before: number | undefined;
}

/** How the entries are found block by block. */
async function blocksOf(
  db: Kysely<Database>,
  userId: string,
  { source, filter, before }: EntriesSearched,
): Promise<BlockSearch> {
  const entries = sql.table(source);
  const firstOf = (where: RawBuilder<unknown>) => sql`select ${blockOf(ID)} from ${entries}
    where ${ofUser(USER, userId)} and ${where} order by ${IN_ORDER} limit 1`;
  const { search = '', ...others } = filter;
  const { search: matches, isIndexed } = await findableBy(db, search);
  const isUsual =
    isIndexed &&
    Object.values(others).every((each) => each === undefined) &&
    (await hasMuchOf(db, source, userId));
  const found = {
    table: source,
    columns: ID,
    text: matches(VALUE),
    others: isFitting(userId, others, before),
    isUsual,
  };
  return {
    table: source,
    first: firstOf(isBefore(before)),
    next: firstOf(isBehindBlocks(ID, 'desc')),
    inBlocks: foundByText({ ...found, blocks: isInBlocks(userId) }),
    inAll: foundByText(found),
    order: { columns: sql`id desc`, way: 'desc' },
    isUsual,
  };
}

const isBefore = (id: number | undefined) => (id === undefined ? sql`true` : sql`id < ${id}`);

const ID = sql.ref('id');
const USER = sql.ref('user_id');
const IN_ORDER = inOrderOfUser(USER, ID, 'desc');
const VALUE = sql.ref('value');

/** Kept by triggers (migrations/0211-kept-counts.ts); up to the limit of what is counted elsewhere. */
export async function countSuppressions(
  db: Kysely<Database>,
  userId: string,
  { kind, reason }: Omit<SuppressionFilter, 'search'>,
  kept: 'suppression_counters' | 'lifted_suppression_counters' = 'suppression_counters',
): Promise<Total> {
  let query = db
    .selectFrom(kept)
    .select(sql<number>`coalesce(sum(entries), 0)::bigint`.as('entries'))
    .where('user_id', '=', userId);
  if (kind !== undefined) query = query.where('kind', '=', kind);
  if (reason !== undefined) query = query.where('reason', '=', reason);
  const { entries } = await query.executeTakeFirstOrThrow();
  return entries < MAX_COUNTED ? { total: entries } : { total: MAX_COUNTED, isCapped: true };
}

const entriesWith = (db: Kysely<Database>, ids: readonly number[]): Promise<Suppression[]> =>
  db
    .selectFrom('suppressions')
    .selectAll()
    .where('id', '=', sql<number>`any (${ids}::bigint[])`)
    .orderBy('id', 'desc')
    .execute();

function newest(
  db: Kysely<Database>,
  userId: string,
  { filter, limit, offset, before }: SuppressionsWanted,
): Promise<Suppression[]> {
  let query = db
    .selectFrom('suppressions')
    .where(isFitting(userId, filter, before))
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit);
  if (offset) query = query.offset(offset);
  return query.execute();
}

/** Of the user, with that filter, after the entry with the id `before`. */
export function isFitting(
  userId: string,
  { kind, reason }: Omit<SuppressionFilter, 'search'>,
  before?: number,
): RawBuilder<SqlBool> {
  const conditions = [sql`user_id = ${userId}`];
  if (before !== undefined) conditions.push(sql`id < ${before}`);
  if (kind !== undefined) conditions.push(sql`kind = ${kind}`);
  if (reason !== undefined) conditions.push(sql`reason = ${reason}`);
  return sql<SqlBool>`(${sql.join(conditions, sql` and `)})`;
}
