/** Of many lifted suppressions a page reads those that it has: in order, or by the index of their texts. */
import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { listLiftedSuppressions } from '../../src/db/suppressions/lifted-suppressions.ts';
import type { Database } from '../../src/db/tables.ts';
import {
  CONNECTION_MS,
  createTestDatabase,
  type TestDatabase,
} from '../support/database/database.ts';
import { writeAllRanges } from '../support/database/suppression-ranges.ts';

const LIFTED = 40_000;
const FEW_ROWS = 500;

let database: TestDatabase;
/** One connection, whose counts of rows are complete when it says so. */
let db: Kysely<Database>;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { poolSize: 1, connectionTimeoutMs: CONNECTION_MS });
  for (const userId of ['many', 'few']) {
    await db
      .insertInto('users')
      .values({ user_id: userId, email: `${userId}@x.test` })
      .execute();
  }
  await sql`
    insert into lifted_suppressions (user_id, suppression_id, kind, value, reason, note, lifted_leads)
    select 'many', n, case n when 7 then 'domain' else 'email' end,
      case when n <= 1000 then 'old' else 'p' end || n || '@gone.test',
      case n when 5 then 'complaint' else 'bounce' end, '', 0
    from generate_series(1, ${LIFTED}::integer) as n`.execute(db);
  await sql`
    insert into lifted_suppressions (user_id, suppression_id, kind, value, reason, note, lifted_leads)
    select 'few', n, 'email', 'q' || n || '@elsewhere.test', 'manual', '', 0
    from generate_series(1, 30) as n`.execute(db);
  await writeAllRanges(db);
  await database.vacuum('lifted_suppressions');
}, 120_000);
afterAll(async () => {
  await db?.destroy();
  await database?.close();
});

async function readSoFar(): Promise<{ rows: number; inSequence: number; byIndex: number }> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ rows: number; inSequence: number; byIndex: number }>`
    select idx_tup_fetch::int as rows, seq_tup_read::int as "inSequence",
      (select sum(idx_tup_read)::int from pg_stat_user_indexes
        where relname = 'lifted_suppressions') as "byIndex"
    from pg_stat_user_tables where relname = 'lifted_suppressions'`.execute(db);
  return rows[0]!;
}

it.each([
  ['many', {}, 20, 10_000],
  ['many', { kind: 'email', reason: 'bounce' } as const, 20, 10_000],
  ['many', { reason: 'complaint' } as const, 1, 1],
  ['many', { kind: 'domain' } as const, 1, 1],
  ['many', { search: '31415@' }, 1, 1],
  ['many', { search: 'P31415' }, 1, 1],
  ['many', { search: 'nobody' }, 0, 0],
  ['many', { search: 'xq' }, 0, 0],
  ['few', {}, 20, 30],
  ['few', { search: 'elsewhere' }, 20, 30],
])('of %s with %j reads few rows', async (userId, filter, found, total) => {
  const before = await readSoFar();
  const page = await listLiftedSuppressions(db, userId, { filter, limit: 20, offset: 0 });
  const after = await readSoFar();
  expect(page.rows).toHaveLength(found);
  expect({ total: page.total, isCapped: page.isCapped ?? false }).toEqual({
    total,
    isCapped: total === 10_000,
  });
  expect(after.inSequence - before.inSequence).toBe(0);
  expect(after.rows - before.rows).toBeLessThan(FEW_ROWS);
  expect(after.byIndex - before.byIndex).toBeLessThan(FEW_ROWS);
});

it('has the pages of all that fit, newest first, also of a text that very many have', async () => {
  for (const filter of [{ search: 'old' }, { search: '@gone' }, { reason: 'bounce' } as const]) {
    const pattern = `%${'search' in filter ? filter.search : ''}%`;
    const { rows } = await sql<{ id: number }>`
      select id from lifted_suppressions where user_id = 'many' and value like ${pattern}
        and (${'reason' in filter} = false or reason = 'bounce') order by id desc`.execute(db);
    const ids = rows.map(({ id }) => id);
    // Behind what is counted, too.
    for (const offset of [0, 40, 1_000]) {
      const page = await listLiftedSuppressions(db, 'many', { filter, limit: 30, offset });
      expect(page.rows.map(({ id }) => id)).toEqual(ids.slice(offset, offset + 30));
      expect(page.hasNext).toBe(ids.length > offset + 30);
      // Of a search exact, or the page and 50 at least.
      const counted = Math.min(
        ids.length,
        'search' in filter && page.isCapped ? Math.max(50, offset + 30) : 10_000,
      );
      expect(page.total).toBeGreaterThanOrEqual(counted);
      expect(page.total).toBeLessThanOrEqual(Math.min(ids.length, 10_000));
    }
  }
});

it('counts what is there, whoever writes and erases at the same time', async () => {
  const reasons = ['bounce', 'manual', 'unsubscribe'];
  const many = openDatabase(database.url, { poolSize: 8, connectionTimeoutMs: CONNECTION_MS });
  const write = (n: number) =>
    many.transaction().execute(async (trx) => {
      await sql`insert into lifted_suppressions (user_id, suppression_id, kind, value, reason, note, lifted_leads)
      values ('few', ${n}, 'email', ${`r${n}@x.test`}, ${reasons[n % 3]!}, '', 0)`.execute(trx);
      if (n % 4 > 0) return;
      await sql`delete from lifted_suppressions where user_id = 'few' and value = ${`q${n}@elsewhere.test`}`.execute(
        trx,
      );
    });
  await Promise.all(Array.from({ length: 24 }, (_, n) => write(n + 1)));
  await many.destroy();
  for (const filter of [{}, { reason: 'manual' } as const, { kind: 'email' } as const]) {
    let all = db.selectFrom('lifted_suppressions').select('id').where('user_id', '=', 'few');
    if ('reason' in filter) all = all.where('reason', '=', filter.reason);
    const { length } = await all.execute();
    expect(await listLiftedSuppressions(db, 'few', { filter, limit: 1, offset: 0 })).toMatchObject({
      total: length,
    });
  }
});
