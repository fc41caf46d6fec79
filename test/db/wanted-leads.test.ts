/** The leads of a list that was filled a moment ago, before Postgres has statistics of it. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listWantedLeads } from '../../src/db/campaigns/wanted-leads.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';

const LEADS = 20_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  for (const userId of ['ann', 'bob']) {
    const user = { user_id: userId, email: `${userId}@example.test` };
    await db
      .insertInto('users')
      .values(user as never)
      .execute();
  }
});
afterAll(() => database?.close());

/** Companies, each with so many leads. */
async function fill(userId: string, count: number, each = 1): Promise<number> {
  const { db } = database;
  const list = await db
    .insertInto('lead_lists')
    .values({ user_id: userId, name: 'L' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await sql`
    with filled as (
      insert into companies (user_id, lead_list_id, name, name_key)
      select ${userId}, ${list.id}, 'C' || n, 'c' || n from generate_series(1, ${count}) as n
      returning id, user_id
    )
    insert into leads (user_id, company_id, name_key, email, email_key)
    select user_id, id, 'l' || id || n, n || '@c' || id || '.example', n || '@c' || id || '.example'
    from filled, generate_series(1, ${each}) as n`.execute(db);
  return list.id;
}

it('are found within the time of a statement, each once and in their order', async () => {
  const { db } = database;
  // What Postgres knows is of before: nobody has many leads.
  await fill('bob', 30, 20);
  await database.analyze('companies', 'leads', 'lead_lists', 'lead_list_members');
  const listId = await fill('ann', LEADS);
  const found = await listWantedLeads(db, { userId: 'ann', leadListIds: [listId, listId] });
  expect(found).toHaveLength(LEADS);
  expect(found).toEqual([...new Set(found)].toSorted((a, b) => a - b));
});

it('are none of somebody else, and none of a list that is being deleted', async () => {
  const { db } = database;
  const [foreign, going] = [await fill('bob', 2), await fill('ann', 2)];
  await db
    .updateTable('lead_lists')
    .set({ deleted_at: new Date() })
    .where('id', '=', going)
    .execute();
  const wanted = { userId: 'ann', leadIds: [7], leadListIds: [foreign, going] };
  expect(await listWantedLeads(db, wanted)).toEqual([7]);
});
