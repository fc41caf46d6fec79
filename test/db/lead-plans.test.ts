/** What an import and an export read in a large account that the statistics of Postgres have not seen yet. */
import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { allLeads } from '../../src/db/leads/pages/lead-pages.ts';
import { importGroups } from '../../src/db/leads/lead-groups.ts';
import type { Database } from '../../src/db/tables.ts';
import {
  CONNECTION_MS,
  createTestDatabase,
  type TestDatabase,
} from '../support/database/database.ts';

const PEOPLE = 3_000;
/** So few that the account is looked up key by key, and so many that they are looked up at once. */
const AGAIN = 120;

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

/** Entries of indexes that the connection, the only one of `db`, has read so far. */
async function readBy(db: Kysely<Database>): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ read: number }>`
    select sum(idx_tup_read)::int as read from pg_stat_user_indexes
    where relname in ('leads', 'companies')`.execute(db);
  return rows[0]!.read;
}

it('is what has the keys, and not all the people of the account for each of them', async () => {
  const db = openDatabase(database.url, { poolSize: 1, connectionTimeoutMs: CONNECTION_MS });
  const people = (name: string) =>
    Array.from({ length: PEOPLE }, (_, at) => ({
      company: { name: `${name} ${at}` },
      people: [{ firstName: 'P', lastName: `No ${at}`, email: `p${at}@${name}.example` }],
    }));
  const add = async (userId: string, count: number) => {
    const groups = people(userId).slice(0, count);
    await importGroups(db, { userId, leadListId: null, source: 'test', groups });
  };
  try {
    for (const user_id of ['known', 'new']) {
      const email = `${user_id}@example.test`;
      await db.insertInto('users').values({ user_id, email, name: null }).execute();
    }
    await add('known', PEOPLE);
    await database.vacuum();
    await add('new', PEOPLE);
    const before = await readBy(db);
    await add('new', AGAIN);
    expect((await readBy(db)) - before).toBeLessThan(PEOPLE * 4);
  } finally {
    await db.destroy();
  }
});

it('an export of a search reads the texts once', async () => {
  const db = openDatabase(database.url, { poolSize: 1, connectionTimeoutMs: CONNECTION_MS });
  const add = (userId: string) =>
    sql`with account as (
        insert into users (user_id, email) values (${userId}, ${`${userId}@example.test`})),
      companies_of as (
        insert into companies (user_id, name, name_key)
        select ${userId}, 'Firm ' || n, 'firm ' || n from generate_series(1, ${PEOPLE}::integer) as n
        returning id, name)
      insert into leads (user_id, company_id, first_name, last_name, name_key, email, email_key)
      select ${userId}, id, 'Ann', 'Wolf', 'ann wolf', address, address from companies_of,
        lateral (select 'a' || id || '@' || ${userId}::text || '.example' as address) as person`.execute(
      db,
    );
  try {
    await add('seen');
    await database.vacuum();
    await add('unseen');
    const before = await readBy(db);
    const found: number[] = [];
    const wanted = {
      filter: { search: 'wolf' },
      order: { sort: 'createdAt', order: 'desc' },
    } as const;
    for await (const page of allLeads(db, 'unseen', wanted))
      found.push(...page.map(({ id }) => id));
    expect(new Set(found).size).toBe(PEOPLE);
    // Each page of a thousand looks for the text anew.
    expect((await readBy(db)) - before).toBeLessThan(PEOPLE * 30);
  } finally {
    await db.destroy();
  }
}, 120_000);
