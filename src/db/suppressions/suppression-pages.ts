/** Pages of suppressions, newest first, searches among them, and how many there are. Choice 17. */
import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import type { SuppressionKind, SuppressionReason } from '../../domain/suppressions/suppressions.ts';
import { MAX_COUNTED } from '../pages.ts';
import { MAX_FOUND, NEAR_ROWS, type Found, type Searched, type Total } from '../search-pages.ts';
import type { Database } from '../tables.ts';
import { containing } from '../text-search.ts';
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

/** A page of those that a text is part of, and how many there are, up to the limit of searches. */
export async function searchSuppressions(
  db: Kysely<Database>,
  userId: string,
  wanted: SuppressionsWanted,
): Promise<Total & { rows: Suppression[] }> {
  const { ids, ...total } = await findSuppressionIds(db, userId, wanted);
  return { rows: await entriesWith(db, ids), ...total };
}

/**
 * The ids of such a page: of the entries that hold, or of those that were lifted. Few match most texts, so the index
 * comes first; where many do, the newest entries mostly have enough of them.
 */
export async function findSuppressionIds(
  db: Kysely<Database>,
  userId: string,
  wanted: SuppressionsWanted,
  table: SuppressionsTableName = 'suppressions',
): Promise<Total & { ids: number[] }> {
  const { limit, offset = 0 } = wanted;
  const end = offset + limit;
  const searched = searchedBy(db, userId, wanted, table);
  const some = await searched.indexed({ wanted: end, most: MAX_FOUND });
  if (some.found < MAX_FOUND) return { ids: some.ids.slice(offset), total: some.found };
  const near = await searched.walk({ rows: NEAR_ROWS, most: end });
  const { ids } = near.ids.length === end ? near : await searched.indexed({ wanted: end });
  return { ids: ids.slice(offset), total: MAX_FOUND, isCapped: true };
}

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

/** The newest ones in order, and the index of texts. */
const searchedBy = (
  db: Kysely<Database>,
  userId: string,
  { filter, before }: SuppressionsWanted,
  table: SuppressionsTableName,
): Searched<number> => ({
  async walk({ after = before, rows: many, most }) {
    const { search, ...others } = filter;
    const all = sql`${sql.table(table)} where ${isFitting(userId, others, after)} order by id desc`;
    const { rows } = await sql<{ ids: number[]; ends: number[] }>`
      with last as materialized (select id from ${all} limit 2 offset ${many - 1})
      select to_json(array(select id from last)) as ends, to_json(array(
        select id from (select id, value from ${all} limit ${many}) as near
        where value ilike ${containing(search ?? '')} order by id desc
        limit case (select count(*) from last) when 2 then ${most}::integer end)) as ids`.execute(
      db,
    );
    const { ids, ends } = rows[0]!;
    return { ids, end: ends.length === 2 ? ends[0]! : null };
  },
  // Selected before they are sorted: otherwise the planner would read all in order.
  async indexed({ wanted, most = null }) {
    const { rows } = await sql<Found>`
      with found as materialized (
        select id from ${sql.table(table)} where ${isFitting(userId, filter, before)}
        limit ${most}::bigint)
      select (select count(*)::integer from found) as found, to_json(array(
        select id from found order by id desc limit ${wanted})) as ids`.execute(db);
    return rows[0]!;
  },
});

/** Of the user, with that filter, after the entry with the id `before`. */
export function isFitting(
  userId: string,
  { kind, reason, search }: SuppressionFilter,
  before?: number,
): RawBuilder<SqlBool> {
  const conditions = [sql`user_id = ${userId}`];
  if (before !== undefined) conditions.push(sql`id < ${before}`);
  if (kind !== undefined) conditions.push(sql`kind = ${kind}`);
  if (reason !== undefined) conditions.push(sql`reason = ${reason}`);
  if (search) conditions.push(sql`value ilike ${containing(search)}`);
  return sql<SqlBool>`(${sql.join(conditions, sql` and `)})`;
}
