/** Looks up the companies of very many people at once, for imports of files. Choice 53. */
import { sql, type Kysely } from 'kysely';
import type { KeyedGroup } from '../../domain/leads/lead-groups.ts';
import type { PlannedCompany } from '../../domain/leads/lead-rows.ts';
import { isKeptCompany } from './deleted-lists.ts';
import { accountRow, byAge, distinct, keys, type Account } from './lead-bulk-keys.ts';
import { remembered } from './lead-import-memory.ts';
import { COMPANY_COLUMNS, toCompany, type StoredCompany } from './lead-import-rows.ts';
import type { Database } from '../tables.ts';

const companyColumns = sql.raw(COMPANY_COLUMNS.join(', '));

export async function findCompanies(
  trx: Kysely<Database>,
  { userId, isSmall, memory }: Account,
  groups: readonly KeyedGroup[],
): Promise<PlannedCompany[]> {
  const named = groups.flatMap(({ company }) => company ?? []);
  const names = keys(named.map(({ nameKey }) => nameKey));
  const domains = keys(named.map(({ domainKey }) => domainKey));
  const ids = distinct(groups.map(({ companyId }) => companyId));
  const account = accountRow(userId);
  const isMeant = meantLists(groups);
  const found = isSmall
    ? sql`select id from companies where user_id = ${userId} and ${isMeant}
        and (name_key in (select ${names}) or domain_key in (select ${domains}))`
    : sql`
        select c.id from ${names} as key, ${account}, lateral (
          select id, lead_list_id from companies
          where user_id = account.id and name_key = key offset 0) as c where ${isMeant}
        union all
        select c.id from ${domains} as key, ${account}, lateral (
          select id, lead_list_id from companies
          where user_id = account.id and domain_key = key offset 0) as c where ${isMeant}`;
  const where = sql`
    user_id = ${userId} and ${isKeptCompany(userId)} and (id = any (array(${found})) or id = any (${ids}::bigint[]))`;
  const rowsOf = { table: 'companies', rows: memory.companies, writers: memory.writers } as const;
  const { own, others } = await remembered(trx, rowsOf, where);
  const { rows } = await sql<StoredCompany>`
    select ${companyColumns} from companies where ${others}`.execute(trx);
  const companies = [...own, ...rows.map(toCompany)];
  const twins = await findTwinsOfFree(trx, { userId, companies, lists: listsOf(groups) });
  return [...companies, ...twins].toSorted(byAge);
}

const listsOf = (groups: readonly KeyedGroup[]): number[] =>
  distinct(groups.map(({ leadListId }) => leadListId));

/** Companies of the named lists, and those without a list; all, where a group names no list. */
const meantLists = (groups: readonly KeyedGroup[]) =>
  groups.some(({ company, leadListId }) => company !== null && leadListId === null)
    ? sql`true`
    : sql`(lead_list_id is null or lead_list_id = any (${listsOf(groups)}::bigint[]))`;

/** Further companies of the lists that match the data of a company without a list. */
async function findTwinsOfFree(
  trx: Kysely<Database>,
  {
    userId,
    companies,
    lists,
  }: { userId: string; companies: readonly PlannedCompany[]; lists: readonly number[] },
): Promise<PlannedCompany[]> {
  const free = companies.filter(({ leadListId }) => leadListId === null);
  if (lists.length === 0 || free.length === 0) return [];
  const account = accountRow(userId);
  const { rows } = await sql<StoredCompany>`
    select ${companyColumns} from companies
    where lead_list_id = any (${[...lists]}::bigint[])
      and not id = any (${companies.map(({ id }) => id!)}::bigint[])
      and id = any (array(
        select c.id from ${keys(free.map(({ nameKey }) => nameKey))} as key, ${account}, lateral (
          select id from companies where user_id = account.id and name_key = key offset 0) as c
        union all
        select c.id from ${keys(free.map(({ domainKey }) => domainKey))} as key, ${account}, lateral (
          select id from companies where user_id = account.id and domain_key = key offset 0) as c))`.execute(
    trx,
  );
  return rows.map(toCompany);
}
