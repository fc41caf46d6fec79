/** Statements that are asked together, and a transaction's begin, which goes out with its first statement. */
import { sql, type Kysely } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { isDatabaseDown } from '../../src/domain/database-down.ts';
import { openDatabase } from '../../src/db/database.ts';
import { together } from '../../src/db/round-trips.ts';
import { samePlan } from '../../src/db/same-plan.ts';
import type { Database } from '../../src/db/tables.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { watchRoundTrips } from '../support/database/round-trips.ts';
import { untilWaiting } from '../support/database/lock-waiters.ts';

let database: TestDatabase;
/** One connection. */
let db: Kysely<Database>;
let owner: pg.Client;
let asked: string[] = [];
beforeAll(async () => {
  watchRoundTrips((statements) => void asked.push(statements.join(';\n')));
  database = await createTestDatabase();
  db = openDatabase(database.url, { poolSize: 1 });
  owner = new pg.Client({ connectionString: database.ownerUrl });
  await owner.connect();
  await sql`select 1`.execute(db);
});
afterAll(async () => {
  vi.restoreAllMocks();
  await owner?.end();
  await db?.destroy();
  await database?.close();
});
beforeEach(async () => {
  await owner.query('delete from users');
  asked = [];
});

const addUser = (userId: string) =>
  sql<{ user_id: string }>`/*add-user*/ insert into users (user_id, email)
    values (${userId}, ${userId + '@x.test'}) returning user_id`;
const lockUser = (userId: string) =>
  sql<{ email: string }>`select email from users where user_id = ${userId} for no key update`;
const countUsers = sql<{ count: number }>`/*count-users*/ select count(*)::integer from users
  where ${samePlan([1], 'bigint[]')} is not null`;
const divide = (by: number) => sql`select 1 / ${by}::integer as result`;

it('asks several in one round trip, in order, and answers the rows of each', async () => {
  const before = db
    .selectFrom('users')
    .select('email')
    .where((eb) => eb('email', '<>', ''));
  const [none, added, counted] = await together(db, [before, addUser('a'), countUsers]);
  expect(none).toEqual([]);
  expect(added).toEqual([{ user_id: 'a' }]);
  expect(counted).toEqual([{ count: 1 }]);
  expect(asked).toHaveLength(1);
});

it('begins a transaction with its first statement', async () => {
  const { rows } = await db.transaction().execute(async (trx) => {
    await addUser('a').execute(trx);
    await together(trx, [addUser('b'), addUser('c')]);
    return countUsers.execute(trx);
  });
  expect(rows).toEqual([{ count: 3 }]);
  expect(asked).toHaveLength(4);
  expect(asked.at(-1)).toBe('commit');
  const undone = db.transaction().execute(async (trx) => {
    await together(trx, [addUser('d'), addUser('e')]);
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect((await countUsers.execute(db)).rows).toEqual([{ count: 3 }]);
});

it('asks nothing for a transaction that does nothing, or fails before', async () => {
  await db.transaction().execute(async () => 1);
  const failed = db.transaction().execute(async () => {
    throw new Error('before');
  });
  await expect(failed).rejects.toThrow('before');
  expect(asked).toEqual([]);
  // What comes next is in no transaction.
  await addUser('a').execute(db);
  expect((await owner.query('select from users')).rowCount).toBe(1);
});

it('begins before a text of several statements, which goes out by itself', async () => {
  await db.transaction().execute(async (trx) => {
    await sql.raw(`insert into users (user_id, email) values ('a', 'a'); select 1`).execute(trx);
    expect((await owner.query('select from users')).rowCount).toBe(0);
  });
  expect(asked.slice(0, 1)).toEqual(['begin']);
  expect((await countUsers.execute(db)).rows).toEqual([{ count: 1 }]);
});

it('runs none after one that fails, outside of a transaction, too', async () => {
  const fails = together(db, [addUser('a'), divide(0), addUser('b'), countUsers]);
  await expect(fails).rejects.toMatchObject({ code: '22012' });
  expect((await countUsers.execute(db)).rows).toEqual([{ count: 0 }]);
  const inOne = db
    .transaction()
    .execute((trx) => together(trx, [addUser('a'), divide(0), addUser('b')]));
  await expect(inOne).rejects.toMatchObject({ code: '22012' });
  // The connection and its named statements go on.
  await db.transaction().execute((trx) => together(trx, [addUser('a'), divide(1), addUser('b')]));
  expect((await countUsers.execute(db)).rows).toEqual([{ count: 2 }]);
});

it('parses a named statement again that could not be parsed', async () => {
  const read = sql`/*read-later*/ select ${1}::integer as one from later`;
  await expect(together(db, [countUsers, read, addUser('z')])).rejects.toMatchObject({
    code: '42P01',
  });
  await expect(db.transaction().execute((trx) => read.execute(trx))).rejects.toMatchObject({
    code: '42P01',
  });
  await owner.query('create table later (); grant select on later to public');
  expect(await together(db, [read, read])).toEqual([[], []]);
});

it('refuses a value that cannot be written, and goes on', async () => {
  const circular: Record<string, unknown> = {};
  circular['self'] = circular;
  const bad = sql`select ${circular}::jsonb`;
  await expect(together(db, [addUser('a'), bad, addUser('b')])).rejects.toThrow(/circular/i);
  const begun = db.transaction().execute((trx) => bad.execute(trx));
  await expect(begun).rejects.toThrow(/circular/i);
  const named = (value: unknown) => sql`/*read-value*/ select ${value}::jsonb as value`;
  await expect(together(db, [named(circular), countUsers])).rejects.toThrow(/circular/i);
  expect(await together(db, [named({ a: 1 })])).toEqual([[{ value: { a: 1 } }]]);
  await db.transaction().execute((trx) => addUser('c').execute(trx));
  const { rows } = await owner.query<{ user_id: string }>('select user_id from users');
  expect(rows.map(({ user_id }) => user_id)).toContain('c');
  expect(rows.map(({ user_id }) => user_id)).not.toContain('b');
});

it('sees in a later one what was committed while an earlier one waited', async () => {
  await addUser('a').execute(db);
  await owner.query(`begin; select from users where user_id = 'a' for update`);
  const both = db.transaction().execute((trx) => together(trx, [lockUser('a'), countUsers]));
  await untilWaiting(database.db, 1, 'select email');
  await owner.query(`insert into users (user_id, email) values ('b', 'b')`);
  await owner.query('commit');
  expect((await both)[1]).toEqual([{ count: 2 }]);
});

it('tells that the connection was lost', async () => {
  const lost = openDatabase(database.url, { poolSize: 1 });
  try {
    const asleep = lost
      .transaction()
      .execute((trx) => together(trx, [sql`select pg_sleep(${20})`, countUsers]));
    const failure = asleep.catch((error: unknown) => error);
    await vi.waitFor(async () => {
      const { rowCount } = await owner.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where query like '%pg_sleep(%'
          and pid <> pg_backend_pid()`,
      );
      expect(rowCount).toBeGreaterThan(0);
    });
    expect(isDatabaseDown(await failure)).toBe(true);
    expect((await countUsers.execute(lost)).rows).toEqual([{ count: 0 }]);
  } finally {
    await lost.destroy();
  }
});
