/** What pages, searches and counts read of a large account: by indexes, and no more than a page is worth. */
import { sql, type Kysely } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import type { Database } from '../../src/db/tables.ts';
import { listCompanies } from '../../src/services/leads/companies.ts';
import { getUserLeadList, listLeadLists } from '../../src/services/leads/lead-lists.ts';
import { listLeads } from '../../src/services/leads/leads.ts';
import { listSuppressions } from '../../src/services/suppressions/suppressions.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const LEADS = 50_000;
const USER = 'large';
/** Entries of indexes: a page and its total look at a thousand leads with their companies each. */
const FEW = 8_000;

let database: TestDatabase;
/** One connection, whose reads are told apart from all others. */
let db: Kysely<Database>;
let lists: number[];

/** The first list has the oldest half of the leads, the second one a tenth; four leads for each company that has some. */
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { poolSize: 1 });
  await db.insertInto('users').values({ user_id: USER, email: 'l@example.test' }).execute();
  const rows = ['Half', 'Tenth', 'Empty'].map((name) => ({ user_id: USER, name }));
  lists = (await db.insertInto('lead_lists').values(rows).returning('id').execute()).map(
    ({ id }) => id,
  );
  await sql`
    insert into companies (user_id, lead_list_id, name, name_key, domain)
    select ${USER}, case when n <= ${LEADS / 8}::integer then ${lists[0]!}::bigint
        when n <= ${LEADS / 8 + LEADS / 40}::integer then ${lists[1]!}::bigint end,
      'Firm ' || n || case n when 7 then ' jq' else '' end, 'firm ' || n, 'f' || n || '.test'
    from generate_series(1, ${LEADS}::integer) as n`.execute(db);
  await sql`
    insert into leads (user_id, company_id, first_name, last_name, name_key, email, email_key, status,
      email_valid, validation_score)
    select ${USER}, first.id + (n - 1) / 4, 'Ann' || n, case n when 9 then 'Äjqö' else 'Lee' end,
      'ann' || n, 'ann' || n || '@f.test', 'ann' || n || '@f.test',
      case when n = 11 then 'replied' else 'pending' end,
      case when n = 12 then true end, case when n = 13 then 90 end
    from generate_series(1, ${LEADS}::integer) as n,
      (select min(id) as id from companies where user_id = ${USER}) as first`.execute(db);
  await sql`
    insert into suppressions (user_id, kind, value, reason)
    select ${USER}, 'email', n || '@gone.test', case n when 5 then 'complaint' else 'bounce' end
    from generate_series(1, ${LEADS}::integer) as n`.execute(db);
  const owner = new Client({ connectionString: database.ownerUrl });
  await owner.connect();
  await owner.query('vacuum analyze');
  await owner.end();
}, 120_000);
afterAll(async () => {
  await db?.destroy();
  await database?.close();
});

const TABLES = ['leads', 'companies', 'lead_list_members', 'suppressions', 'lead_counters'];

async function readSoFar(): Promise<{ byIndex: number; inSequence: number }> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ byIndex: number; inSequence: number }>`
    select (select sum(idx_tup_read)::int from pg_stat_user_indexes
        where relname = any (${TABLES})) as "byIndex",
      (select sum(seq_tup_read)::int from pg_stat_user_tables
        where relname = any (${TABLES.slice(0, -1)})) as "inSequence"`.execute(db);
  return rows[0]!;
}

/** The answer, where it was read by indexes and little of them. */
async function cheap<T>(read: () => Promise<T>): Promise<T> {
  const before = await readSoFar();
  const answer = await read();
  const after = await readSoFar();
  expect(after.inSequence - before.inSequence).toBe(0);
  expect(after.byIndex - before.byIndex).toBeLessThan(FEW);
  return answer;
}

const newest = { sort: 'createdAt', order: 'desc' } as const;
const byName = { sort: 'name', order: 'asc' } as const;
const part = { limit: 20, offset: 0 };

describe('a page of leads', () => {
  it.each([
    ['of the account', undefined, LEADS],
    ['of a list with half of them', 0, LEADS / 2],
    ['of a list with the older ones', 1, LEADS / 10],
    ['of an empty list', 2, 0],
  ])('%s is read by its index, in both orders, and counted', async (_, list, total) => {
    const filter = { leadListId: list === undefined ? undefined : lists[list] };
    for (const order of [newest, byName, { ...newest, order: 'asc' } as const]) {
      const page = await cheap(() => listLeads({ db }, USER, { filter, order, ...part }));
      expect(page).toMatchObject({ total, hasNext: total > 20 });
      expect(page.rows).toHaveLength(Math.min(20, total));
    }
  });

  it.each([
    ['a status that one has', { status: 'replied' } as const, 'Ann11'],
    ['addresses that are valid', { emailValid: true }, 'Ann12'],
    ['a score', { minValidationScore: 80 }, 'Ann13'],
    [
      'two letters of a person, between others than of ASCII, or of a company',
      { search: 'JQ' },
      'Ann28 Ann27 Ann26 Ann25 Ann9',
    ],
    ['two letters that nobody has', { search: 'wx' }, ''],
    ['a name', { search: 'ann49999' }, 'Ann49999'],
    ['a name that nobody has', { search: 'bartholomew' }, ''],
  ])('with %s reads what has it', async (_, filter, expected) => {
    const page = await cheap(() => listLeads({ db }, USER, { filter, order: newest, ...part }));
    expect(page.rows.map((row) => row.first_name).join(' ')).toBe(expected);
    expect(page).toMatchObject({ total: page.rows.length, hasNext: false });
  });

  it('with a search that all fit reads the first ones, and says that there are more', async () => {
    const filter = { search: 'an' };
    const page = await listLeads({ db }, USER, { filter, order: newest, ...part });
    expect(page).toMatchObject({ total: 1_000, isCapped: true, hasNext: true });
    expect(page.rows[0]!.first_name).toBe(`Ann${LEADS}`);
  });
});

describe('a page of companies', () => {
  it.each([
    ['of the account', undefined, LEADS],
    ['of a list', 0, LEADS / 8],
  ])('%s is read by its index, in both orders, and counted', async (_, list, total) => {
    const filter = { leadListId: list === undefined ? undefined : lists[list] };
    for (const order of [newest, byName]) {
      const page = await cheap(() => listCompanies({ db }, USER, { filter, order, ...part }));
      expect(page).toMatchObject({ total, hasNext: true });
      expect(page.rows[0]!.leads_count).toBe(list === undefined && order === newest ? 0 : 4);
    }
  });

  it('with two letters reads what has them', async () => {
    const filter = { search: 'jq' };
    const page = await cheap(() => listCompanies({ db }, USER, { filter, order: newest, ...part }));
    expect(page).toMatchObject({ rows: [{ name: 'Firm 7 jq' }], total: 1 });
  });
});

it('lists and counts lists without reading what is in them', async () => {
  const page = await cheap(() => listLeadLists({ db }, USER, part));
  expect(page.rows.map((list) => [list.companies_count, list.leads_count])).toEqual([
    [0, 0],
    [LEADS / 40, LEADS / 10],
    [LEADS / 8, LEADS / 2],
  ]);
  const list = await cheap(() => getUserLeadList({ db }, USER, lists[0]!));
  expect(list).toMatchObject({ companies_count: LEADS / 8, leads_count: LEADS / 2 });
});

it.each([
  [{}, 20],
  [{ reason: 'complaint' } as const, 1],
  [{ search: '4711@gone' }, 5],
])('lists suppressions with %j by an index', async (filter, found) => {
  const page = await listSuppressions({ db }, USER, { filter, ...part });
  expect(page.rows).toHaveLength(found);
});
