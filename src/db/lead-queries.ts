/** Reading leads: filters, orders, pages by number or by key, and all of them. Choices 5, 18, 47. */
import { sql, type Kysely, type Selectable } from 'kysely';
import type { LeadStatus } from '../domain/leads.ts';
import { isKeptLead } from './deleted-lists.ts';
import type { LeadsTable } from './lead-tables.ts';
import type { Database } from './tables.ts';

/** A lead and what its company says of it. */
export type LeadRow = Selectable<LeadsTable> & {
  company_name: string | null;
  lead_list_id: number | null;
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
}

export interface RowOrder {
  sort: 'createdAt' | 'name';
  order: 'asc' | 'desc';
}

/** The last row of the page before; `name` is its sort key. */
export interface RowPosition {
  id: number;
  name?: string | undefined;
}

export const findUserLead = (
  db: Kysely<Database>,
  userId: string,
  id: number,
): Promise<LeadRow | undefined> =>
  selected(db, userId, {}).where('leads.id', '=', id).executeTakeFirst();

export async function countLeads(
  db: Kysely<Database>,
  userId: string,
  filter: LeadFilter,
): Promise<number> {
  const { total } = await filtered(db, userId, filter)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

/** `after` continues behind a row, `offset` skips rows. */
export async function listLeads(
  db: Kysely<Database>,
  userId: string,
  page: {
    filter: LeadFilter;
    order: RowOrder;
    limit: number;
    offset?: number | undefined;
    after?: RowPosition | undefined;
  },
): Promise<LeadRow[]> {
  const { sort, order } = page.order;
  let query = selected(db, userId, page.filter);
  if (page.after) query = query.where(isBehind(page.after, page.order, 'leads'));
  if (sort === 'name') query = query.orderBy('leads.name_key', order);
  query = query.orderBy(idOf(page.filter), order).limit(page.limit);
  return (page.offset ? query.offset(page.offset) : query).execute();
}

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
  const ids = await filtered(db, userId, filter)
    .select('leads.id')
    .orderBy('leads.name_key', order)
    .orderBy('leads.id', order)
    .execute();
  for (let start = 0; start < ids.length; start += STREAM_ROWS) {
    const page = ids.slice(start, start + STREAM_ROWS).map(({ id }) => id);
    const rows = await selected(db, userId, {}).where('leads.id', 'in', page).execute();
    const byId = new Map(rows.map((row) => [row.id, row]));
    yield page.flatMap((id) => byId.get(id) ?? []);
  }
}

const selected = (db: Kysely<Database>, userId: string, filter: LeadFilter) =>
  filtered(db, userId, filter)
    .selectAll('leads')
    .select(['companies.name as company_name', 'companies.lead_list_id']);

function filtered(db: Kysely<Database>, userId: string, filter: LeadFilter) {
  let query = db
    .selectFrom('leads')
    .leftJoin('companies', 'companies.id', 'leads.company_id')
    .where('leads.user_id', '=', userId)
    .where(isKeptLead('leads', userId));
  const { leadListId, companyId, search, status, emailValid, minValidationScore } = filter;
  if (leadListId !== undefined) query = query.where('companies.lead_list_id', '=', leadListId);
  if (companyId !== undefined) query = query.where('leads.company_id', '=', companyId);
  if (status !== undefined) query = query.where('leads.status', '=', status);
  if (emailValid !== undefined) query = query.where('leads.email_valid', '=', emailValid);
  if (minValidationScore !== undefined) {
    query = query.where('leads.validation_score', '>=', minValidationScore);
  }
  if (filter.hasEmail !== undefined) {
    query = query.where('leads.email', filter.hasEmail ? 'is not' : 'is', null);
  }
  if (search) {
    const pattern = containing(search);
    // Each table by its own index (trigrams): a condition on both would read all leads.
    query = query.where(
      sql<boolean>`leads.id in (
        select id from leads where user_id = ${userId}
          and (first_name || ' ' || last_name ilike ${pattern} or email ilike ${pattern})
        union all
        select leads.id from companies join leads on leads.company_id = companies.id
        where companies.user_id = ${userId} and companies.name ilike ${pattern})`,
    );
  }
  return query;
}

/**
 * A list or company has few of the account's leads, maybe the oldest ones: they are fetched and
 * sorted, since the index of all leads might be read to its end for the first twenty.
 */
const idOf = ({ leadListId, companyId }: LeadFilter) =>
  leadListId === undefined && companyId === undefined
    ? sql<number>`leads.id`
    : sql<number>`leads.id + 0`;

/** A pattern of `like` for a text that has this one in it. */
export const containing = (text: string): string =>
  `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

/** Whether a row of the table comes after the place in the order. */
export function isBehind(
  { id, name }: RowPosition,
  { sort, order }: RowOrder,
  table: 'leads' | 'companies',
) {
  const than = sql.raw(order === 'asc' ? '>' : '<');
  const column = (of: string) => sql.ref(`${table}.${of}`);
  return sort === 'name'
    ? sql<boolean>`(${column('name_key')}, ${column('id')}) ${than} (${name ?? ''}, ${id})`
    : sql<boolean>`${column('id')} ${than} ${id}`;
}
