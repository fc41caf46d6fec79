/**
 * The first rows in order that match a search, block by block of an account: each block by the index of texts, which
 * knows the block of a row (`search_block`, `time_block`), until enough are found. Choices 5, 17, 18, 34.
 */
import { sql, type Kysely, type QueryResult, type RawBuilder } from 'kysely';
import { askPlannedOnce } from './planned-once.ts';
import { MANY, MAX_FOUND, type Total } from './search-pages.ts';
import type { Database } from './tables.ts';

type Sql = RawBuilder<unknown>;

/** The parts of the statement. `step.low` to `step.high` in them are the blocks that are looked at. */
export interface BlockSearch {
  /** Whose index it is: the larger the table, the more blocks are looked at before the whole of it. */
  table: 'leads' | 'companies' | 'messages' | 'suppressions' | 'lifted_suppressions';
  /** One value: the block of the first row, and of the first row behind these blocks; null where there is none. */
  first: Sql;
  next: Sql;
  /** The rows of these blocks that match: `id`, and what `columns` of the order are. */
  inBlocks: Sql;
  /** All rows that match, in any order: the same columns. */
  inAll: Sql;
  /** Of the page; a block before has what comes later in an ascending order. */
  order: { columns: Sql; way: 'asc' | 'desc' };
  /** Others that are to be found with these. */
  beside?: Beside;
  /** Whether what `near` and these read is the same for any values (`planned-searches.ts`): it is planned once then. */
  isUsual?: boolean;
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
export const blockOf = (id: Sql): Sql => sql`${id} >> ${sql.lit(BLOCK_BITS)}`;

/** Rows of the user in the blocks, by the index of texts. */
export const isInBlocks = (userId: string): RawBuilder<boolean> =>
  sql<boolean>`search_block(user_id, id) && ${keysOf(userId)}`;

/** What the index has of the blocks: as `search_block` and `time_block` make it. */
export const keysOf = (userId: string): Sql => sql`array(
  select hashtextextended(${userId}, 0) # block from generate_series(step.low, step.high) as block)`;

/** Ids behind those of the blocks. */
export const isBehindBlocks = (id: Sql, way: 'asc' | 'desc'): RawBuilder<boolean> =>
  way === 'desc'
    ? sql`${id} < step.low << ${sql.lit(BLOCK_BITS)}`
    : sql`${id} >= (step.high + 1) << ${sql.lit(BLOCK_BITS)}`;

/** So many blocks tell how often the text is met. */
const FEW_BLOCKS = 2;
/** Looked at together: half of what they cost one by one. */
const BLOCKS_AT_ONCE = 8;
/** So many of several blocks are sorted in the time of a few looks; those with more are looked at one by one. */
const MANY_IN_BLOCKS = 1_000;
/** Texts of so many rows are read one by one in the time of a look into the index. */
const NEAR_ROWS = 250;
/** In the time of so many blocks the whole index finds a text that few have, for each million of rows. */
const BLOCKS_PER_MILLION = 8;

/** The first rows of an account. */
export interface NearRows {
  /** All in order, with the columns that are read by `fits`. */
  rows: Sql;
  /** The name of a row in `fits`, which is what they are searched for. */
  row: string;
  fits: Sql;
  /** Another way to find all; where it does not tell, it is looked block by block. */
  far?: (near: Near) => Promise<(Total & { ids: number[] }) | undefined>;
}

/** The near rows that match, and the least id of all near ones. */
export interface Near {
  ids: number[];
  last: number;
}

/**
 * Ids of the first `wanted` rows that match, and how many match: see `findInBlocks`. A frequent text is met among the
 * first rows.
 */
export async function findInOrder(
  db: Kysely<Database>,
  { rows: all, row, fits, far }: NearRows,
  search: BlockSearch,
  wanted: number,
): Promise<Total & { ids: number[] }> {
  const most = Math.max(MANY, wanted);
  const { rows } = await ask(
    db,
    search,
  )(sql<Near & { isAll: boolean }>`
    with near as materialized (${all} limit ${sql.lit(NEAR_ROWS)})
    select to_json(array(select id from near as ${sql.ref(row)} where ${fits}
        order by ${search.order.columns})) as ids,
      (select min(id) from near) as last,
      (select count(*) from near) < ${sql.lit(NEAR_ROWS)} as "isAll"`);
  const { ids, last, isAll } = rows[0]!;
  return isAll || ids.length >= most
    ? foundOf({ ids, total: isAll ? ids.length : most, isAll }, wanted)
    : ((await far?.({ ids, last })) ?? (await findInBlocks(db, search, wanted))!);
}

/**
 * Ids of the first `wanted` rows that match, and how many match: to 1,000, or no further than the page and 50.
 * Undefined where `beside.begins` is false.
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
  const { table, first, next, inBlocks, inAll, order, beside } = search;
  const most = Math.max(MANY, wanted);
  const found = sql`cardinality(ids)`;
  const all = sql`(select count(*)::integer from whole)`;
  const inOrder = sql`order by ${order.columns}`;
  const isLooking = sql`at is not null and ${found} < ${most} and (blocks < ${sql.lit(FEW_BLOCKS)}
    or blocks::bigint * (${most} - ${found}) <= ${blocksPerIndex(table)} * ${found}
    ${beside ? sql`or ${beside.goesOn}` : sql``} or ${all} = ${sql.lit(MAX_FOUND)})`;
  const range =
    order.way === 'desc'
      ? sql`at - size + 1 as low, at as high`
      : sql`at as low, at + size - 1 as high`;
  const { rows } = await ask(
    db,
    search,
  )(sql<{ ids: number[]; total: number; isAll: boolean }>`
    with recursive ${beside ? sql`${beside.tables},` : sql``} whole as materialized (
      select * from (${inAll}) as found limit ${sql.lit(MAX_FOUND)}
    ), step as (
      select 0 as blocks, 1 as size, false as is_narrow, (${first}) as at, array[]::bigint[] as ids
      ${beside ? sql`where ${beside.begins}` : sql``}
      union all
      select looked.blocks, ${sizeAfter(most)}, is_dense or ${isNarrow},
        case when is_dense then at else (${next}) end, step.ids || looked.ids
      from (select *, ${range} from step where ${isLooking}) as step
      cross join lateral (
        with these as materialized (
          select * from (${inBlocks}) as found
          limit case when step.size > 1 then ${sql.lit(MANY_IN_BLOCKS)}::bigint end
        ), size as (
          select step.size > 1 and count(*) = ${sql.lit(MANY_IN_BLOCKS)} as is_dense from these
        )
        select is_dense, case when is_dense then step.blocks else step.blocks + step.size end as blocks,
          case when is_dense then '{}'
            else array(select id from these ${inOrder} limit ${most} - ${found}) end as ids
        from size
      ) as looked
    ), last as materialized (
      select ids, ${found} = ${most} as is_full, at is null or ${found} = ${most} as is_ended
      from step order by blocks desc, size limit 1
    )
    select to_json(case when is_ended then ids
        else array(select id from whole ${inOrder} limit ${most}) end) as ids,
      case when is_ended then ${found} else ${all} end as total, not is_full as "isAll"
    from last`);
  return rows[0] && foundOf(rows[0], wanted);
}

const ask =
  (db: Kysely<Database>, { isUsual }: BlockSearch) =>
  <Row>(statement: RawBuilder<Row>): Promise<QueryResult<Row>> =>
    isUsual ? askPlannedOnce(db, statement) : statement.execute(db);

/** More rows than are worth sorting were in some blocks, and none of them is found yet: it is looked one by one. */
const isNarrow = sql`(step.is_narrow and cardinality(step.ids || looked.ids) = 0)`;

/**
 * How many blocks are looked at next: as many as are expected to fill the page, but no more than before, since the first
 * one may be nearly empty.
 */
function sizeAfter(most: number): Sql {
  const found = sql`cardinality(step.ids || looked.ids)`;
  return sql`case when is_dense or ${isNarrow} then 1 else least(looked.blocks, ${sql.lit(BLOCKS_AT_ONCE)}::integer,
    case when ${found} > 0
      then greatest(1, ceil(looked.blocks * (${most}::float8 - ${found}) / ${found})) end)::integer end`;
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
