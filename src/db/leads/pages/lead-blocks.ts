/**
 * The newest or oldest leads that match a search, block by block (`search_block`), and those of companies whose name
 * has the text. Choices 5, 18.
 */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { hasMuchOf, isMuchOf } from '../../large-accounts.ts';
import { isKeptLead } from '../deleted-lists.ts';
import {
  fits,
  isBehind,
  isInList,
  isNamed,
  isUpTo,
  LEADS,
  MEMBERS,
  type LeadFilter,
  type RowOrder,
  type RowPosition,
} from '../lead-queries.ts';
import { foundByText, inOrderOfUser, ofUser } from '../../planned-searches.ts';
import {
  blockOf,
  findInBlocks,
  isBehindBlocks,
  isInBlocks,
  type Beside,
} from '../../search-blocks.ts';
import { MAX_FOUND, type Total } from '../../search-pages.ts';
import type { Database } from '../../tables.ts';
import type { TextMatch } from '../../text-search.ts';

export interface BlocksWanted {
  filter: LeadFilter;
  order: RowOrder;
  after?: RowPosition | undefined;
  /** How many first matches are wanted. */
  wanted: number;
}

/** The leads of so many companies are fetched at once; a text that more companies have is found in order. */
const MAX_COMPANIES = 100;

/** Of an account that leaves the whole index to larger ones. */
const MANY_BLOCKS = 128;

/** Undefined where more companies match than have their leads fetched at once. */
export async function findLeadsInBlocks(
  db: Kysely<Database>,
  userId: string,
  wanted: BlocksWanted,
  { search, isIndexed }: { search: TextMatch; isIndexed: boolean },
): Promise<(Total & { ids: number[] }) | undefined> {
  const { filter, order } = wanted;
  const { first, next, others } = conditionsOf(userId, wanted);
  const named = isNamed(filter.search!, search);
  const { search: _, ...filters } = filter;
  const isUsual =
    isIndexed &&
    Object.values(filters).every((each) => each === undefined) &&
    (await hasMuchOf(db, 'leads', userId));
  const found = { table: 'leads', columns: sql`leads.id`, others, isUsual };
  const parts = {
    table: 'leads',
    first,
    next,
    inBlocks: sql`${foundByText({ ...found, text: named, blocks: isInBlocks(userId) })}
      union select own.id from own where ${blockOf(sql`own.id`)} between step.low and step.high`,
    inAll: sql`(${foundByText({ ...found, text: named })} limit ${sql.lit(MAX_FOUND)})
      union select id from own`,
    order: { columns: sql`id ${sql.raw(order.order)}`, way: order.order },
    beside: companiesOf(userId, others, { search, isUsual }),
    isUsual,
  } as const;
  return findInBlocks(db, parts, wanted.wanted);
}

/** The companies whose name has the text, and their leads. */
const companiesOf = (
  userId: string,
  others: RawBuilder<unknown>,
  { search, isUsual }: { search: TextMatch; isUsual: boolean },
): Beside => ({
  tables: sql`company as materialized (
      ${foundByText({
        table: 'companies',
        columns: sql`id`,
        text: search(sql`companies.name`),
        others: sql`user_id = ${userId}`,
        isUsual,
      })} limit ${sql.lit(MAX_COMPANIES + 1)}
    ), own as materialized (
      select leads.id from (select * from leads
        where leads.company_id = any (array(select id from company)) offset 0) as leads
      where ${others}
    )`,
  begins: sql`(select count(*) from company) <= ${sql.lit(MAX_COMPANIES)}`,
  goesOn: sql`(blocks < ${MANY_BLOCKS} and not ${isMuchOf('leads', userId)})`,
});

/** Where the first block is and the one behind `step`, and what leads have to fit beside the text. */
function conditionsOf(userId: string, { filter, order, after }: BlocksWanted) {
  const { leadListId } = filter;
  const id = (leadListId === undefined ? LEADS : MEMBERS).id;
  const user = sql.ref('leads.user_id');
  const [places, inOrder] =
    leadListId === undefined
      ? [sql`leads where ${ofUser(user, userId)}`, inOrderOfUser(user, id, order.order)]
      : [
          sql`lead_list_members where lead_list_members.lead_list_id = ${leadListId}`,
          sql`${id} ${sql.raw(order.order)}`,
        ];
  const firstOf = (where: RawBuilder<unknown>) => sql`select ${blockOf(id)}
    from ${places} and ${where} order by ${inOrder} limit 1`;
  return {
    first: firstOf(after ? isBehind(after, order, { id, name: id }) : sql`true`),
    next: firstOf(
      sql`${isBehindBlocks(id, order.order)}${
        after?.until === undefined ? sql`` : sql` and ${isUpTo(after.until, order.order, id)}`
      }`,
    ),
    others: sql`leads.user_id = ${userId} and ${isKeptLead('leads', userId)}
      and ${fits({ ...filter, search: undefined })}
      ${after ? sql`and ${isBehind(after, order, LEADS)}` : sql``}
      ${leadListId === undefined ? sql`` : sql`and ${isInList(leadListId)}`}`,
  };
}
