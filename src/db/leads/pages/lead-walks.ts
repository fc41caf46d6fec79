/** The first leads of a list or account, in order, that match a filter or a search. Choices 5, 18. */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { leadsWithCustom, type CustomCondition } from '../custom-values.ts';
import { isKeptLead, isKeptList } from '../deleted-lists.ts';
import {
  fits,
  goingOn,
  inOrder,
  isBehind,
  isInList,
  isNamed,
  LEADS,
  MEMBERS,
  searchOf,
  type LeadFilter,
  type RowOrder,
  type RowPosition,
} from '../lead-queries.ts';
import { findLeadsInBlocks } from './lead-blocks.ts';
import { foundOf } from '../../search-blocks.ts';
import {
  MANY,
  NEAR_ROWS,
  searchPage,
  type Found,
  type Sought,
  type Total,
  type Walk,
  type Walked,
} from '../../search-pages.ts';
import type { Database } from '../../tables.ts';
import { findableBy, type TextMatch } from '../../text-search.ts';

interface Wanted {
  filter: LeadFilter;
  order: RowOrder;
  after?: RowPosition | undefined;
}

/** `id` of the leads of a list or account, in order. */
export const placesOf = (
  userId: string,
  part: Wanted & { limit: number; offset?: number | undefined },
) => sql<{ id: number }>`select ${columnsOf(part).id} as id ${placed(userId, part)}`;

const columnsOf = ({ filter }: Wanted) => (filter.leadListId === undefined ? LEADS : MEMBERS);

/** The one condition of a filter that has no other. */
export function onlyValueOf({ custom, ...filter }: LeadFilter): CustomCondition | undefined {
  const isAlone = custom?.length === 1 && Object.values(filter).every((each) => each === undefined);
  return isAlone ? custom[0] : undefined;
}

/**
 * `id` of the leads of an account with a value, as the index of values has them: one after the other, so that no
 * more are read than are wanted.
 */
export const placesWithValue = (userId: string, condition: CustomCondition) =>
  sql<{ id: number }>`select value.lead_id as id
    from (${leadsWithCustom(condition)}) as value
    cross join lateral (select from leads where leads.id = value.lead_id
      and leads.user_id = ${userId} and ${isKeptLead('leads', userId)} offset 0) as leads`;

/** A part of those with one value, in the order of their ids. */
export function orderedWithValue(
  userId: string,
  condition: CustomCondition,
  { order, after, limit, offset = 0 }: Wanted & { limit: number; offset?: number | undefined },
) {
  const place = { id: sql.ref('value.lead_id'), name: sql.ref('value.lead_id') };
  const behind = after ? sql`where ${isBehind(after, order, place)}` : sql``;
  return sql<{ id: number }>`${placesWithValue(userId, condition)} ${behind}
    order by ${inOrder(order, place)} limit ${limit} offset ${offset}`;
}

/** `from` a list or account, in order. */
function placed(
  userId: string,
  {
    limit,
    offset = 0,
    ...wanted
  }: Wanted & { limit: number | RawBuilder<unknown>; offset?: number | undefined },
): RawBuilder<unknown> {
  const { filter, order, after } = wanted;
  const columns = columnsOf(wanted);
  const behind = after ? sql`and ${isBehind(after, order, columns)}` : sql``;
  const of =
    filter.leadListId === undefined
      ? sql`leads where leads.user_id = ${userId} and ${isKeptLead('leads', userId)}`
      : sql`lead_list_members where lead_list_members.lead_list_id = ${filter.leadListId}
          and ${isKeptList(filter.leadListId)}`;
  return sql`from ${of} ${behind}
    order by ${inOrder(order, columns)} limit ${limit} offset ${offset}`;
}

/**
 * Matching leads among the first `rows` of the list or account, or among all where these are no more than
 * `whole`. Read in order, so that it stops at the last one that is needed; each lead of a list and each
 * company by itself (`offset 0`), otherwise the planner would read all of them.
 */
export async function walkLeads(
  db: Kysely<Database>,
  userId: string,
  { rows: many, most, whole, ...wanted }: Wanted & Walk<RowPosition> & { whole?: number },
): Promise<Walked<RowPosition>> {
  const { filter, order } = wanted;
  // Where no more than `whole` rows are there, all are read.
  const limit =
    whole === undefined
      ? sql`${many}::integer`
      : sql`case (select count(*) from last) when 2 then ${many}::integer else ${whole}::integer end`;
  const columns = columnsOf(wanted);
  // By id no name is needed: the index alone knows where the last one is.
  const name = order.sort === 'name' ? columns.name : sql`''`;
  const place = sql`${columns.id} as place_id, ${name} as place_name`;
  const near = placed(userId, { ...wanted, limit });
  const leads =
    filter.leadListId === undefined
      ? sql`(select leads.*, ${place} ${near}) as leads`
      : sql`(select ${place} ${near}) as place
          cross join lateral (select * from leads where id = place_id offset 0) as leads`;
  const companies = filter.search
    ? sql`left join lateral (
        select name from companies where id = leads.company_id offset 0) as companies on true`
    : sql``;
  const { rows } = await sql<{ ids: number[]; ends: RowPosition[] }>`
    with last as materialized (
      select json_build_object('id', ${columns.id}, 'name', ${name}) as place
      ${placed(userId, { ...wanted, limit: 2, offset: (whole ?? many) - 1 })})
    select to_json(array(select place from last)) as ends, to_json(array(
      select leads.id from ${leads} ${companies} where ${fits(filter)}
      order by ${inOrder(order, PLACES)}
      limit case (select count(*) from last) when 2 then ${most}::integer end)) as ids`.execute(db);
  const { ids, ends } = rows[0]!;
  return { ids, end: ends.length === 2 ? ends[0]! : null };
}

const PLACES = { id: sql.ref('place_id'), name: sql.ref('place_name') };

/**
 * Ids of the first `wanted` leads that match a search, and how many match; within a company see `filtered`.
 */
export async function findLeads(
  db: Kysely<Database>,
  userId: string,
  { wanted, ...which }: Wanted & { wanted: number },
): Promise<Total & { ids: number[] }> {
  const part = { ...which, wanted };
  if (which.order.sort === 'name') return findByName(db, userId, part);
  const most = Math.max(MANY, wanted);
  const { ids, end } = await walkLeads(db, userId, {
    ...which,
    rows: NEAR_LEADS,
    whole: NEAR_ROWS,
    most,
  });
  if (end === null || ids.length >= most) {
    return foundOf({ ids, total: ids.length, isAll: end === null }, wanted);
  }
  const search = await findableBy(db, which.filter.search!);
  return (await findLeadsInBlocks(db, userId, part, search)) ?? findByName(db, userId, part);
}

/** Where many match, some are among these; blocks are quicker than as many rows as are read by name. */
const NEAR_LEADS = 250;

/** The same in any order, of which no index knows the texts. */
function findByName(
  db: Kysely<Database>,
  userId: string,
  { wanted, ...which }: Wanted & { wanted: number },
): Promise<Total & { ids: number[] }> {
  return searchPage<RowPosition>(
    {
      walk: (part) =>
        walkLeads(db, userId, { ...which, ...part, after: goingOn(which.after, part.after) }),
      indexed: async (part) =>
        findIndexed(db, userId, { ...which, ...part }, (await searchOf(db, which.filter))!),
    },
    wanted,
  );
}

/** By the index of texts, in which they have no order. */
async function findIndexed(
  db: Kysely<Database>,
  userId: string,
  { wanted, most, ...which }: Wanted & Sought,
  search: TextMatch,
): Promise<Found> {
  const each = foundLeads(userId, which, search).map(
    (leads) => sql`(${leads} limit ${most ?? null}::bigint)`,
  );
  const { rows } = await sql<Found>`
    with leads as materialized (${sql.join(each, sql` union `)})
    select (select count(*)::integer from leads) as found, to_json(array(
      select leads.id from leads order by ${inOrder(which.order, LEADS)} limit ${wanted})) as ids
  `.execute(db);
  return rows[0]!;
}

/** Matching people, and people of matching companies. Each by its own index: no index covers both. */
function foundLeads(userId: string, { filter, order, after }: Wanted, search: TextMatch) {
  const { leadListId } = filter;
  const others = sql`leads.user_id = ${userId} and ${isKeptLead('leads', userId)}
    and ${fits({ ...filter, search: undefined })}
    ${after ? sql`and ${isBehind(after, order, LEADS)}` : sql``}
    ${leadListId === undefined ? sql`` : sql`and ${isInList(leadListId)}`}`;
  return [
    sql`select leads.id, leads.name_key from leads where ${others} and ${isNamed(filter.search!, search)}`,
    sql`select leads.id, leads.name_key from companies
      join leads on leads.company_id = companies.id
      where ${others} and companies.user_id = ${userId} and ${search(sql`companies.name`)}`,
  ];
}
