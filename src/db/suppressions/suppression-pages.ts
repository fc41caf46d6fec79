/** Pages of suppressions, newest first, searches among them, and how many there are. Choice 17. */
import { sql, type Kysely } from 'kysely';
import type { SuppressionKind, SuppressionReason } from '../../domain/suppressions/suppressions.ts';
import { MAX_COUNTED } from '../pages.ts';
import { searchPage, type Found, type Total } from '../search-pages.ts';
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
  const { filter, limit, offset = 0 } = wanted;
  if (!filter.search) return newest(db, userId, wanted);
  const { ids } = await searchPage<number>(searchedBy(db, userId, wanted), offset + limit);
  return entriesWith(db, ids.slice(offset));
}

/** A page of those that a text is part of, and how many there are: counted up to the limit, as they are found. */
export async function searchSuppressions(
  db: Kysely<Database>,
  userId: string,
  { filter, limit, offset = 0 }: Omit<SuppressionsWanted, 'before'>,
): Promise<Total & { rows: Suppression[] }> {
  const { ids, found } = await findIndexed(db, userId, {
    filter,
    most: MAX_COUNTED,
    limit,
    offset,
  });
  if (found < MAX_COUNTED) return { rows: await entriesWith(db, ids), total: found };
  // So many that the newest ones are found in order.
  const rows = await newest(db, userId, { filter, limit, offset });
  return { rows, total: found, isCapped: true };
}

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
  let query = filtered(db, userId, filter, before).selectAll().orderBy('id', 'desc').limit(limit);
  if (offset) query = query.offset(offset);
  return query.execute();
}

/** The newest ones in order, and the index of texts: see `searchPage`. */
const searchedBy = (
  db: Kysely<Database>,
  userId: string,
  { filter, before }: SuppressionsWanted,
): Parameters<typeof searchPage<number>>[0] => ({
  async walk({ after = before, rows: many, most }) {
    const { search, ...others } = filter;
    const all = filtered(db, userId, others, after).orderBy('id', 'desc');
    const { rows } = await sql<{ ids: number[]; ends: number[] }>`
      with last as materialized (${all
        .select('id')
        .limit(2)
        .offset(many - 1)})
      select to_json(array(select id from last)) as ends, to_json(array(
        select id from (${all.select(['id', 'value']).limit(many)}) as near
        where value ilike ${containing(search ?? '')} order by id desc
        limit case (select count(*) from last) when 2 then ${most}::integer end)) as ids`.execute(
      db,
    );
    const { ids, ends } = rows[0]!;
    return { ids, end: ends.length === 2 ? ends[0]! : null };
  },
  indexed: ({ wanted: limit, most }) => findIndexed(db, userId, { filter, before, most, limit }),
});

/** Selected before they are sorted: otherwise the planner would read all in order. */
async function findIndexed(
  db: Kysely<Database>,
  userId: string,
  { filter, before, most, limit, offset = 0 }: SuppressionsWanted & { most?: number | undefined },
): Promise<Found> {
  const all = filtered(db, userId, filter, before).select('id');
  const { rows } = await sql<Found>`
    with found as materialized (${all} limit ${most ?? null}::bigint)
    select (select count(*)::integer from found) as found, to_json(array(
      select id from found order by id desc limit ${limit} offset ${offset})) as ids`.execute(db);
  return rows[0]!;
}

function filtered(
  db: Kysely<Database>,
  userId: string,
  { kind, reason, search }: SuppressionFilter,
  before: number | undefined,
) {
  let query = db.selectFrom('suppressions').where('user_id', '=', userId);
  if (before !== undefined) query = query.where('id', '<', before);
  if (kind !== undefined) query = query.where('kind', '=', kind);
  if (reason !== undefined) query = query.where('reason', '=', reason);
  if (search) query = query.where('value', 'ilike', containing(search));
  return query;
}
