/**
 * The first rows in order that match a search, block by block of an account: each block by the index of texts, which
 * knows the block of a row (`search_block`, `time_block`), until enough are found. Choices 5, 17, 18, 34.
 */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { MANY, MAX_FOUND, type Total } from './search-pages.ts';
import type { Database } from './tables.ts';

type Sql = RawBuilder<unknown>;

/** The parts of the statement. `step.low` to `step.high` in them are the blocks that are looked at. */
export interface BlockSearch {
  /** Whose index it is: the larger the table, the more blocks are looked at before the whole of it. */
  table: 'leads' | 'messages' | 'suppressions' | 'lifted_suppressions';
  /** One value: the block of the first row, and of the first row behind these blocks; null where there is none. */
  first: Sql;
  next: Sql;
  /** The rows of these blocks that match: `id`, and what `columns` of the order are. */
  inBlocks: Sql;
  /** All rows that match, in any order: the same columns. */
  inAll: Sql;
  /** Of the page; a block before has what comes later in an ascending order. */
  order: { columns: Sql; way: 'asc' | 'desc' };
  /** The index of all is read first, so that matches are counted to 1,000 however near they are. */
  isCounted?: boolean;
  /** Others that are to be found with these. */
  beside?: Beside;
}

export interface Beside {
  /** What `inBlocks`, `inAll` and the conditions read: common table expressions. */
  tables: Sql;
  /** Whether anything is searched. */
  begins: Sql;
  /** Whether it is looked further, whatever the index of all would cost. */
  goesOn: Sql;
}

/** 16,384 ids of an account. */
const BLOCK_BITS = 14;

/** The block that a row with the id is in. */
export const blockOf = (id: Sql): Sql => sql`${id} >> ${BLOCK_BITS}`;

/** Rows of the user in the blocks, by the index of texts. */
export const isInBlocks = (userId: string): Sql =>
  sql`search_block(user_id, id) && ${keysOf(userId)}`;

/** What the index has of the blocks: as `search_block` and `time_block` make it. */
export const keysOf = (userId: string): Sql => sql`array(
  select hashtextextended(${userId}, 0) # block from generate_series(step.low, step.high) as block)`;

/** Ids behind those of the blocks. */
export const isBehindBlocks = (id: Sql, way: 'asc' | 'desc'): Sql =>
  way === 'desc'
    ? sql`${id} < step.low << ${BLOCK_BITS}`
    : sql`${id} >= (step.high + 1) << ${BLOCK_BITS}`;

/** So many blocks tell how often the text is met. */
const FEW_BLOCKS = 2;
/** Looked at together: half of what they cost one by one. */
const BLOCKS_AT_ONCE = 8;
/** In the time of so many blocks the whole index finds a text that few have, for each million of rows. */
const BLOCKS_PER_MILLION = 8;

/**
 * Ids of the first `wanted` rows that match, and how many match: to 1,000, or no further than the page and 50 unless it
 * `isCounted`. Undefined where `beside.begins` is false.
 *
 * Blocks of the account, one after the other, so that those without rows cost nothing; as many at once as are expected
 * to fill the page. Where those so far let expect that the whole index is quicker, it is read to 1,000 rows. Where it
 * has so many, they are more than it can sort: then block by block until the page is filled.
 */
export async function findInBlocks(
  db: Kysely<Database>,
  search: BlockSearch,
  wanted: number,
): Promise<(Total & { ids: number[] }) | undefined> {
  const { first, next, inBlocks, inAll, order, isCounted = false, beside } = search;
  const most = isCounted ? wanted : Math.max(MANY, wanted);
  const found = sql`cardinality(ids)`;
  const all = sql`(select count(*)::integer from whole)`;
  const inOrder = sql`order by ${order.columns}`;
  // No more than were looked at before: the first one may be nearly empty.
  const size = sql`least(greatest(1, blocks), ${BLOCKS_AT_ONCE}::integer,
    case when ${found} > 0 then ceil(blocks * (${most}::float8 - ${found}) / ${found})::integer end)`;
  const isWorthwhile = sql`(blocks < ${FEW_BLOCKS}
    or blocks * (${most} - ${found}) <= ${blocksPerIndex(search.table)} * ${found}
    ${beside ? sql`or ${beside.goesOn}` : sql``} or ${all} = ${MAX_FOUND})`;
  const isLooking = sql`at is not null and ${found} < ${most}
    and ${isCounted ? sql`${all} = ${MAX_FOUND}` : isWorthwhile}`;
  const range =
    order.way === 'desc'
      ? sql`at - size + 1 as low, at as high`
      : sql`at as low, at + size - 1 as high`;
  const { rows } = await sql<{ ids: number[]; total: number; isAll: boolean }>`
    with recursive ${beside ? sql`${beside.tables},` : sql``} whole as materialized (
      select * from (${inAll}) as found limit ${MAX_FOUND}
    ), step as (
      select 0 as blocks, (${first}) as at, array[]::bigint[] as ids
      ${beside ? sql`where ${beside.begins}` : sql``}
      union all
      select blocks + size, (${next}), ids || array(
        select id from (${inBlocks}) as found ${inOrder} limit ${most} - ${found})
      from (
        select *, ${range} from (select *, ${size} as size from step where ${isLooking}) as step
      ) as step
    ), last as materialized (
      select ids, ${found} = ${most} as is_full, at is null or ${found} = ${most} as is_ended
      from step order by blocks desc limit 1
    )
    select to_json(case when is_ended then ids
        else array(select id from whole ${inOrder} limit ${most}) end) as ids,
      case when is_ended and not ${isCounted} then ${found} else ${all} end as total,
      not is_full${isCounted ? sql` and ${all} < ${MAX_FOUND}` : sql``} as "isAll"
    from last`.execute(db);
  return rows[0] && foundOf(rows[0], wanted);
}

export const foundOf = (
  { ids, total, isAll }: { ids: readonly number[]; total: number; isAll: boolean },
  wanted: number,
): Total & { ids: number[] } => ({
  ids: ids.slice(0, wanted),
  total,
  ...(!isAll && { isCapped: true }),
});

const blocksPerIndex = (table: BlockSearch['table']) => sql`(
  select ${sql.lit(BLOCKS_PER_MILLION)} * greatest(1, max(id) / 1000000) from ${sql.table(table)})`;
