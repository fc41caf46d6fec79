/** Looks up the existing rows of very many people at once, for imports of files. */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { KeyedGroup } from '../../domain/leads/lead-groups.ts';
import { forbiddenBy } from '../../domain/leads/lead-keys.ts';
import type { Known } from '../../domain/leads/lead-plan.ts';
import type { PlannedCompany, PlannedLead } from '../../domain/leads/lead-rows.ts';
import { isKeptLead } from './deleted-lists.ts';
import { findCompanies } from './lead-bulk-companies.ts';
import { accountRow, byAge, keys, literal, type Account } from './lead-bulk-keys.ts';
import { remembered, type ImportMemory } from './lead-import-memory.ts';
import { LEAD_COLUMNS } from './lead-columns.ts';
import { toLeads, type StoredLead } from './lead-import-rows.ts';
import type { Database } from '../tables.ts';

/**
 * Needs `lockAccountLeads`: the result is valid until the transaction ends. A small account is read once,
 * each row compared with all keys by their hashes; in a large one each key is looked up by its index, one by
 * one (`offset 0`: Postgres may not know yet how large it is). The account id comes out of a row: for an id
 * that the statistics have not seen the planner expects no rows, and an index that only begins with the
 * account looks as good to it as the one that contains the key.
 */
export async function lookUpInBulk(
  trx: Kysely<Database>,
  {
    userId,
    groups,
    memory,
  }: { userId: string; groups: readonly KeyedGroup[]; memory: ImportMemory },
): Promise<Known> {
  const isSmall = await hasFewLeads(trx, userId, groups.length * SMALL);
  const account = { userId, isSmall, memory };
  const companies = await findCompanies(trx, account, groups);
  const leads = await findLeads(trx, account, { groups, companies });
  const erased = await findErased(trx, userId, groups);
  return { companies, leads, erased: new Set(erased) };
}

/** Reading this many rows costs no more than one key lookup. */
const SMALL = 20;

async function hasFewLeads(trx: Kysely<Database>, userId: string, few: number): Promise<boolean> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (
      select from leads where user_id = ${userId} limit ${few + 1}) as counted`.execute(trx);
  return rows[0]!.n <= few;
}

const leadColumns = sql.raw(LEAD_COLUMNS.join(', '));

async function findLeads(
  trx: Kysely<Database>,
  { userId, isSmall, memory }: Account,
  { groups, companies }: { groups: readonly KeyedGroup[]; companies: readonly PlannedCompany[] },
): Promise<PlannedLead[]> {
  const people = groups.flatMap((group) => group.people);
  const emails = keys(people.map(({ emailKey }) => emailKey));
  const profiles = keys(people.map(({ profileKey }) => profileKey));
  const phones = keys(people.map(({ phoneKey }) => phoneKey));
  const { ids, names } = colleaguesOf(groups, companies);
  const colleagues = sql`unnest(${ids}::bigint[], ${literal(names)}::text[])`;
  const account = accountRow(userId);
  const isMeant = meantCompanies(groups, companies);
  const found = isSmall
    ? sql`select id from leads where user_id = ${userId} and (
        email_key in (select ${emails})
        or ${isMeant} and (profile_key in (select ${profiles}) or phone_key in (select ${phones}))
        or (company_id, name_key) in (select * from ${colleagues}))`
    : sql`
        select l.id from ${emails} as key, ${account}, lateral (
          select id from leads where user_id = account.id and email_key = key offset 0) as l
        union all
        select l.id from ${profiles} as key, ${account}, lateral (
          select id, company_id from leads
          where user_id = account.id and profile_key = key offset 0) as l where ${isMeant}
        union all
        select l.id from ${phones} as key, ${account}, lateral (
          select id, company_id from leads
          where user_id = account.id and phone_key = key offset 0) as l where ${isMeant}
        union all
        select l.id from ${colleagues} as key (company, name), lateral (
          select id from leads where company_id = company and name_key = name offset 0) as l`;
  const where = sql`id = any (array(${found})) and ${isKeptLead('leads', userId)}`;
  const rowsOf = { table: 'leads', rows: memory.leads, writers: memory.writers } as const;
  const { own, others } = await remembered(trx, rowsOf, where);
  const { rows } = await sql<StoredLead>`select ${leadColumns} from leads where ${others}`.execute(
    trx,
  );
  const leads = [...own, ...toLeads(rows, companies)];
  const twins = await findTwinsOfFree(trx, userId, leads);
  return [...leads, ...toLeads(twins, companies)].toSorted(byAge);
}

/** Further leads with the address of a lead without a company, who may belong to a company. */
async function findTwinsOfFree(
  trx: Kysely<Database>,
  userId: string,
  leads: readonly PlannedLead[],
): Promise<StoredLead[]> {
  const emails = leads.flatMap(({ companyId, emailKey }) =>
    companyId === null ? (emailKey ?? []) : [],
  );
  if (emails.length === 0) return [];
  const { rows } = await sql<StoredLead>`
    select ${leadColumns} from leads
    where ${isKeptLead('leads', userId)} and not id = any (${leads.map(({ id }) => id!)}::bigint[]) and id = any (array(
      select l.id from ${keys(emails)} as key, ${accountRow(userId)}, lateral (
        select id from leads where user_id = account.id and email_key = key offset 0) as l))`.execute(
    trx,
  );
  return rows;
}

/** People of the companies, and those without a company; all, where a group has no company. */
const meantCompanies = (
  groups: readonly KeyedGroup[],
  companies: readonly PlannedCompany[],
): RawBuilder<unknown> =>
  groups.some(({ company, companyId }) => company === null && companyId === null)
    ? sql`true`
    : sql`(company_id is null
        or company_id in (select unnest(${companies.map(({ id }) => id!)}::bigint[])))`;

/** Pairs each name with every company that the person's company may be matched with. */
function colleaguesOf(
  groups: readonly KeyedGroup[],
  companies: readonly PlannedCompany[],
): { ids: number[]; names: string[] } {
  const byName = groupBy(companies, (company) => company.nameKey);
  const byDomain = groupBy(companies, (company) => company.domainKey);
  const ids: number[] = [];
  const names: string[] = [];
  for (const { company, companyId, people } of groups) {
    const candidates = new Set([
      companyId,
      ...((company && byName.get(company.nameKey)) ?? []),
      ...((company && byDomain.get(company.domainKey)) ?? []),
    ]);
    for (const id of candidates) {
      for (const { nameKey } of people) {
        if (id === null || nameKey === '') continue;
        ids.push(id);
        names.push(nameKey);
      }
    }
  }
  return { ids, names };
}

/** Ids by one of their keys, where they have it. */
function groupBy(
  companies: readonly PlannedCompany[],
  keyOf: (company: PlannedCompany) => string | null,
): Map<string | null, number[]> {
  const ids = new Map<string | null, number[]>();
  for (const company of companies) {
    const key = keyOf(company);
    if (key === null) continue;
    const known = ids.get(key);
    if (known) known.push(company.id!);
    else ids.set(key, [company.id!]);
  }
  return ids;
}

async function findErased(
  trx: Kysely<Database>,
  userId: string,
  groups: readonly KeyedGroup[],
): Promise<string[]> {
  const any = await trx
    .selectFrom('erasure_tombstones')
    .select('user_id')
    .where('user_id', '=', userId)
    .limit(1)
    .executeTakeFirst();
  if (!any) return [];
  const words = groups.flatMap(({ people }) => people.flatMap(forbiddenBy));
  const { rows } = await sql<{ word: string }>`
    select word from unnest(${words}::text[]) as word, lateral (
      select from erasure_tombstones where user_id = ${userId}
        and key_hash = sha256(convert_to(${userId} || ':' || word, 'UTF8')) offset 0) as known`.execute(
    trx,
  );
  return rows.map(({ word }) => word);
}
