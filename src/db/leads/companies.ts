/** Companies of users. Only imports create them (lead-groups.ts). Choices 1, 2, 5. */
import {
  sql,
  type Kysely,
  type Selectable,
  type SelectQueryBuilder,
  type Transaction,
  type Updateable,
} from 'kysely';
import { isKeptCompany, keptParts, readParts, searchParts } from './deleted-lists.ts';
import { countAccount, countList } from './lead-counters.ts';
import { goingOn, inOrder, isBehind, type RowOrder, type RowPosition } from './lead-queries.ts';
import type { CompaniesTable } from './lead-tables.ts';
import { searchPage, type Found, type Searched, type Total } from '../search-pages.ts';
import type { Database } from '../tables.ts';
import { findable, matching, type TextMatch } from '../text-search.ts';

export type Company = Selectable<CompaniesTable>;
export type CountedCompany = Company & { leads_count: number };

export interface CompanyFilter {
  leadListId?: number | undefined;
  /** Part of the name or the domain, in any case. */
  search?: string | undefined;
}

export const findUserCompany = (
  db: Kysely<Database>,
  userId: string,
  id: number,
): Promise<CountedCompany | undefined> =>
  counted(db, userId, {}).where('id', '=', id).executeTakeFirst();

/** The company, locked until the transaction ends; undefined when the user has no such company. */
export const lockUserCompany = (
  trx: Transaction<Database>,
  userId: string,
  id: number,
): Promise<Company | undefined> =>
  trx
    .selectFrom('companies')
    .selectAll()
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where(isKeptCompany(userId))
    .forUpdate()
    .executeTakeFirst();

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

/** A page of those whose name or domain has the text, and how many there are: see `searchPage`. */
export async function searchCompanies(
  db: Kysely<Database>,
  userId: string,
  wanted: CompaniesWanted,
): Promise<Total & { rows: CountedCompany[] }> {
  const { order, limit, offset = 0 } = wanted;
  const parts = (await keptParts(db, userId, 'companies', wanted)) ?? [undefined];
  const { ids, ...total } = await searchParts(parts, offset + limit, (part, most) =>
    searchPage(searchedBy(db, userId, { ...wanted, after: part ?? wanted.after }), most),
  );
  const chosen = counted(db, userId, {}).where(
    sql<boolean>`id = any (${ids.slice(offset)}::bigint[])`,
  );
  return { rows: await inOrderOf({ filter: {}, order, limit }, chosen).execute(), ...total };
}

/** The first ones of the list or account in order, and the index of texts. */
const searchedBy = (
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
          select id from (${part(many, 0)}) as companies where ${isNamed(matching(search))}
          order by ${inOrder(order, COLUMNS)}
          limit case (select count(*) from last) when 2 then ${most}::integer end)) as ids`.execute(
      db,
    );
    const { ids, ends } = rows[0]!;
    return { ids, end: ends.length === 2 ? ends[0]! : null };
  },
  // Selected before they are sorted: otherwise the planner would read all in order.
  async indexed({ wanted, most = null }) {
    let all = filtered(db, userId, list, await findable(db, search)).select(['id', 'name_key']);
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

const COLUMNS = { id: sql.ref('companies.id'), name: sql.ref('companies.name_key') };

/** Exact, as it is kept for lists and accounts. */
export async function countCompanies(
  db: Kysely<Database>,
  userId: string,
  { leadListId }: Omit<CompanyFilter, 'search'>,
): Promise<Total> {
  const counts = await (leadListId === undefined
    ? countAccount(db, userId)
    : countList(db, userId, leadListId));
  return { total: counts.companies };
}

export async function updateCompany(
  trx: Transaction<Database>,
  id: number,
  changes: Updateable<CompaniesTable>,
): Promise<void> {
  await trx
    .updateTable('companies')
    .set({ ...changes, updated_at: new Date() })
    .where('id', '=', id)
    .execute();
}

/** The user's companies among the ids, in their order, locked until the transaction ends. */
export const lockCompanies = (
  trx: Transaction<Database>,
  userId: string,
  ids: readonly number[],
): Promise<Company[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : trx
        .selectFrom('companies')
        .selectAll()
        .where('user_id', '=', userId)
        .where('id', 'in', ids)
        .where(isKeptCompany(userId))
        .orderBy('id')
        .forNoKeyUpdate()
        .execute();

/** Puts locked companies into a list. Returns how many leads they have. */
export async function moveCompanies(
  trx: Transaction<Database>,
  sorted: readonly number[],
  leadListId: number,
): Promise<number> {
  if (sorted.length === 0) return 0;
  await trx
    .updateTable('companies')
    .set({ lead_list_id: leadListId, updated_at: new Date() })
    .where('id', 'in', sorted)
    .execute();
  const { leads } = await trx
    .selectFrom('leads')
    .where('company_id', 'in', sorted)
    .select((eb) => eb.fn.countAll<number>().as('leads'))
    .executeTakeFirstOrThrow();
  return leads;
}

const counted = (db: Kysely<Database>, userId: string, filter: CompanyFilter, search?: TextMatch) =>
  filtered(db, userId, filter, search)
    .selectAll()
    .select(
      sql<number>`(select count(*) from leads where leads.company_id = companies.id)`.as(
        'leads_count',
      ),
    );

function filtered(
  db: Kysely<Database>,
  userId: string,
  { leadListId }: CompanyFilter,
  search?: TextMatch,
) {
  const companies = db.selectFrom('companies');
  // By the list only: otherwise the planner would scan the user's companies until some are of the list.
  const query =
    leadListId === undefined
      ? companies.where('user_id', '=', userId).where(isKeptCompany(userId))
      : companies.where('lead_list_id', '=', (eb) =>
          eb
            .selectFrom('lead_lists')
            .select('lead_lists.id')
            .where('lead_lists.id', '=', leadListId)
            .where('lead_lists.user_id', '=', userId)
            .where('lead_lists.deleted_at', 'is', null),
        );
  return search ? query.where(isNamed(search)) : query;
}

const isNamed = (search: TextMatch) =>
  sql<boolean>`(${search(sql.ref('companies.name'))} or ${search(sql.ref('companies.domain'))})`;
