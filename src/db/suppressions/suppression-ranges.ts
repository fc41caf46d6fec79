/**
 * Entries that have a text, far from the newest ones: by the parts that each 200 entries of the account have
 * (`suppression_ranges`, written by standing work), so that none of those in between is read. Choice 210.
 */
import { sql, type Kysely } from 'kysely';
import type { SuppressionKind, SuppressionReason } from '../../domain/suppressions/suppressions.ts';
import { inOrderOfUser, ofUser } from '../planned-searches.ts';
import type { Total } from '../search-pages.ts';
import type { Database } from '../tables.ts';
import { containing } from '../text-search.ts';
import type { RangeSource } from './written-ranges.ts';

export interface RangeSearch {
  source: RangeSource;
  filter: {
    search: string;
    kind?: SuppressionKind | undefined;
    reason?: SuppressionReason | undefined;
  };
  before: number;
  wanted: number;
}

export interface FoundInRanges extends Total {
  ids: number[];
  /** More entries may follow before this one; undefined: these are all, or enough. */
  before?: number;
}

/** Ranges that are read; where more may have the text and these do not fill the page, it is looked further by blocks. */
const MOST_RANGES = 10;
/** So few are read to their end, which tells how many entries there are. */
const FEW_RANGES = 4;
/** Entries since the last range; where there are more, none has been written for long. */
const MOST_SINCE = 1_000;

/** Parts have ASCII letters alone. */
const hasParts = (text: string): boolean => /[ -~]{2}/.test(text);

/** The newest entries before one that have the text, and how many there are; undefined where ranges do not tell. */
export async function findInRanges(
  db: Kysely<Database>,
  userId: string,
  search: RangeSearch,
): Promise<FoundInRanges | undefined> {
  if (!hasParts(search.filter.search)) return undefined;
  const { wanted: most } = search;
  const { ids, since, ranges, before } = await readRanges(db, userId, search);
  if (since > MOST_SINCE) return undefined;
  if (ranges <= FEW_RANGES || (ranges <= MOST_RANGES && ids.length < most)) {
    return { ids, total: ids.length };
  }
  if (ids.length >= most) return { ids, total: most, isCapped: true };
  return { ids, total: ids.length, isCapped: true, before: before! };
}

interface Read {
  ids: number[];
  /** How many entries are newer than the last range. */
  since: number;
  ranges: number;
  /** Where the last range begins that was read; null where there is none. */
  before: number | null;
}

/** One text for each table, whose plan for any values is as good: it is planned once. */
async function readRanges(
  db: Kysely<Database>,
  userId: string,
  { source, filter, before, wanted: most }: RangeSearch,
): Promise<Read> {
  const { search, kind = null, reason = null } = filter;
  const entries = sql.table(source);
  const columns = sql`id, value, kind, reason`;
  const fits = sql`entry.value ilike ${containing(search)}
    and entry.kind = coalesce(${kind}, entry.kind) and entry.reason = coalesce(${reason}, entry.reason)`;
  const { rows } = await sql<Read>`/*${sql.raw(source.replace('_', '-'))}-in-ranges*/
    with since as materialized (
      select ${columns} from ${entries} where ${ofUser(sql.ref('user_id'), userId)}
        and id > (select coalesce(max(to_id), 0) from suppression_ranges
          where source = ${source} and user_id = ${userId})
        and id < ${before}::bigint
      order by ${inOrderOfUser(sql.ref('user_id'), sql.ref('id'), 'desc')} limit ${sql.lit(MOST_SINCE + 1)}
    ), range as materialized (
      select from_id, to_id, row_number() over (order by to_id desc) as n
      from ranges_with(${source}, ${userId}, ${search}, ${before}, ${sql.lit(MOST_RANGES + 1)})
    ), counted as materialized (
      select count(*)::integer as ranges from range
    ), found as materialized (
      (select id from since as entry where ${fits})
      union all
      (select entry.id from (
          select * from range where n <= ${sql.lit(MOST_RANGES)} order by n) as range
        cross join lateral (
          select ${columns} from ${entries}
          where user_id = ${userId} and id between range.from_id and range.to_id and id < ${before}::bigint
          order by id desc offset 0) as entry
        where ${fits}
        limit (select case when ranges > ${sql.lit(FEW_RANGES)} then ${most}::bigint end from counted))
    )
    select to_json(array(select id from found order by id desc)) as ids,
      (select count(*) from since)::integer as since, ranges,
      (select from_id from range where n = ${sql.lit(MOST_RANGES)}) as before
    from counted`.execute(db);
  return rows[0]!;
}
