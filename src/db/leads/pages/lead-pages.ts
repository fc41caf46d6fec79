/** Pages of leads by number or by key, and all of them. Choices 5, 18, 47. */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { isOrdered, typedValues } from '../custom-values.ts';
import {
  filtered,
  goingOn,
  idOf,
  isBehind,
  isWhole,
  LEADS,
  searchOf,
  selected,
  type LeadFilter,
  type LeadRow,
  type RowOrder,
  type RowPosition,
} from '../lead-queries.ts';
import { keptParts, readParts, searchParts } from '../deleted-lists.ts';
import { findLeads, onlyValueOf, orderedWithValue, placesOf, walkLeads } from './lead-walks.ts';
import type { Total } from '../../search-pages.ts';
import type { Database } from '../../tables.ts';

/** `after` continues after a row, `offset` skips rows. */
export interface LeadsWanted {
  filter: LeadFilter;
  order: RowOrder;
  limit: number;
  offset?: number | undefined;
  after?: RowPosition | undefined;
}

export async function listLeads(
  db: Kysely<Database>,
  userId: string,
  wanted: LeadsWanted,
): Promise<LeadRow[]> {
  const { filter, limit } = wanted;
  // A search goes part by part itself, or by the index of texts.
  const parts = filter.search ? undefined : await keptParts(db, userId, 'leads', wanted);
  if (parts) {
    return readParts(parts, wanted, (part) => listPart(db, userId, { ...wanted, ...part }));
  }
  const isPage = filter.companyId === undefined && limit <= STREAM_ROWS / 2;
  return filter.search && isPage
    ? (await searchLeads(db, userId, wanted)).rows
    : listPart(db, userId, wanted);
}

async function listPart(
  db: Kysely<Database>,
  userId: string,
  wanted: LeadsWanted,
): Promise<LeadRow[]> {
  const { filter, order, after, limit, offset = 0 } = wanted;
  if (filter.companyId !== undefined) return listByFilter(db, userId, wanted);
  if (isWhole(filter)) return rowsAt(db, placesOf(userId, wanted), { userId, ...wanted });
  const value = onlyValueOf(filter);
  if (value && isOrdered(value) && order.sort === 'createdAt') {
    return rowsAt(db, orderedWithValue(userId, value, wanted), { userId, ...wanted });
  }
  if (filter.search || limit > STREAM_ROWS / 2) return listByFilter(db, userId, wanted);
  const ids = await findNear(db, userId, { filter, order, after, most: limit + offset });
  return ids === undefined
    ? listByFilter(db, userId, wanted)
    : rowsWith(db, ids.slice(offset), { userId, ...wanted });
}

/** A page of search results, and their number. */
export async function searchLeads(
  db: Kysely<Database>,
  userId: string,
  wanted: LeadsWanted,
): Promise<Total & { rows: LeadRow[] }> {
  const { filter, order, limit, offset = 0 } = wanted;
  const parts = (await keptParts(db, userId, 'leads', wanted)) ?? [undefined];
  const { ids, ...total } = await searchParts(parts, limit + offset, (part, most) =>
    findLeads(db, userId, { filter, order, after: part ?? wanted.after, wanted: most }),
  );
  return { rows: await rowsWith(db, ids.slice(offset), { userId, ...wanted }), ...total };
}

/** Where many match a filter, some are among the first rows: this many are read before an index is used. */
const NEAR_ROWS = 1_000;
const FAR_ROWS = 10_000;

/** Undefined where the first rows of the list or account contain too few matches, and more follow. */
async function findNear(
  db: Kysely<Database>,
  userId: string,
  wanted: Pick<LeadsWanted, 'filter' | 'order' | 'after'> & { most: number },
): Promise<number[] | undefined> {
  const { ids, end } = await walkLeads(db, userId, { ...wanted, rows: NEAR_ROWS });
  const lacking = wanted.most - ids.length;
  if (lacking <= 0 || end === null) return ids.slice(0, wanted.most);
  // Ten times as many rows would most likely have too few as well.
  if (ids.length * 10 < wanted.most) return undefined;
  const part = { after: goingOn(wanted.after, end), rows: FAR_ROWS, most: lacking };
  const far = await walkLeads(db, userId, { ...wanted, ...part });
  return far.ids.length < lacking && far.end !== null ? undefined : [...ids, ...far.ids];
}

/** By the index of the filter, or of the order: whichever the planner expects to be cheaper. */
async function listByFilter(
  db: Kysely<Database>,
  userId: string,
  { filter, order: { sort, order }, limit, offset, after }: LeadsWanted,
): Promise<LeadRow[]> {
  let query = selected(db, userId, filter, await searchOf(db, filter));
  if (after) query = query.where(isBehind(after, { sort, order }, LEADS));
  if (sort === 'name') query = query.orderBy('leads.name_key', order);
  query = query.orderBy(idOf(filter), order).limit(limit);
  return (offset ? query.offset(offset) : query).execute();
}

/** The leads with these ids. */
const rowsWith = (
  db: Kysely<Database>,
  ids: readonly number[],
  page: { userId: string; order: RowOrder },
) => rowsAt(db, sql`select unnest(${ids}::bigint[]) as id`, page);

/** The leads with these ids, in order. */
const rowsAt = (
  db: Kysely<Database>,
  ids: RawBuilder<{ id: number }>,
  { userId, order: { sort, order } }: { userId: string; order: RowOrder },
): Promise<LeadRow[]> => {
  const query = db
    .selectFrom(sql<{ id: number }>`(${ids})`.as('place'))
    .innerJoin('leads', 'leads.id', 'place.id')
    .leftJoin('companies', 'companies.id', 'leads.company_id')
    .where('leads.user_id', '=', userId)
    .selectAll('leads')
    .select(['companies.name as company_name', 'companies.lead_list_id'])
    .select(typedValues().as('custom_values'));
  return (sort === 'name' ? query.orderBy('leads.name_key', order) : query)
    .orderBy('leads.id', order)
    .execute();
};

const STREAM_ROWS = 1_000;

/** All of them in pages, so that no query runs long or fills the memory. */
export async function* allLeads(
  db: Kysely<Database>,
  userId: string,
  { filter, order }: { filter: LeadFilter; order: RowOrder },
): AsyncGenerator<LeadRow[]> {
  if (order.sort === 'name') return yield* allLeadsByName(db, userId, { filter, order });
  let after: RowPosition | undefined;
  for (;;) {
    const rows = await listLeads(db, userId, { filter, order, after, limit: STREAM_ROWS });
    yield rows;
    if (rows.length < STREAM_ROWS) return;
    after = { id: rows.at(-1)!.id };
  }
}

/** No index has this order: the ids are sorted once, the rows are read page by page. */
async function* allLeadsByName(
  db: Kysely<Database>,
  userId: string,
  { filter, order: { order } }: { filter: LeadFilter; order: RowOrder },
): AsyncGenerator<LeadRow[]> {
  const ids = await filtered(db, userId, filter, await searchOf(db, filter))
    .select('leads.id')
    .orderBy('leads.name_key', order)
    .orderBy('leads.id', order)
    .execute();
  for (let start = 0; start < ids.length; start += STREAM_ROWS) {
    const page = ids.slice(start, start + STREAM_ROWS).map(({ id }) => id);
    const rows = await selected(db, userId).where('leads.id', 'in', page).execute();
    const byId = new Map(rows.map((row) => [row.id, row]));
    yield page.flatMap((id) => byId.get(id) ?? []);
  }
}
