/**
 * While a list is deleted whose leads are the newest, or follow one another in the midst of others, pages jump over
 * them, and show exactly what is left. Choice 4.
 */
import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { listCompanies, searchCompanies } from '../../src/db/leads/pages/company-pages.ts';
import { listLeads, searchLeads } from '../../src/db/leads/pages/lead-pages.ts';
import type { LeadFilter, RowOrder, RowPosition } from '../../src/db/leads/lead-queries.ts';
import { countLeads } from '../../src/db/leads/lead-totals.ts';
import { lockAccountLeads } from '../../src/db/leads/lead-locks.ts';
import { hideListPortion, removeListPortion } from '../../src/db/leads/list-deletions.ts';
import type { Database } from '../../src/db/tables.ts';
import { deleteLeadList } from '../../src/transactions/delete-lead-list.ts';
import {
  CONNECTION_MS,
  createTestDatabase,
  type TestDatabase,
} from '../support/database/database.ts';
import { untilWaiting } from '../support/database/lock-waiters.ts';

const BIG = 6_000;
const NEWEST: RowOrder = { sort: 'createdAt', order: 'desc' };
const ORDERS: RowOrder[] = [NEWEST, { sort: 'createdAt', order: 'asc' }];
const FILTERS: LeadFilter[] = [
  {},
  { status: 'contacted' },
  { emailValid: false },
  { minValidationScore: 95 },
  { hasEmail: false },
];

let database: TestDatabase;
let db: Kysely<Database>;
let users = 0;
let userId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { poolSize: 4, connectionTimeoutMs: CONNECTION_MS });
});
afterAll(async () => {
  await db?.destroy();
  await database?.close();
});
beforeEach(async () => {
  userId = await newUser();
});

async function newUser(): Promise<string> {
  const id = `owner-${(users += 1)}`;
  await db
    .insertInto('users')
    .values({ user_id: id, email: `${id}@example.test` })
    .execute();
  return id;
}

async function newList(owner = userId): Promise<number> {
  const { id } = await db
    .insertInto('lead_lists')
    .values({ user_id: owner, name: 'List' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** So many leads, four for each company, of a list or of none. */
async function addLeads(
  trx: Kysely<Database>,
  count: number,
  { listId = null, owner = userId }: { listId?: number | null; owner?: string } = {},
): Promise<void> {
  await sql`
    with company as (
      insert into companies (user_id, lead_list_id, name, name_key)
      select ${owner}, ${listId}::bigint, 'Firm ' || n, 'firm ' || n from generate_series(0, (${count}::int - 1) / 4) as n
      returning id
    ), numbered as (select id, row_number() over (order by id) - 1 as at from company)
    insert into leads (user_id, company_id, first_name, last_name, name_key, email, email_key, status,
      email_valid, validation_score)
    select ${owner}, numbered.id, 'Ann', case n % 3 when 0 then 'Wolf' else 'Lee' end, 'ann',
      address, address, case n % 5 when 0 then 'contacted' else 'pending' end, n % 2 = 0, n % 100
    from generate_series(0, ${count}::int - 1) as n join numbered on numbered.at = n / 4
    cross join lateral (select case when n % 7 > 0 then gen_random_uuid() || '@f.test' end as address) as own
    order by n`.execute(trx);
}

const remove = (listId: number) =>
  db.transaction().execute((trx) => deleteLeadList(trx, userId, listId));

async function hide(listId: number, sizes?: Parameters<typeof hideListPortion>[2]): Promise<void> {
  while (await hideListPortion(db, listId, sizes));
}

const ranges = async (kind: 'leads' | 'companies' = 'leads') =>
  (
    await db
      .selectFrom('hidden_ranges')
      .select(['from_id', 'to_id'])
      .where('user_id', '=', userId)
      .where('kind', '=', kind)
      .orderBy('from_id')
      .execute()
  ).map(({ from_id: from, to_id: to }) => [from, to]);

/** Ids of what is to be seen, by a look at each lead. */
async function seen({ status, ...filter }: LeadFilter, { order }: RowOrder): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select leads.id from leads join companies on companies.id = company_id
    left join lead_lists as list on list.id = lead_list_id
    where leads.user_id = ${userId} and list.deleted_at is null
      and (${status ?? null}::text is null or status = ${status ?? null})
      and (${filter.emailValid ?? null}::boolean is null or email_valid = ${filter.emailValid ?? null})
      and (${filter.minValidationScore ?? null}::int is null
        or validation_score >= ${filter.minValidationScore ?? null})
      and (${filter.hasEmail ?? null}::boolean is null or (email is not null) = ${filter.hasEmail ?? null})
    order by leads.id ${sql.raw(order)}`.execute(db);
  return rows.map(({ id }) => id);
}

/** All of them, page by page behind the last row of the one before. */
async function walked(filter: LeadFilter, order: RowOrder, limit: number): Promise<number[]> {
  const ids: number[] = [];
  for (let after: RowPosition | undefined; ;) {
    const rows = await listLeads(db, userId, { filter, order, after, limit });
    ids.push(...rows.map(({ id }) => id));
    if (rows.length < limit) return ids;
    after = { id: ids.at(-1)! };
  }
}

async function expectRest(): Promise<void> {
  for (const order of ORDERS) {
    for (const filter of FILTERS) {
      const all = await seen(filter, order);
      expect(all.length).toBeGreaterThan(20);
      expect(await walked(filter, order, 37)).toEqual(all);
      for (const offset of [0, 20, all.length - 3]) {
        const rows = await listLeads(db, userId, { filter, order, limit: 20, offset });
        expect(rows.map(({ id }) => id)).toEqual(all.slice(offset, offset + 20));
      }
      if (Object.keys(filter).length === 0) continue;
      const { total, isCapped } = await countLeads(db, userId, filter);
      expect([total, isCapped]).toEqual(
        all.length < 1_000 ? [all.length, undefined] : [1_000, true],
      );
    }
  }
  await expectRestOfCompanies();
}

/** The same of companies. */
async function expectRestOfCompanies(): Promise<void> {
  for (const order of ORDERS) {
    const { rows } = await sql<{ id: number; name: string }>`
      select companies.id, companies.name from companies left join lead_lists as list on list.id = lead_list_id
      where companies.user_id = ${userId} and list.deleted_at is null
      order by companies.id ${sql.raw(order.order)}`.execute(db);
    const all = rows.map(({ id }) => id);
    const ids: number[] = [];
    for (let after: RowPosition | undefined; ;) {
      const page = await listCompanies(db, userId, { filter: {}, order, after, limit: 23 });
      ids.push(...page.map(({ id }) => id));
      if (page.length < 23) break;
      after = { id: ids.at(-1)! };
    }
    expect(ids).toEqual(all);
    for (const search of ['firm', 'firm 1']) {
      const matching = rows.filter(({ name }) => name.toLowerCase().includes(search));
      const wanted = { filter: { search }, order, limit: 20, offset: 20 };
      const page = await searchCompanies(db, userId, wanted);
      expect(page.rows.map(({ id }) => id)).toEqual(matching.slice(20, 40).map(({ id }) => id));
      expect(page.total).toBeLessThanOrEqual(matching.length);
    }
  }
}

describe('leads of lists that are being deleted', () => {
  it('are jumped over where no other lead is between them: at once, if their ids have no gaps', async () => {
    await addLeads(db, 1_500);
    const newest = await newList();
    await addLeads(db, BIG, { listId: newest });
    // Imports at the same time count in rows of their own.
    await sql`update lead_counters set leads = leads - 10, companies = companies - 3 where lead_list_id = ${newest}`.execute(
      db,
    );
    await sql`insert into lead_counters (user_id, lead_list_id, leads, companies)
      values (${userId}, ${newest}, 10, 3)`.execute(db);
    const [last, first] = [(await seen({}, NEWEST))[0]!, (await seen({}, NEWEST))[BIG - 1]!];
    await remove(newest);
    expect(await ranges()).toEqual([[first, last]]);
    expect(await hideListPortion(db, newest)).toBe(false);
    expect((await ranges('companies')).length).toBe(1);
    await expectRest();
    // What comes meanwhile is seen, as is the rest of what is removed bit by bit.
    await addLeads(db, 30);
    await removeListPortion(db, newest, 700);
    await expectRest();
    while (!(await removeListPortion(db, newest)).isDone);
    expect(await ranges()).toEqual([]);
    await expectRest();
  }, 120_000);

  it('are jumped over between the leads of others, some by the thousand, some not', async () => {
    const [going, alsoGoing, other] = [await newList(), await newList(), await newUser()];
    await addLeads(db, 700);
    for (let n = 0; n < 8; n += 1) {
      await addLeads(db, 900, { listId: going });
      // Ids that another account has are no gap.
      await addLeads(db, 5, { owner: other });
    }
    await addLeads(db, 3);
    await addLeads(db, 400, { listId: going });
    await addLeads(db, 40);
    await addLeads(db, BIG, { listId: alsoGoing });
    await addLeads(db, 25);
    await remove(going);
    await remove(alsoGoing);
    await hide(alsoGoing);
    expect((await ranges()).length).toBe(1);
    expect((await ranges('companies')).length).toBe(1);
    // Two workers at once note each range once.
    await Promise.all([hide(going, { portion: 2_500 }), hide(going, { portion: 2_500 })]);
    // 400 are too few; 7,200 are noted in three portions, of which the first has these 400.
    expect((await ranges()).length).toBe(4);
    await expectRest();
  }, 120_000);

  it('hide nobody who is stored meanwhile with an id between theirs', async () => {
    await addLeads(db, 700);
    const going = await newList();
    await addLeads(db, 2_000, { listId: going });
    let commit!: () => void;
    const isToCommit = new Promise<void>((resolve) => (commit = resolve));
    let begun!: () => void;
    const hasBegun = new Promise<void>((resolve) => (begun = resolve));
    // As an import does: the account's lock, shared, then rows whose ids are taken long before others see them.
    const storing = db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock_shared(hashtextextended(${userId}, 6001))`.execute(
        trx,
      );
      await addLeads(trx, 1);
      begun();
      await isToCommit;
    });
    await hasBegun;
    await addLeads(db, 2_000, { listId: going });
    const removed = remove(going);
    await untilWaiting(db, 1);
    commit();
    await Promise.all([storing, removed]);
    await hide(going);
    expect((await ranges()).length).toBe(2);
    await expectRest();
  }, 120_000);

  it('hide nobody who is moved to another list meanwhile', async () => {
    await addLeads(db, 700);
    const [going, other] = [await newList(), await newList()];
    await addLeads(db, BIG, { listId: going });
    let commit!: () => void;
    const isToCommit = new Promise<void>((resolve) => (commit = resolve));
    let begun!: () => void;
    const hasBegun = new Promise<void>((resolve) => (begun = resolve));
    const moving = db.transaction().execute(async (trx) => {
      await lockAccountLeads(trx, userId);
      await sql`update companies set lead_list_id = ${other} where id in (
        select id from companies where lead_list_id = ${going} order by id offset 700 limit 30)`.execute(
        trx,
      );
      begun();
      await isToCommit;
    });
    await hasBegun;
    const removed = remove(going);
    await untilWaiting(db, 1);
    commit();
    await Promise.all([moving, removed]);
    await hide(going);
    expect([(await ranges()).length, (await ranges('companies')).length]).toEqual([2, 0]);
    await expectRest();
  }, 120_000);

  it('are not searched, and those behind them are found and counted', async () => {
    await addLeads(db, 1_500);
    const going = await newList();
    await addLeads(db, BIG, { listId: going });
    await addLeads(db, 400);
    await remove(going);
    await hide(going);
    const all = await seen({}, NEWEST);
    const { rows } = await sql<{ id: number }>`
      select id from leads where id = any (${all}::bigint[]) and last_name = 'Wolf' order by id desc`.execute(
      db,
    );
    const wolves = rows.map(({ id }) => id);
    for (const offset of [0, 20]) {
      const filter = { search: 'wolf' };
      const page = await searchLeads(db, userId, { filter, order: NEWEST, limit: 20, offset });
      expect(page.rows.map(({ id }) => id)).toEqual(wolves.slice(offset, offset + 20));
      expect(page.total).toBeGreaterThanOrEqual(50);
      expect(page.total).toBeLessThanOrEqual(wolves.length);
    }
    // By cursor, in both orders, page by page and as an export reads them: each once.
    for (const order of ORDERS) {
      const found = order.order === 'desc' ? wolves : wolves.toReversed();
      for (const limit of [37, 101, 600]) {
        expect(await walked({ search: 'wolf' }, order, limit)).toEqual(found);
      }
    }
    const nobody = { filter: { search: 'qqzz' }, order: NEWEST, limit: 20 };
    expect(await searchLeads(db, userId, nobody)).toEqual({ rows: [], total: 0 });
  }, 120_000);

  it('cost a page no more than others do, however many of them are the newest', async () => {
    await addLeads(db, 3_000);
    const going = await newList();
    await addLeads(db, BIG, { listId: going });
    await database.vacuum();
    await remove(going);
    await hide(going);
    const own = openDatabase(database.url, { poolSize: 1, connectionTimeoutMs: CONNECTION_MS });
    const read = async (): Promise<number> => {
      await sql`select pg_stat_force_next_flush()`.execute(own);
      const { rows } = await sql<{ n: number }>`
        select sum(idx_tup_read)::int as n from pg_stat_user_indexes
        where relname in ('leads', 'companies', 'lead_list_members', 'lead_lists')`.execute(own);
      return rows[0]!.n;
    };
    for (const order of ORDERS) {
      for (const filter of FILTERS) {
        const before = await read();
        const rows = await listLeads(own, userId, { filter, order, limit: 20 });
        expect(rows.length).toBe(20);
        expect((await read()) - before).toBeLessThan(BIG / 2);
      }
      const before = await read();
      const companies = await listCompanies(own, userId, { filter: {}, order, limit: 20 });
      expect(companies.length).toBe(20);
      expect((await read()) - before).toBeLessThan(BIG / 8);
    }
    await own.destroy();
  }, 120_000);

  it('are passed over between those of others without a look at each lead and its company', async () => {
    const going = await newList();
    await addLeads(db, BIG);
    await sql`update companies set lead_list_id = ${going} where user_id = ${userId} and id % 3 = 0`.execute(
      db,
    );
    await database.vacuum();
    await remove(going);
    await hide(going);
    expect(await ranges()).toEqual([]);
    await expectRest();
    // Each may be on a page of its own, which has to come from the disk.
    const rowsRead = async (trx: Kysely<Database>): Promise<number> => {
      const { rows } = await sql<{ n: number }>`
        select sum(coalesce(idx_tup_fetch, 0) + seq_tup_read)::int as n from pg_stat_xact_user_tables
        where relname in ('leads', 'companies')`.execute(trx);
      return rows[0]!.n;
    };
    for (const filter of FILTERS.slice(1)) {
      await db.transaction().execute(async (trx) => {
        const before = await rowsRead(trx);
        expect((await countLeads(trx, userId, filter)).total).toBeGreaterThan(100);
        expect((await rowsRead(trx)) - before).toBeLessThan(50);
      });
    }
  }, 120_000);
});
