/** Which leads are selected, and in which order: filters and orders as SQL. Choices 5, 18. */
import { sql, type Kysely, type RawBuilder, type Selectable } from 'kysely';
import type { TypedValue } from '../../domain/leads/custom-fields.ts';
import type { LeadStatus } from '../../domain/leads/leads.ts';
import { hasCustom, isAmongCustom, typedValues, type CustomCondition } from './custom-values.ts';
import { isKeptLead } from './deleted-lists.ts';
import type { LeadsTable } from './lead-tables.ts';
import type { Database } from '../tables.ts';
import { findable, matching, type TextMatch } from '../text-search.ts';

/** A lead with columns of its company. */
export type LeadRow = Selectable<LeadsTable> & {
  company_name: string | null;
  lead_list_id: number | null;
  custom_values: TypedValue[] | null;
};

export interface LeadFilter {
  leadListId?: number | undefined;
  companyId?: number | undefined;
  /** Part of a name, an address or a company's name, in any case. */
  search?: string | undefined;
  status?: LeadStatus | undefined;
  emailValid?: boolean | undefined;
  /** 0-100; leads that were never validated have no score. */
  minValidationScore?: number | undefined;
  hasEmail?: boolean | undefined;
  /** Of custom fields, each once. */
  custom?: readonly CustomCondition[] | undefined;
}

export interface RowOrder {
  sort: 'createdAt' | 'name';
  order: 'asc' | 'desc';
}

/** The last row of the page before; `name` is its sort key. */
export interface RowPosition {
  id: number;
  name?: string | undefined;
  /** The id of the last row that is read from there, in an order by ids. */
  until?: number | undefined;
}

export const findUserLead = (
  db: Kysely<Database>,
  userId: string,
  id: number,
): Promise<LeadRow | undefined> =>
  selected(db, userId).where('leads.id', '=', id).executeTakeFirst();

/** A list, or the whole account: each has an index in the order of its pages. */
export const isWhole = ({ leadListId: _list, search, ...filters }: LeadFilter): boolean =>
  !search && Object.values(filters).every((value) => value === undefined);

/** Leads as rows. */
export const selected = (
  db: Kysely<Database>,
  userId: string,
  filter: LeadFilter = {},
  search?: TextMatch,
) =>
  filtered(db, userId, filter, search)
    .selectAll('leads')
    .select(['companies.name as company_name', 'companies.lead_list_id'])
    .select(typedValues().as('custom_values'));

/** How the filter's search finds rows by an index. */
export const searchOf = async (
  db: Kysely<Database>,
  { search }: LeadFilter,
): Promise<TextMatch | undefined> => (search ? findable(db, search) : undefined);

export function filtered(
  db: Kysely<Database>,
  userId: string,
  { search: text, custom, ...filter }: LeadFilter,
  search: TextMatch | undefined,
) {
  let query = db
    .selectFrom('leads')
    .leftJoin('companies', 'companies.id', 'leads.company_id')
    .where('leads.user_id', '=', userId)
    .where(isKeptLead('leads', userId))
    .where(fits(filter));
  if (filter.leadListId !== undefined) {
    // Beside a search not by the index of the list: each of its leads would be compared with all that are found.
    const its = sql<number>`companies.lead_list_id ${text ? sql`+ 0` : sql``}`;
    query = query.where(its, '=', filter.leadListId);
  }
  if (custom) query = query.where(isAmongCustom(custom, LEADS.id));
  if (!text || !search) return query;
  const found = sql.join(foundIds(userId, text, search), sql` union all `);
  // Found once: joined, all of it is looked for again for each lead of an account that the statistics do not know. Of a
  // text that very many have, all are read for a small list, too.
  return query.where(sql<boolean>`leads.id = any (array(${found}))`);
}

/**
 * Ids of matching people and of people of matching companies. Each by its own index: no index covers both.
 */
const foundIds = (userId: string, text: string, search: TextMatch) =>
  [
    sql`select id from leads where user_id = ${userId} and ${isNamed(text, search)}`,
    sql`select leads.id from companies join leads on leads.company_id = companies.id
      where companies.user_id = ${userId} and ${search(sql`companies.name`)}`,
  ] as const;

/** Whether a name or address has the text, by the one index of both; only a text of two lines may span them. */
export function isNamed(text: string, search: TextMatch): RawBuilder<boolean> {
  const name = sql`first_name || ' ' || last_name`;
  const found = search(sql`(${name} || chr(10) || coalesce(email, ''))`);
  if (!text.includes('\n')) return found;
  const exactly = matching(text);
  return sql<boolean>`(${found} and (${exactly(name)} or ${exactly(sql`email`)}))`;
}

export const isInList = (id: number) =>
  sql<boolean>`exists (select from companies as its_company
    where its_company.id = leads.company_id and its_company.lead_list_id = ${id})`;

/** The conditions on a lead and its company, without the list. */
export function fits({ companyId, status, emailValid, hasEmail, ...filter }: LeadFilter) {
  const conditions = [sql<boolean>`true`];
  if (companyId !== undefined) conditions.push(sql`leads.company_id = ${companyId}`);
  if (status !== undefined) conditions.push(sql`leads.status = ${status}`);
  if (emailValid !== undefined) {
    // The second condition lets Postgres use the partial index.
    conditions.push(sql`leads.email_valid = ${emailValid} and leads.email_valid is not null`);
  }
  if (filter.minValidationScore !== undefined) {
    conditions.push(sql`leads.validation_score >= ${filter.minValidationScore}`);
  }
  if (hasEmail !== undefined) {
    conditions.push(hasEmail ? sql`leads.email is not null` : sql`leads.email is null`);
  }
  conditions.push(...(filter.custom ?? []).map(hasCustom));
  if (filter.search) {
    const search = matching(filter.search);
    const words = [sql`leads.first_name || ' ' || leads.last_name`, sql`leads.email`];
    const found = [...words, sql`companies.name`].map(search);
    conditions.push(sql`(${sql.join(found, sql` or `)})`);
  }
  return sql<boolean>`(${sql.join(conditions, sql` and `)})`;
}

/**
 * A list or company has few of the account's leads, maybe the oldest ones: they are fetched and sorted, since
 * the index of all leads might have to be read to its end for the first twenty.
 */
export const idOf = ({ leadListId, companyId }: LeadFilter) =>
  leadListId === undefined && companyId === undefined
    ? sql<number>`leads.id`
    : sql<number>`leads.id + 0`;

/** The columns of an order. */
export interface OrderColumns {
  id: RawBuilder<unknown>;
  name: RawBuilder<unknown>;
}

export const LEADS = { id: sql.ref('leads.id'), name: sql.ref('leads.name_key') };
export const MEMBERS = {
  id: sql.ref('lead_list_members.lead_id'),
  name: sql.ref('lead_list_members.name_key'),
};

export function inOrder({ sort, order }: RowOrder, { id, name }: OrderColumns) {
  const way = sql.raw(order);
  return sort === 'name' ? sql`${name} ${way}, ${id} ${way}` : sql`${id} ${way}`;
}

/** Whether the row comes after the place in the order. */
export function isBehind(
  { id, name, until }: RowPosition,
  { sort, order }: RowOrder,
  columns: OrderColumns,
) {
  const than = sql.raw(order === 'asc' ? '>' : '<');
  if (sort === 'name') {
    return sql<boolean>`(${columns.name}, ${columns.id}) ${than} (${name ?? ''}, ${id})`;
  }
  const isWithin = until === undefined ? sql`` : sql` and ${isUpTo(until, order, columns.id)}`;
  return sql<boolean>`(${columns.id} ${than} ${id}${isWithin})`;
}

/** A later position, of the same part. */
export const goingOn = (from: RowPosition | undefined, to: RowPosition | undefined) =>
  to ? { ...to, until: from?.until } : from;

/** Whether the row comes before the one with that id, or is it. */
export const isUpTo = (until: number, way: 'asc' | 'desc', id: RawBuilder<unknown>) =>
  sql<boolean>`${id} ${sql.raw(way === 'asc' ? '<=' : '>=')} ${until}`;
