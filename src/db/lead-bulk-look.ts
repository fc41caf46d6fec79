/** Looks up what an account has of very many people at once, for imports of files. */
import { sql, type Kysely } from 'kysely';
import type { KeyedGroup } from '../domain/lead-groups.ts';
import { forbiddenBy } from '../domain/lead-keys.ts';
import type { Known } from '../domain/lead-plan.ts';
import type { PlannedCompany, PlannedLead } from '../domain/lead-rows.ts';
import { arrayLiteral } from './array-literal.ts';
import { remembered, type ImportMemory } from './lead-import-memory.ts';
import { toCompany, toLeads, type StoredRows } from './lead-import-rows.ts';
import type { Database } from './tables.ts';

type Company = NonNullable<StoredRows['companies']>[number];
type Lead = NonNullable<StoredRows['leads']>[number];

/**
 * Needs `lockAccountLeads`: what was looked up holds until the transaction ends. A small account is
 * read once, each row compared with all keys by their hashes; in a large one each key is looked up
 * by its index, one by one (`offset 0`: Postgres may not know yet how large it is). The account comes
 * out of a row: an id that the statistics have not seen counts as having no rows, and then an index that
 * only begins with the account looks as good as the one that holds the key.
 */
export async function lookInBulk(
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

interface Account {
  userId: string;
  isSmall: boolean;
  memory: ImportMemory;
}

/** To look at so many rows costs no more than to look up a key. */
const SMALL = 20;

async function hasFewLeads(trx: Kysely<Database>, userId: string, few: number): Promise<boolean> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (
      select from leads where user_id = ${userId} limit ${few + 1}) as counted`.execute(trx);
  return rows[0]!.n <= few;
}

/** What the plan of an import looks at; times are dear to read. */
const companyColumns = sql.raw(
  'id, lead_list_id, name, name_key, domain, domain_key, website, phone, address, city, state, ' +
    'country_code, category, rating, reviews_count, maps_url, place_id, provenance, source',
);
const leadColumns = sql.raw(
  'id, company_id, first_name, last_name, name_key, role, email, email_key, phone, phone_key, ' +
    'social_profile_url, profile_key, source, validation_score, email_valid, validation_status, ' +
    'validated_at, provenance, status, created_at',
);

async function findCompanies(
  trx: Kysely<Database>,
  { userId, isSmall, memory }: Account,
  groups: readonly KeyedGroup[],
): Promise<PlannedCompany[]> {
  const named = groups.flatMap(({ company }) => company ?? []);
  const names = keys(named.map(({ nameKey }) => nameKey));
  const domains = keys(named.map(({ domainKey }) => domainKey));
  const ids = distinct(groups.map(({ companyId }) => companyId));
  const account = accountRow(userId);
  const found = isSmall
    ? sql`select id from companies where user_id = ${userId}
        and (name_key in (select ${names}) or domain_key in (select ${domains}))`
    : sql`
        select c.id from ${names} as key, ${account}, lateral (
          select id from companies where user_id = account.id and name_key = key offset 0) as c
        union all
        select c.id from ${domains} as key, ${account}, lateral (
          select id from companies where user_id = account.id and domain_key = key offset 0) as c`;
  const where = sql`
    user_id = ${userId} and (id = any (array(${found})) or id = any (${ids}::bigint[]))`;
  const rowsOf = { table: 'companies', rows: memory.companies, writers: memory.writers } as const;
  const { own, others } = await remembered(trx, rowsOf, where);
  const { rows } = await sql<Company>`
    select ${companyColumns} from companies where ${others}`.execute(trx);
  return [...own, ...rows.map(toCompany)].toSorted(byAge);
}

/** `offset 0`: without it Postgres sees through to the id. */
const accountRow = (userId: string) => sql`(select ${userId}::text as id offset 0) as account`;

const byAge = (one: { id: number | null }, other: { id: number | null }) => one.id! - other.id!;

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
  const found = isSmall
    ? sql`select id from leads where user_id = ${userId} and (
        email_key in (select ${emails}) or profile_key in (select ${profiles})
        or phone_key in (select ${phones})
        or (company_id, name_key) in (select * from ${colleagues}))`
    : sql`
        select l.id from ${emails} as key, ${account}, lateral (
          select id from leads where user_id = account.id and email_key = key offset 0) as l
        union all
        select l.id from ${profiles} as key, ${account}, lateral (
          select id from leads where user_id = account.id and profile_key = key offset 0) as l
        union all
        select l.id from ${phones} as key, ${account}, lateral (
          select id from leads where user_id = account.id and phone_key = key offset 0) as l
        union all
        select l.id from ${colleagues} as key (company, name), lateral (
          select id from leads where company_id = company and name_key = name offset 0) as l`;
  const where = sql`id = any (array(${found}))`;
  const rowsOf = { table: 'leads', rows: memory.leads, writers: memory.writers } as const;
  const { own, others } = await remembered(trx, rowsOf, where);
  const { rows } = await sql<Lead>`select ${leadColumns} from leads where ${others}`.execute(trx);
  return [...own, ...toLeads(rows, companies)].toSorted(byAge);
}

/** People of a name together with each company that theirs may turn out to be. */
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

/** Ids by a key of theirs, where they have it. */
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

const distinct = <Value>(values: readonly (Value | null)[]): Value[] => [
  ...new Set(values.filter((value) => value !== null)),
];

/** Each once, as a set of rows. */
const keys = (values: readonly (string | null)[]) =>
  sql`unnest(${literal(distinct(values))}::text[])`;

const literal = (texts: readonly string[]): string => arrayLiteral(texts, (text) => text);
