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
  searchOf,
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
}

/** Ids in order; `isAll`: there are no others. */
export interface FoundInBlocks {
  ids: number[];
  isAll: boolean;
}

/** How many blocks are read before the whole index is used, and where these have matches. */
const FEW_BLOCKS = 4;
const MANY_BLOCKS = 64;

/** Undefined where the blocks have too few, or too many companies match; then others find them sooner. */
export async function findInBlocks(
  db: Kysely<Database>,
  userId: string,
  wanted: BlocksWanted,
): Promise<FoundInBlocks | undefined> {
  const search = (await searchOf(db, wanted.filter))!;
  const companies = await matchingCompanies(db, userId, search);
  if (companies.length > MAX_COMPANIES) return undefined;
  for (const blocks of [FEW_BLOCKS, MANY_BLOCKS]) {
    const found = await readBlocks(db, userId, { ...wanted, blocks }, { search, companies });
    if (found.isAll || found.ids.length === wanted.most) return found;
    if (found.ids.length === 0) return undefined;
  }
  return undefined;
}

/** The leads of so many companies are fetched at once; a text that more companies have is found in order. */
const MAX_COMPANIES = 100;

async function matchingCompanies(
  db: Kysely<Database>,
  userId: string,
  search: TextMatch,
): Promise<number[]> {
  const { rows } = await sql<{ ids: number[] }>`
    select to_json(array(select id from companies
      where user_id = ${userId} and ${search(sql`companies.name`)}
      limit ${MAX_COMPANIES + 1})) as ids`.execute(db);
  return rows[0]!.ids;
}

const BLOCK_BITS = 14;

/** The blocks of a list or account are found one after the other, so that those without leads cost nothing. */
async function readBlocks(
  db: Kysely<Database>,
  userId: string,
  { filter, order, after, most, blocks }: BlocksWanted & { blocks: number },
  texts: { search: TextMatch; companies: readonly number[] },
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
  const { rows } = await sql<FoundInBlocks>`
    with recursive block as (
      select (${blockOf(firstBehind)}) as at
      union all
      select (${blockOf(next)}) from block where block.at is not null
    ), own as materialized (
      select leads.id from leads
      where leads.company_id = any (${texts.companies}::bigint[]) and ${others})
    select (select count(*) from (select from block where at is not null limit ${blocks + 1}) as each)
        <= ${blocks} as "isAll",
      to_json(array(
        select found.id from (select at from block where at is not null limit ${blocks}) as block
        cross join lateral (
          select leads.id from leads
          where search_block(user_id, id) @> search_block(${userId}, block.at << ${BLOCK_BITS})
            and ${others} and ${isNamed(texts.search)}
          union
          select own.id from own where own.id >> ${BLOCK_BITS} = block.at
          order by id ${way}) as found
        limit ${most})) as ids`.execute(db);
  const { ids, isAll } = rows[0]!;
  return { ids, isAll: isAll && ids.length < most };
}
