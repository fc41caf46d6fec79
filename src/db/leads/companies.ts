/** Companies of users. Only imports create them (lead-groups.ts). Choices 1, 2, 5. */
import { sql, type Kysely, type Selectable, type Transaction, type Updateable } from 'kysely';
import { isKeptCompany } from './deleted-lists.ts';
import { countAccount, countList } from './lead-counters.ts';
import type { CompaniesTable } from './lead-tables.ts';
import type { Total } from '../search-pages.ts';
import type { Database } from '../tables.ts';

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

export const counted = (db: Kysely<Database>, userId: string, filter: CompanyFilter) =>
  filtered(db, userId, filter)
    .selectAll()
    .select(
      sql<number>`(select count(*) from leads where leads.company_id = companies.id)`.as(
        'leads_count',
      ),
    );

export function filtered(db: Kysely<Database>, userId: string, { leadListId }: CompanyFilter) {
  const companies = db.selectFrom('companies');
  // By the list only: otherwise the planner would scan the user's companies until some are of the list.
  return leadListId === undefined
    ? companies.where('user_id', '=', userId).where(isKeptCompany(userId))
    : companies.where('lead_list_id', '=', (eb) =>
        eb
          .selectFrom('lead_lists')
          .select('lead_lists.id')
          .where('lead_lists.id', '=', leadListId)
          .where('lead_lists.user_id', '=', userId)
          .where('lead_lists.deleted_at', 'is', null),
      );
}
