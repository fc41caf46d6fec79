/** Companies of users. They are made by imports alone (lead-groups.ts). Choices 1, 2, 5. */
import { sql, type Kysely, type Selectable, type Transaction, type Updateable } from 'kysely';
import { isKeptCompany } from './deleted-lists.ts';
import { lockAccountLeads } from './lead-locks.ts';
import { containing, isBehind, type RowOrder, type RowPosition } from './lead-queries.ts';
import type { CompaniesTable } from './lead-tables.ts';
import type { Database } from './tables.ts';

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
    .where(isKeptCompany('companies', userId))
    .forUpdate()
    .executeTakeFirst();

/** A page; `after` continues behind a row, `offset` skips rows. */
export async function listCompanies(
  db: Kysely<Database>,
  userId: string,
  page: {
    filter: CompanyFilter;
    order: RowOrder;
    limit: number;
    offset?: number | undefined;
    after?: RowPosition | undefined;
  },
): Promise<CountedCompany[]> {
  const { sort, order } = page.order;
  let query = counted(db, userId, page.filter);
  if (page.after) query = query.where(isBehind(page.after, page.order, 'companies'));
  if (sort === 'name') query = query.orderBy('name_key', order);
  query = query.orderBy('id', order).limit(page.limit);
  return (page.offset ? query.offset(page.offset) : query).execute();
}

export async function countCompanies(
  db: Kysely<Database>,
  userId: string,
  filter: CompanyFilter,
): Promise<number> {
  const { total } = await filtered(db, userId, filter)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total;
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
        .where(isKeptCompany('companies', userId))
        .orderBy('id')
        .forNoKeyUpdate()
        .execute();

/** Puts companies that are locked into a list. Answers how many leads are under them. */
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

/** Deletes the company and the leads under it. Undefined when the user has no such company. */
export async function deleteCompany(
  trx: Transaction<Database>,
  userId: string,
  id: number,
): Promise<{ leads: number } | undefined> {
  await lockAccountLeads(trx, userId);
  if (!(await lockUserCompany(trx, userId, id))) return undefined;
  const leads = await trx.deleteFrom('leads').where('company_id', '=', id).executeTakeFirst();
  await trx.deleteFrom('companies').where('id', '=', id).execute();
  return { leads: Number(leads.numDeletedRows) };
}

const counted = (db: Kysely<Database>, userId: string, filter: CompanyFilter) =>
  filtered(db, userId, filter)
    .selectAll()
    .select(
      sql<number>`(select count(*) from leads where leads.company_id = companies.id)`.as(
        'leads_count',
      ),
    );

function filtered(db: Kysely<Database>, userId: string, filter: CompanyFilter) {
  let query = db
    .selectFrom('companies')
    .where('user_id', '=', userId)
    .where(isKeptCompany('companies', userId));
  if (filter.leadListId !== undefined) {
    query = query.where('lead_list_id', '=', filter.leadListId);
  }
  if (filter.search) {
    const pattern = containing(filter.search);
    query = query.where((eb) =>
      eb.or([eb('name', 'ilike', pattern), eb('domain', 'ilike', pattern)]),
    );
  }
  return query;
}
