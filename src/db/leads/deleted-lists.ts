/**
 * The contents of a list that is being deleted are hidden from all queries from the moment of the request;
 * its rows are removed in batches after that (list-deletions.ts). Every query that reads, matches, enrols or
 * writes to leads or companies uses these conditions. Choice 4.
 */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { MANY, type Total } from '../search-pages.ts';
import type { Database } from '../tables.ts';
import type { HiddenRangesTable } from './lead-tables.ts';

/**
 * Whether the lead is in no list that is being deleted. `lead`: the name of the table in the query; `userId`:
 * the owner, where known: such lists are looked up once then, and not for each lead.
 */
export function isKeptLead(lead = 'leads', userId?: string) {
  const owner = userId === undefined ? sql.ref(`${lead}.user_id`) : sql`${userId}`;
  const companyId = sql.ref(`${lead}.company_id`);
  return sql<boolean>`(not ${isDeleting(owner)} or ${companyId} is null
    or (select ${isKept('its_company', owner)} from companies as its_company where its_company.id = ${companyId}))`;
}

/**
 * The same for those who count many leads of an account by an index: by the places of such lists, which lie together, and
 * not by the company, which may have to be read from the disk for each. `offset 0`: otherwise the planner may read all
 * places of a list first.
 */
export const isKeptPlace = (
  userId: string,
) => sql<boolean>`(not ${isDeletingLists(userId)} or not exists (
  select from lead_list_members as its_place where its_place.lead_id = leads.id
    and its_place.lead_list_id = any (array(select going.id from ${going(sql`${userId}`)})) offset 0))`;

/** The same of a company. */
export const isKeptCompany = (userId: string) => isKept('companies', sql`${userId}`);

const isKept = (company: string, userId: RawBuilder<unknown>) => {
  const listId = sql.ref(`${company}.lead_list_id`);
  return sql<boolean>`(${listId} is null
    or ${listId} <> all (array(select going.id from ${going(userId)})))`;
};

/** The same of a list. */
export const isKeptList = (id: number) =>
  sql<boolean>`not exists (select from lead_lists where id = ${id} and deleted_at is not null)`;

/** Whether the account is currently deleting a list, which is rare. */
export const isDeletingLists = (userId: string) => isDeleting(sql`${userId}`);

const isDeleting = (userId: RawBuilder<unknown>) =>
  sql<boolean>`exists (select from ${going(userId)})`;

const going = (userId: RawBuilder<unknown>) =>
  sql`lead_lists as going where going.deleted_at is not null and going.user_id = ${userId}`;

/** Behind all ids. */
export const BEHIND_ALL = Number.MAX_SAFE_INTEGER;

/** A part of what is read in an order by ids: from behind `id` to `until`. */
interface Part {
  id: number;
  until: number;
}

export interface PartsWanted {
  filter: { leadListId?: number | undefined; companyId?: number | undefined };
  order: { sort: 'createdAt' | 'name'; order: 'asc' | 'desc' };
  after?: { id: number } | undefined;
  offset?: number | undefined;
}

/** So far a page is read part by part. */
const MAX_OFFSET = 1_000;
/** The largest ones: each part costs a statement. What is hidden beside is read past. */
const MAX_RANGES = 100;

/**
 * The account's leads or companies without the ranges in which all are hidden, the first part from behind `after`.
 * Undefined where there is no such range, for pages in another order, and within a list or company, which is hidden as
 * a whole.
 */
export async function keptParts(
  db: Kysely<Database>,
  userId: string,
  kind: HiddenRangesTable['kind'],
  { filter, order: { sort, order: way }, after, offset = 0 }: PartsWanted,
): Promise<Part[] | undefined> {
  if (sort === 'name' || offset > MAX_OFFSET) return undefined;
  if (filter.leadListId !== undefined || filter.companyId !== undefined) return undefined;
  const ranges = await db
    .selectFrom('hidden_ranges')
    .select(['from_id', 'to_id'])
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .orderBy(sql`to_id - from_id`, 'desc')
    .limit(MAX_RANGES)
    .execute();
  if (ranges.length === 0) return undefined;
  const hidden = ranges.toSorted((a, b) => a.from_id - b.from_id);
  const starts = [0, ...hidden.map(({ to_id: to }) => to)];
  const ends = [...hidden.map(({ from_id: from }) => from), BEHIND_ALL];
  const parts = starts.map((start, at) =>
    way === 'asc'
      ? { id: Math.max(start, after?.id ?? 0), until: ends[at]! - 1 }
      : { id: Math.min(ends[at]!, after?.id ?? BEHIND_ALL), until: start + 1 },
  );
  const isPart = ({ id, until }: Part) => (way === 'asc' ? id < until : id > until);
  return (way === 'asc' ? parts : parts.toReversed()).filter(isPart);
}

/** A page of rows: part by part until it is full. */
export async function readParts<Row>(
  parts: readonly Part[],
  { limit, offset = 0 }: { limit: number; offset?: number | undefined },
  read: (part: { after: Part; limit: number; offset: 0 }) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const after of parts) {
    const lacking = limit + offset - rows.length;
    if (lacking <= 0) break;
    rows.push(...(await read({ after, limit: lacking, offset: 0 })));
  }
  return rows.slice(offset);
}

/** The first `most` ids of a search, and how many match: part by part until they are found, and that there are many. */
export async function searchParts(
  parts: readonly (Part | undefined)[],
  most: number,
  search: (after: Part | undefined, wanted: number) => Promise<Total & { ids: number[] }>,
): Promise<Total & { ids: number[] }> {
  const ids: number[] = [];
  let total = 0;
  let isCapped = false;
  for (const [at, after] of parts.entries()) {
    const found = await search(after, Math.max(1, most - ids.length));
    ids.push(...found.ids);
    total += found.total;
    isCapped ||= found.isCapped === true;
    if (ids.length < most || total < Math.max(MANY, most)) continue;
    isCapped ||= at < parts.length - 1;
    break;
  }
  return { ids: ids.slice(0, most), total, ...(isCapped && { isCapped }) };
}
