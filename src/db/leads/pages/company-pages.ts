/** Pages of companies in order, and searches among them. Choices 5, 18. */
import { sql, type Kysely, type RawBuilder, type SelectQueryBuilder } from 'kysely';
import { counted, filtered, type CompanyFilter, type CountedCompany } from '../companies.ts';
import { keptParts, readParts, searchParts } from '../deleted-lists.ts';
import {
  goingOn,
  inOrder,
  isBehind,
  isUpTo,
  type RowOrder,
  type RowPosition,
} from '../lead-queries.ts';
import { blockOf, findInOrder, isBehindBlocks, isInBlocks } from '../../search-blocks.ts';
import { searchPage, type Found, type Searched, type Total } from '../../search-pages.ts';
import type { Database } from '../../tables.ts';
import { findable, matching, type TextMatch } from '../../text-search.ts';

interface CompaniesWanted {
  filter: CompanyFilter;
  order: RowOrder;
  limit: number;
  offset?: number | undefined;
  after?: RowPosition | undefined;
}

/** A page; `after` continues after a row, `offset` skips rows. */
export async function listCompanies(
  db: Kysely<Database>,
  userId: string,
  wanted: CompaniesWanted,
): Promise<CountedCompany[]> {
  if (wanted.filter.search) return (await searchCompanies(db, userId, wanted)).rows;
  const read = (part: CompaniesWanted) =>
    inOrderOf(part, counted(db, userId, wanted.filter)).execute();
  const parts = await keptParts(db, userId, 'companies', wanted);
  return parts ? readParts(parts, wanted, (part) => read({ ...wanted, ...part })) : read(wanted);
}

/** A page of those whose name or domain has the text, and how many there are. */
export async function searchCompanies(
  db: Kysely<Database>,
  userId: string,
  wanted: CompaniesWanted,
): Promise<Total & { rows: CountedCompany[] }> {
  const { order, limit, offset = 0 } = wanted;
  const parts = (await keptParts(db, userId, 'companies', wanted)) ?? [undefined];
  const { ids, ...total } = await searchParts(parts, offset + limit, (part, most) =>
    findCompanies(db, userId, { ...wanted, after: part ?? wanted.after, wanted: most }),
  );
  const chosen = counted(db, userId, {}).where(
    sql<boolean>`id = any (${ids.slice(offset)}::bigint[])`,
  );
  return { rows: await inOrderOf({ filter: {}, order, limit }, chosen).execute(), ...total };
}

interface Searching extends Pick<CompaniesWanted, 'filter' | 'order' | 'after'> {
  /** How many first matches are wanted. */
  wanted: number;
}

/** By time block by block: `findInOrder`. By name, of which the index of texts knows nothing: `searchPage`. */
async function findCompanies(
  db: Kysely<Database>,
  userId: string,
  { wanted, ...of }: Searching,
): Promise<Total & { ids: number[] }> {
  const { filter, order, after } = of;
  if (order.sort === 'name')
    return searchPage(searchedByName(db, userId, { ...of, limit: wanted }), wanted);
  const { search = '', ...list } = filter;
  const behind = after ? isBehind(after, order, COLUMNS) : sql<boolean>`true`;
  const others = filtered(db, userId, list).where(behind);
  const near = {
    rows: sql`${others.select(['id', 'name', 'domain']).orderBy('id', order.order)}`,
    row: 'companies',
    fits: isNamed(search, matching(search)),
  };
  const firstOf = (where: RawBuilder<boolean>) =>
    sql`${filtered(db, userId, list)
      .select(sql`${blockOf(sql`id`)}`.as('block'))
      .where(where)
      .orderBy('id', order.order)
      .limit(1)}`;
  const all = others.where(isNamed(search, await findable(db, search))).select('id');
  const until = after?.until;
  const isNext = sql<boolean>`${isBehindBlocks(sql`id`, order.order)}${
    until === undefined ? sql`` : sql` and ${isUpTo(until, order.order, sql`id`)}`
  }`;
  const parts = {
    table: 'companies',
    first: firstOf(behind),
    next: firstOf(isNext),
    inBlocks: sql`${all.where(isInBlocks(userId))}`,
    inAll: sql`${all}`,
    order: { columns: inOrder(order, COLUMNS_OF_FOUND), way: order.order },
  } as const;
  return findInOrder(db, near, parts, wanted);
}

/** The first ones of the list or account in order, and the index of texts. */
const searchedByName = (
  db: Kysely<Database>,
  userId: string,
  { filter: { search = '', ...list }, order, after }: CompaniesWanted,
): Searched<RowPosition> => ({
  async walk({ after: from = after, rows: many, most }) {
    const columns = ['id', 'name', 'name_key', 'domain'] as const;
    const part = (limit: number, offset: number) => {
      const companies = filtered(db, userId, list).select(columns);
      const position = goingOn(after, from);
      return inOrderOf({ filter: list, order, after: position, limit, offset }, companies);
    };
    const { rows } = await sql<{ ids: number[]; ends: RowPosition[] }>`
      with last as materialized (${part(2, many - 1)})
      select to_json(array(
          select json_build_object('id', id, 'name', name_key) from last)) as ends,
        to_json(array(
          select id from (${part(many, 0)}) as companies where ${isNamed(search, matching(search))}
          order by ${inOrder(order, COLUMNS)}
          limit case (select count(*) from last) when 2 then ${most}::integer end)) as ids`.execute(
      db,
    );
    const { ids, ends } = rows[0]!;
    return { ids, end: ends.length === 2 ? ends[0]! : null };
  },
  // Selected before they are sorted: otherwise the planner would read all in order.
  async indexed({ wanted, most = null }) {
    const named = isNamed(search, await findable(db, search));
    let all = filtered(db, userId, list).where(named).select(['id', 'name_key']);
    if (after) all = all.where(isBehind(after, order, COLUMNS));
    const { rows } = await sql<Found>`
      with companies as materialized (${all} limit ${most}::bigint)
      select (select count(*)::integer from companies) as found, to_json(array(
        select id from companies order by ${inOrder(order, COLUMNS)} limit ${wanted})) as ids`.execute(
      db,
    );
    return rows[0]!;
  },
});

/** Companies of the page, in order. */
function inOrderOf<Row>(
  { order: { sort, order }, limit, offset, after }: CompaniesWanted,
  companies: SelectQueryBuilder<Database, 'companies', Row>,
): SelectQueryBuilder<Database, 'companies', Row> {
  let query = companies;
  if (after) query = query.where(isBehind(after, { sort, order }, COLUMNS));
  if (sort === 'name') query = query.orderBy('name_key', order);
  query = query.orderBy('id', order).limit(limit);
  return offset ? query.offset(offset) : query;
}

const COLUMNS_OF_FOUND = { id: sql.ref('id'), name: sql.ref('name_key') };
const COLUMNS = { id: sql.ref('companies.id'), name: sql.ref('companies.name_key') };

/** Whether the name or domain has the text, by the one index of both; only a text of two lines may span them. */
function isNamed(text: string, search: TextMatch): RawBuilder<boolean> {
  const found = search(sql`(companies.name || chr(10) || coalesce(companies.domain, ''))`);
  if (!text.includes('\n')) return found;
  const exactly = matching(text);
  return sql<boolean>`(${found} and (${exactly(sql`companies.name`)} or ${exactly(sql`companies.domain`)}))`;
}
