/**
 * The newest or oldest leads that match a search, block by block of the account (`search_block`): each block by
 * the index of texts, until enough are found. Choices 5, 18.
 */
import { sql, type Kysely } from 'kysely';
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
import type { Database } from '../tables.ts';
import type { TextMatch } from '../text-search.ts';

export interface BlocksWanted {
  filter: LeadFilter;
  order: RowOrder;
  after?: RowPosition | undefined;
  /** Stop after this many matches. */
  most: number;
  /** Stop after this many blocks; null: at the end of the account. */
  blocks: number | null;
}

/** Ids in order. */
export interface FoundInBlocks {
  ids: number[];
  /** There are no others. */
  isAll: boolean;
  /** The last id of the last block that was searched, where others follow. */
  end: number | null;
  /** More companies match than have their leads fetched at once: nothing was searched. */
  isOfMany: boolean;
}

/** The leads of so many companies are fetched at once; a text that more companies have is found in order. */
const MAX_COMPANIES = 100;

const BLOCK_BITS = 14;

/** The blocks of a list or account are found one after the other, so that those without leads cost nothing. */
export async function findInBlocks(
  db: Kysely<Database>,
  userId: string,
  { filter, order, after, most, blocks }: BlocksWanted,
  search: TextMatch,
): Promise<FoundInBlocks> {
  const { leadListId } = filter;
  const id = (leadListId === undefined ? LEADS : MEMBERS).id;
  const way = sql.raw(order.order);
  const places =
    leadListId === undefined
      ? sql`leads where leads.user_id = ${userId}`
      : sql`lead_list_members where lead_list_members.lead_list_id = ${leadListId}`;
  const behind = after ? isBehind(after, order, LEADS) : sql`true`;
  const next =
    order.order === 'desc'
      ? sql`${id} < block.at << ${BLOCK_BITS}`
      : sql`${id} >= (block.at + 1) << ${BLOCK_BITS}`;
  const firstBehind = after ? isBehind(after, order, { id, name: id }) : sql`true`;
  const blockOf = (where: ReturnType<typeof sql>) =>
    sql`select ${id} >> ${BLOCK_BITS} from ${places} and ${where} order by ${id} ${way} limit 1`;
  const others = sql`leads.user_id = ${userId} and ${isKeptLead('leads', userId)} and ${behind}
    and ${fits({ ...filter, search: undefined })}
    ${leadListId === undefined ? sql`` : sql`and ${isInList(leadListId)}`}`;
  // A nested loop goes through the blocks in their order; the limit ends it.
  const lastId =
    order.order === 'desc'
      ? sql`last.at << ${BLOCK_BITS}`
      : sql`((last.at + 1) << ${BLOCK_BITS}) - 1`;
  const { rows } = await sql<FoundInBlocks>`
    with recursive company as materialized (
      select id from companies
      where user_id = ${userId} and ${search(sql`companies.name`)} limit ${MAX_COMPANIES + 1}
    ), block as (
      select case when (select count(*) from company) <= ${MAX_COMPANIES} then
        (${blockOf(firstBehind)}) end as at
      union all
      select (${blockOf(next)}) from block where block.at is not null
    ), own as materialized (
      select leads.id from leads
      where leads.company_id = any (array(select id from company)) and ${others})
    select (select count(*) from company) > ${MAX_COMPANIES} as "isOfMany",
      not exists (select from block where at is not null
        offset coalesce(${blocks}::bigint, 9223372036854775807)) as "isAll",
      (select ${lastId} from (select at from block where at is not null
        limit 1 offset ${blocks}::bigint - 1) as last) as end,
      to_json(array(
        select found.id from (select at from block where at is not null limit ${blocks}::bigint) as block
        cross join lateral (
          select leads.id from leads
          where search_block(user_id, id) @> search_block(${userId}, block.at << ${BLOCK_BITS})
            and ${others} and ${isNamed(search)}
          union
          select own.id from own where own.id >> ${BLOCK_BITS} = block.at
          order by id ${way}) as found
        limit ${most})) as ids`.execute(db);
  const found = rows[0]!;
  return { ...found, isAll: found.isAll && !found.isOfMany && found.ids.length < most };
}
