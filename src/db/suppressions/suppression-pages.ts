/** Pages of suppressions, newest first, searches among them, and how many there are. Choice 17. */
import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import type { SuppressionKind, SuppressionReason } from '../../domain/suppressions/suppressions.ts';
import { MAX_COUNTED } from '../pages.ts';
import {
  blockOf,
  findInOrder,
  foundByText,
  inOrderOfUser,
  isBehindBlocks,
  isInBlocks,
  ofUser,
} from '../search-blocks.ts';
import type { Total } from '../search-pages.ts';
import type { Database } from '../tables.ts';
import { findableBy, matching } from '../text-search.ts';
import type { Suppression } from './suppressions.ts';

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
  table: SuppressionsTableName = 'suppressions',
): Promise<Total & { ids: number[] }> {
  const entries = sql.table(table);
  const inOrder = inOrderOfUser(USER, ID, 'desc');
  const firstOf = (where: RawBuilder<unknown>) => sql`select ${blockOf(ID)} from ${entries}
    where ${ofUser(USER, userId)} and ${where} order by ${inOrder} limit 1`;
  const { search = '', ...others } = filter;
  const isOther = isFitting(userId, others, before);
  const { search: matches, isIndexed } = await findableBy(db, search);
  const text = matches(VALUE);
  const isUsual = isIndexed && Object.values(others).every((each) => each === undefined);
  const found = { table, columns: ID, others: isOther, isUsual };
  const near = {
    rows: isUsual
      ? sql`select id, value from ${entries} where ${ofUser(USER, userId)}
          ${before === undefined ? sql`` : sql`and id < ${before}`} order by ${inOrder}`
      : sql`select id, value from ${entries} where ${isOther} order by id desc`,
    row: 'near',
    fits: matching(search)(VALUE),
  };
  const parts = {
    table,
    first: firstOf(before === undefined ? sql`true` : sql`id < ${before}`),
    next: firstOf(isBehindBlocks(sql`id`, 'desc')),
    inBlocks: foundByText({ ...found, text, blocks: isInBlocks(userId) }),
    inAll: foundByText({ ...found, text }),
    order: { columns: sql`id desc`, way: 'desc' },
    isUsual,
  } as const;
  const { ids, ...total } = await findInOrder(db, near, parts, offset + limit);
  return { ids: ids.slice(offset), ...total };
}

const ID = sql.ref('id');
const USER = sql.ref('user_id');
const VALUE = sql.ref('value');

type SuppressionsTableName = 'suppressions' | 'lifted_suppressions';

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
