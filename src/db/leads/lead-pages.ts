/** Pages of leads by number or by key, and all of them. Choices 5, 18, 47. */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { isKeptLead, isKeptList } from './deleted-lists.ts';
import {
  filtered,
  fits,
  idOf,
  inOrder,
  isBehind,
  isWhole,
  LEADS,
  MEMBERS,
  searchOf,
  selected,
  type LeadFilter,
  type LeadRow,
  type RowOrder,
  type RowPosition,
} from './lead-queries.ts';
import type { Database } from '../tables.ts';

/** `after` continues behind a row, `offset` skips rows. */
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
  if (wanted.filter.companyId !== undefined) return listByFilter(db, userId, wanted);
  if (isWhole(wanted.filter)) return rowsAt(db, placesOf(userId, wanted), { userId, ...wanted });
  if (wanted.limit > STREAM_ROWS / 2) return listByFilter(db, userId, wanted);
  const ids = await findNear(db, userId, wanted);
  return ids === undefined
    ? listByFilter(db, userId, wanted)
    : rowsAt(db, sql`select unnest(${ids}::bigint[]) as id`, { userId, ...wanted });
}

/** Where many fit a filter, some are among the first: so many are looked at before an index is asked. */
const NEAR_ROWS = [1_000, 10_000];

/** Undefined where the first ones of the list or account have too few, and more follow. */
async function findNear(
  db: Kysely<Database>,
  userId: string,
  wanted: LeadsWanted,
): Promise<number[] | undefined> {
  for (const rows of NEAR_ROWS) {
    const { ids, hasMore } = await fittingAmong(db, userId, { ...wanted, rows });
    if (ids.length === wanted.limit || !hasMore) return ids;
    // Ten times as many rows would have too few as well, most likely.
    if (ids.length * 10 < wanted.limit) return undefined;
  }
  return undefined;
}

/**
 * Leads that fit among the first `rows` of the list or account, and whether it has more than
 * these. Each is looked up by itself (`offset 0`): the planner would rather read all leads.
 */
export async function fittingAmong(
  db: Kysely<Database>,
  userId: string,
  { rows: first, ...wanted }: LeadsWanted & { rows: number },
): Promise<{ ids: number[]; hasMore: boolean }> {
  const { filter, order, limit, offset = 0 } = wanted;
  const near = placesOf(userId, { ...wanted, limit: first, offset: 0 });
  const next = placesOf(userId, { ...wanted, limit: 1, offset: first });
  const { rows } = await sql<{ ids: number[]; has_more: boolean }>`
    select exists (${next}) as has_more, to_json(array(
      select leads.id from (${near}) as place
        cross join lateral (select * from leads where id = place.id offset 0) as leads
        left join lateral (
          select name from companies where id = leads.company_id offset 0) as companies on true
      where ${fits(filter)} order by ${inOrder(order, LEADS)} limit ${limit} offset ${offset}
    )) as ids`.execute(db);
  return { ids: rows[0]!.ids, hasMore: rows[0]!.has_more };
}

/** By the index of the filter, or of the order: what the planner holds for the shorter way. */
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

/** `id` of the leads of a list or account, in order. */
function placesOf(
  userId: string,
  { filter: { leadListId }, order, limit, offset = 0, after }: LeadsWanted,
): RawBuilder<{ id: number }> {
  const columns = leadListId === undefined ? LEADS : MEMBERS;
  const behind = after ? sql`and ${isBehind(after, order, columns)}` : sql``;
  const of =
    leadListId === undefined
      ? sql`leads where leads.user_id = ${userId} and ${isKeptLead('leads', userId)}`
      : sql`lead_list_members where lead_list_members.lead_list_id = ${leadListId}
          and ${isKeptList(leadListId)}`;
  return sql`select ${columns.id} as id from ${of} ${behind}
    order by ${inOrder(order, columns)} limit ${limit} offset ${offset}`;
}

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
    .select(['companies.name as company_name', 'companies.lead_list_id']);
  return (sort === 'name' ? query.orderBy('leads.name_key', order) : query)
    .orderBy('leads.id', order)
    .execute();
};

const STREAM_ROWS = 1_000;

/** All of them in pages, so that none holds the database up or fills the memory. */
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

/** No index has this order: the ids are put into it once, the rows are read page by page. */
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
