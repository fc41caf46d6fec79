/** What filters by custom fields read of a large account, and that the index of values is what leads have. */
import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { listWantedLeads } from '../../src/db/campaigns/wanted-leads.ts';
import type { CustomCondition } from '../../src/db/leads/custom-values.ts';
import { importGroups } from '../../src/db/leads/lead-groups.ts';
import type { Database } from '../../src/db/tables.ts';
import { listLeads } from '../../src/services/leads/leads.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';

const LEADS = 50_000;
const USER = 'large';
/** Of a page: its rows, and what counts them. */
const FEW_ROWS = 30_000;

let database: TestDatabase;
let db: Kysely<Database>;
let industry: number;
let size: number;
let since: number;

/** Half are Common, the oldest tenth is Old, one is Rare; everybody has a size and a day of their own. */
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { poolSize: 1, statementTimeoutMs: 120_000 });
  await db.insertInto('users').values({ user_id: USER, email: 'l@example.test' }).execute();
  const define = async (name: string, type: 'text' | 'number' | 'date') =>
    (
      await db
        .insertInto('custom_fields')
        .values({ user_id: USER, name, label: name, type, choices: null })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
  [industry, size, since] = [
    await define('industry', 'text'),
    await define('size', 'number'),
    await define('since', 'date'),
  ];
  await sql`
    insert into leads (user_id, first_name, last_name, name_key, email, email_key, custom)
    select ${USER}, 'Ann' || n, 'Lee', 'ann' || n, 'a' || n || '@f.test', 'a' || n || '@f.test',
      jsonb_build_object(${String(size)}::text, n, ${String(since)}::text, (date '2000-01-01' + n / 10)::text,
        ${String(industry)}::text, case when n = 7 then 'Rare' when n <= ${LEADS / 10}::int then 'Old'
          when n % 2 = 0 then 'Common' else 'Other' || n end)
    from generate_series(1, ${LEADS}::int) as n`.execute(db);
  await database.vacuum();
}, 240_000);
afterAll(async () => {
  await db?.destroy();
  await database?.close();
});

async function readSoFar(): Promise<{ inSequence: number; rows: number }> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ inSequence: number; rows: number }>`
    select sum(seq_tup_read)::int as "inSequence", sum(idx_tup_fetch)::int as rows
    from pg_stat_user_tables where relname in ('leads', 'custom_values')`.execute(db);
  return rows[0]!;
}

async function readBy<T>(work: () => Promise<T>) {
  const before = await readSoFar();
  const answer = await work();
  const after = await readSoFar();
  expect(after.inSequence - before.inSequence).toBe(0);
  return { answer, rows: after.rows - before.rows };
}

const newest = { sort: 'createdAt', order: 'desc' } as const;
const page = (custom: CustomCondition[], more: object = {}) =>
  readBy(() =>
    listLeads({ db }, USER, {
      filter: { custom, ...more },
      order: newest,
      limit: 20,
      offset: 0,
    }),
  );

describe('a page of leads', () => {
  it.each([
    ['a value that one has', () => [{ fieldId: industry, equals: 'Rare' }], 1, 'Ann7'],
    ['a value that nobody has', () => [{ fieldId: industry, equals: 'None' }], 0, undefined],
    ['a number', () => [{ fieldId: size, equals: 4_711 }], 1, 'Ann4711'],
    ['numbers in a range', () => [{ fieldId: size, min: 100, max: 149.5 }], 50, 'Ann149'],
    ['days in a range', () => [{ fieldId: since, max: '2000-01-02' }], 19, 'Ann19'],
  ])('with %s reads what has it', async (_, conditions, total, first) => {
    const { answer, rows } = await page(conditions());
    expect(answer).toMatchObject({ total, hasNext: total > 20 });
    expect(answer.rows[0]?.first_name).toBe(first);
    expect(rows).toBeLessThan(16_000);
  });

  it.each([
    ['many have', () => [{ fieldId: industry, equals: 'Common' }], 'Ann50000'],
    ['the oldest have', () => [{ fieldId: industry, equals: 'Old' }], 'Ann5000'],
    ['nearly all have', () => [{ fieldId: size, min: 10 }], 'Ann50000'],
  ])(
    'with a value that %s reads the first ones, and counts so many',
    async (_, conditions, first) => {
      const { answer, rows } = await page(conditions());
      expect(answer.hasNext).toBe(true);
      expect(answer.rows).toHaveLength(20);
      expect(answer.rows[0]!.first_name).toBe(first);
      expect(answer.total).toBeGreaterThanOrEqual(4_999);
      expect(rows).toBeLessThan(FEW_ROWS);
    },
  );

  it('with several values finds who has all of them', async () => {
    const custom = [
      { fieldId: industry, equals: 'Old' },
      { fieldId: size, min: 4_999 },
    ];
    const filter = { custom };
    const found = await listLeads({ db }, USER, { filter, order: newest, limit: 20, offset: 0 });
    expect(found).toMatchObject({ total: 2, hasNext: false });
    expect(found.rows.map((row) => row.first_name)).toEqual(['Ann5000', 'Ann4999']);
  });

  it('behind a row goes on in the index of values', async () => {
    const filter = { custom: [{ fieldId: industry, equals: 'Common' }] };
    const { answer } = await readBy(() =>
      listLeads({ db }, USER, { filter, order: newest, limit: 20, offset: 10_000 }),
    );
    expect(answer.rows[0]!.first_name).toBe('Ann30000');
  });
});

it('chooses leads for a campaign by the index of values', async () => {
  const custom = [{ fieldId: size, min: 100, max: 149 }];
  const { answer, rows } = await readBy(() => listWantedLeads(db, { userId: USER, custom }));
  expect(answer).toHaveLength(50);
  expect(rows).toBeLessThan(1_000);
});

describe('the index of values', () => {
  const differences = async () => {
    const { rows } = await sql<{ n: number }>`
      with expected as (
        select (each).* from (select custom_values_of(id, custom) as each from leads) as all_of),
      known as (select field_id, lead_id, text, number from custom_values)
      select ((select count(*) from (select * from expected except select * from known) as a)
        + (select count(*) from (select * from known except select * from expected) as b)
        + (select count(*) from known) - (select count(*) from expected))::int as n`.execute(db);
    return rows[0]!.n;
  };

  it('has what leads have, whatever becomes of them', async () => {
    expect(await differences()).toBe(0);
    const { rows } = await sql<{ id: number }>`
      select id from leads where user_id = ${USER} order by id limit 6`.execute(db);
    const [a, b, c, d, e, f] = rows.map(({ id }) => id);
    const set = (id: number, custom: object | null) =>
      db
        .updateTable('leads')
        .set({ custom: custom && JSON.stringify(custom) })
        .where('id', '=', id)
        .execute();
    await set(a!, { [industry]: 'Bakery', [size]: -1.5 });
    await set(b!, null);
    await set(c!, { [industry]: 'x'.repeat(500) });
    await set(d!, { [industry]: '𝒳'.repeat(250), [since]: '2026-01-01' });
    await db.deleteFrom('leads').where('id', 'in', [e!, f!]).execute();
    expect(await differences()).toBe(0);
    const person = { firstName: 'New', lastName: 'One', email: 'new@f.test' };
    const given = (value: number) => [{ id: size, name: 'size', value }];
    for (const value of [1, 2]) {
      await importGroups(db, {
        userId: USER,
        leadListId: null,
        source: null,
        groups: [{ company: { name: 'X' }, people: [{ ...person, custom: given(value) }] }],
      });
    }
    expect(await differences()).toBe(0);
    const { answer } = await page([
      { fieldId: size, equals: 1 },
      { fieldId: size, max: 1 },
    ]);
    expect(answer.rows.map((row) => row.first_name)).toEqual(['New']);
  });

  it('keeps a lead from having more than any request may give', async () => {
    const custom = JSON.stringify({ [industry]: 'x'.repeat(30_000) });
    const work = db.updateTable('leads').set({ custom }).where('user_id', '=', USER).execute();
    await expect(work).rejects.toMatchObject({ constraint: 'leads_custom_size' });
  });
});
