/** What was written last does not make searches slow: an index of texts keeps only a short list of it beside. */
import { sql, type RawBuilder } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';

/** Their keys are some megabytes, just less than Postgres would keep beside. */
const ROWS = 8_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  await db.insertInto('users').values({ user_id: 'ann', email: 'ann@example.test' }).execute();
  const many = sql`generate_series(1, ${ROWS}::integer) as n`;
  await sql`insert into suppressions (user_id, kind, value, reason)
    select 'ann', 'email', 'gone' || n || '@firm' || n % 100 || '.test', 'bounce' from ${many}`.execute(
    db,
  );
  await sql`insert into lifted_suppressions (user_id, suppression_id, kind, value, reason, note, lifted_leads)
    select 'ann', n, 'email', 'gone' || n || '@firm' || n % 100 || '.test', 'bounce', '', 0
    from ${many}`.execute(db);
  await sql`insert into leads (user_id, first_name, last_name, name_key, email, email_key)
    select 'ann', 'Ann' || n, 'Lee', 'ann', n || '@firm.test', n || '@firm.test' from ${many}`.execute(
    db,
  );
  await sql`insert into companies (user_id, name, name_key, domain)
    select 'ann', 'Firm ' || n || ' Ltd', 'firm', 'firm' || n || '.test' from ${many}`.execute(db);
});
afterAll(() => database?.close());

interface Plan {
  'Node Type': string;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
}

const pagesOfIndex = (plan: Plan): number =>
  plan['Node Type'] === 'Bitmap Index Scan'
    ? plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
    : (plan.Plans ?? []).reduce((sum, part) => sum + pagesOfIndex(part), 0);

it.each<[string, RawBuilder<unknown>, number]>([
  ['suppressions', sql`value`, 40],
  ['lifted_suppressions', sql`value`, 40],
  ['leads', sql`(first_name || ' ' || last_name || chr(10) || coalesce(email, ''))`, 160],
  ['companies', sql`(name || chr(10) || coalesce(domain, ''))`, 160],
])('a text that nobody of the %s has is found missing in few pages', async (table, text, pages) => {
  const plan = await database.db.transaction().execute(async (trx) => {
    await sql`set local enable_seqscan = off`.execute(trx);
    const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: Plan }] }>`
      explain (analyze, buffers, format json)
      select id from ${sql.table(table)} where ${text} ilike '%wxyzzy%'`.execute(trx);
    return rows[0]!['QUERY PLAN'][0].Plan;
  });
  expect(pagesOfIndex(plan)).toBeGreaterThan(0);
  console.log(table, pagesOfIndex(plan));
  console.log(table, pagesOfIndex(plan));
  console.log(table, pagesOfIndex(plan));
  expect(pagesOfIndex(plan)).toBeLessThan(pages);
});
