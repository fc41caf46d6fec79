/**
 * The newest or oldest leads that match a search, block by block of the account (`search_block`): each block by
 * the index of texts, until enough are found. Choices 5, 18.
 */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { isKeptLead } from './deleted-lists.ts';
import {
  fits,
  isBehind,
  isInList,
  isNamed,
  LEADS,
  MEMBERS,
  type LeadFilter,
  type RowOrder,
  type RowPosition,
} from './lead-queries.ts';
import { MAX_FOUND } from '../search-pages.ts';
import type { Database } from '../tables.ts';
import type { TextMatch } from '../text-search.ts';

export interface BlocksWanted {
  filter: LeadFilter;
  order: RowOrder;
  after?: RowPosition | undefined;
  /** Stop after this many matches. */
  most: number;
  /** To the end of the account, however few match. */
  isThorough?: boolean;
}

export interface FoundInBlocks {
  /** The first ones, in order. */
  ids: number[];
  /** How many match; where the page was filled before the end, as many as were found so far. */
  total: number;
  /** There are no others. */
  isAll: boolean;
  /** More companies match than have their leads fetched at once: nothing was searched. */
  isOfMany: boolean;
  /** Many match, hardly any of them near the beginning: `ids` are any of them. */
  isFar: boolean;
}

/** The leads of so many companies are fetched at once; a text that more companies have is found in order. */
const MAX_COMPANIES = 100;

const BLOCK_BITS = 14;

/** So many blocks tell how often the text is met. */
const FEW_BLOCKS = 2;
const MANY_BLOCKS = 128;
/** In the time of so many blocks the whole index finds a text that few have, for each million of leads. */
const BLOCKS_PER_MILLION = 8;
/** The whole index has what others have, too: it is left to accounts with at least this part of all leads. */
const LARGE_PART = 8;

/**
 * One block of the list or account after the other, so that those without leads cost nothing. Where those so far
 * let expect that the whole index is quicker, that is asked instead, in the same statement.
 */
export async function findInBlocks(
  db: Kysely<Database>,
  userId: string,
  wanted: BlocksWanted,
  search: TextMatch,
): Promise<FoundInBlocks> {
  const { filter, order, most, isThorough = false } = wanted;
  const { first, next, others } = conditionsOf(userId, wanted);
  const named = isNamed(filter.search!, search);
  const way = sql.raw(order.order);
  const found = sql`cardinality(step.ids)`;
  const isEnded = sql`(select is_ended from last)`;
  const { rows } = await sql<FoundInBlocks>`
    with recursive company as materialized (
      select id from companies
      where user_id = ${userId} and ${search(sql`companies.name`)} limit ${MAX_COMPANIES + 1}
    ), own as materialized (
      select leads.id from leads
      where leads.company_id = any (array(select id from company)) and ${others}
    ), step as (
      select 0 as blocks, (${first}) as at, array[]::bigint[] as ids
      where (select count(*) from company) <= ${MAX_COMPANIES}
      union all
      select step.blocks + 1, (${next}), step.ids || array(
        select leads.id from leads
        where search_block(user_id, id) @> search_block(${userId}, step.at << ${BLOCK_BITS})
          and ${others} and ${named}
        union
        select own.id from own where own.id >> ${BLOCK_BITS} = step.at
        order by id ${way} limit ${most} - ${found})
      from step
      where step.at is not null and ${found} < ${most} and (${isThorough}
        or step.blocks < ${FEW_BLOCKS}
        or step.blocks * (${most} - ${found}) <= ${BLOCKS_PER_INDEX} * ${found}
        or (step.blocks < ${MANY_BLOCKS} and not ${isLarge(userId)}))
    ), last as materialized (
      select ids, ${found} = ${most} as is_full, at is null or ${found} = ${most} as is_ended
      from step order by blocks desc limit 1
    ), whole as materialized (
      (select leads.id from leads where not ${isEnded} and ${others} and ${named}
        limit ${MAX_FOUND})
      union
      select id from own where not ${isEnded}
    )
    select to_json(case when is_ended then ids
        else array(select id from whole order by id ${way} limit ${most}) end) as ids,
      case when is_ended then cardinality(ids) else found end as total,
      not is_full and found < ${MAX_FOUND} as "isAll", found >= ${MAX_FOUND} as "isFar",
      false as "isOfMany"
    from last, (select count(*)::integer as found from whole) as counted`.execute(db);
  return rows[0] ?? { ids: [], total: 0, isAll: false, isOfMany: true, isFar: false };
}

/** Where the first block is and the one behind `step`, and what leads have to fit beside the text. */
function conditionsOf(userId: string, { filter, order, after }: BlocksWanted) {
  const { leadListId } = filter;
  const id = (leadListId === undefined ? LEADS : MEMBERS).id;
  const places =
    leadListId === undefined
      ? sql`leads where leads.user_id = ${userId}`
      : sql`lead_list_members where lead_list_members.lead_list_id = ${leadListId}`;
  const blockOf = (where: RawBuilder<unknown>) => sql`select ${id} >> ${BLOCK_BITS}
    from ${places} and ${where} order by ${id} ${sql.raw(order.order)} limit 1`;
  return {
    first: blockOf(after ? isBehind(after, order, { id, name: id }) : sql`true`),
    next: blockOf(
      order.order === 'desc'
        ? sql`${id} < step.at << ${BLOCK_BITS}`
        : sql`${id} >= (step.at + 1) << ${BLOCK_BITS}`,
    ),
    others: sql`leads.user_id = ${userId} and ${isKeptLead('leads', userId)}
      and ${fits({ ...filter, search: undefined })}
      ${after ? sql`and ${isBehind(after, order, LEADS)}` : sql``}
      ${leadListId === undefined ? sql`` : sql`and ${isInList(leadListId)}`}`,
  };
}

/** An account finds the leads of all in the whole index, and in a block its own. */
const BLOCKS_PER_INDEX = sql`(select ${sql.lit(BLOCKS_PER_MILLION)} * greatest(1, max(id) / 1000000) from leads)`;

const isLarge = (userId: string) => sql`(select coalesce(sum(leads), 0) * ${LARGE_PART}
  >= (select max(id) from leads) from lead_counters where user_id = ${userId} and lead_list_id is null)`;
