/** Counts of lists and accounts are exact, whoever writes what at the same moment. Choice 3. */
import { sql, type Kysely, type Transaction } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { despiteDeadlocks } from '../../src/db/deadlocks.ts';
import { importGroups } from '../../src/db/leads/lead-groups.ts';
import { deleteLeadList } from '../../src/transactions/delete-lead-list.ts';
import type { Database } from '../../src/db/tables.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { bothWays } from '../support/leads/lead-counts.ts';
import { untilWaiting } from '../support/database/lock-waiters.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());

interface Account {
  userId: string;
  lists: number[];
}

let users = 0;
async function newAccount(lists: number): Promise<Account> {
  const userId = `counted-${++users}`;
  const { db } = database;
  await db.insertInto('users').values({ user_id: userId, email: 'c@example.test' }).execute();
  const rows = Array.from({ length: lists }, (_, at) => ({ user_id: userId, name: `L${at}` }));
  const added = await db.insertInto('lead_lists').values(rows).returning('id').execute();
  return { userId, lists: added.map(({ id }) => id) };
}

const keptOf = async (userId: string) => (await bothWays(database.db, userId)).kept;
const countedOf = async (userId: string) => (await bothWays(database.db, userId)).counted;

/** The same numbers for the same seed. */
function numbers(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}

type Step = (trx: Transaction<Database>, account: Account, draw: (n: number) => number) => unknown;

const some = (table: 'leads' | 'companies', userId: string, few: number, skip: number) => sql`
  select id from ${sql.table(table)} where user_id = ${userId} order by id % 7, id
  offset ${skip} limit ${few}`;

/** What writers of all kinds do, in one statement or several. */
const STEPS: Record<string, Step> = {
  companies: (trx, { userId, lists }, draw) =>
    sql`insert into companies (user_id, lead_list_id, name, name_key)
      select ${userId}, (${[...lists, null]}::bigint[])[1 + n % ${lists.length + 1}], 'C', 'c'
      from generate_series(1, ${1 + draw(4)}::integer) as n`.execute(trx),
  leads: (trx, { userId }, draw) =>
    sql`insert into leads (user_id, company_id, name_key)
      select ${userId}, company.id, 'n' || n from generate_series(1, ${1 + draw(5)}::integer) as n
      left join (${some('companies', userId, 3, draw(9))}) as company on n > 1`.execute(trx),
  'moves of companies': (trx, { userId, lists }, draw) =>
    sql`update companies set lead_list_id = ${[...lists, null][draw(lists.length + 1)]}
      where id in (${some('companies', userId, 3, draw(9))})`.execute(trx),
  'moves of leads': (trx, { userId }, draw) =>
    sql`update leads set name_key = name_key || 'x', company_id = (
        ${some('companies', userId, 1, draw(9))})
      where email is null and id in (${some('leads', userId, 2, draw(20))})`.execute(trx),
  'deletions of leads': (trx, { userId }, draw) =>
    sql`delete from leads where id in (${some('leads', userId, 4, draw(20))})`.execute(trx),
  'deletions of companies': async (trx, { userId }, draw) => {
    const { rows } = await sql<{ id: number }>`select id from companies
      where id in (${some('companies', userId, 1, draw(9))}) for update`.execute(trx);
    for (const { id } of rows) {
      await trx.deleteFrom('leads').where('company_id', '=', id).execute();
      await trx.deleteFrom('companies').where('id', '=', id).execute();
    }
  },
  imports: (trx, { userId, lists }, draw) => {
    const leadListId = lists[draw(lists.length)]!;
    const groups = Array.from({ length: 3 }, () => ({
      company: { name: `Firm ${draw(30)}` },
      people: [{ firstName: 'P', lastName: `${draw(40)}`, email: `p${draw(40)}@x.example` }],
    }));
    return importGroups(trx, { userId, leadListId, source: 'test', groups });
  },
};

describe('counts of lists and of the account', () => {
  it.each([1, 2, 3])('are those of count(*) after each of many changes: seed %i', async (seed) => {
    const account = await newAccount(3);
    const draw = numbers(seed);
    const kinds = Object.values(STEPS);
    for (let step = 0; step < 20; step += 1) {
      const run = kinds[draw(kinds.length)]!;
      await database.db.transaction().execute(async (trx) => {
        await run(trx, account, draw);
        await kinds[draw(kinds.length)]!(trx, account, draw);
      });
      expect(await keptOf(account.userId)).toEqual(await countedOf(account.userId));
    }
    const [list] = account.lists;
    await database.db.transaction().execute((trx) => deleteLeadList(trx, account.userId, list!));
    expect(await keptOf(account.userId)).toEqual(await countedOf(account.userId));
  });

  it('stay exact while five write at once, some in vain', async () => {
    const account = await newAccount(2);
    const kinds = Object.values(STEPS);
    const writer = async (seed: number) => {
      const draw = numbers(seed);
      for (let step = 0; step < 40; step += 1) {
        const run = kinds[draw(kinds.length)]!;
        const isGivenUp = draw(5) === 0;
        await despiteDeadlocks(() =>
          database.db.transaction().execute(async (trx) => {
            await run(trx, account, draw);
            if (draw(3) === 0) await run(trx, account, draw);
            if (isGivenUp) throw new Error('given up');
          }),
        ).catch((error: unknown) => {
          // A company that got a lead meanwhile cannot go, nor can a lead join one that went.
          const isExpected = /given up|foreign key|deadlock/.test(String(error));
          if (!isExpected) throw error;
        });
      }
    };
    await Promise.all([11, 12, 13, 14, 15].map(writer));
    expect(await keptOf(account.userId)).toEqual(await countedOf(account.userId));
  });

  it('count a lead where its company is when both change at the same moment', async () => {
    const { userId, lists } = await newAccount(2);
    const { db } = database;
    const company = await db
      .insertInto('companies')
      .values({ user_id: userId, lead_list_id: lists[0]!, name: 'A', name_key: 'a' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const move = (trx: Kysely<Database>, list: number) =>
      trx
        .updateTable('companies')
        .set({ lead_list_id: list })
        .where('id', '=', company.id)
        .execute();
    const add = (trx: Kysely<Database>) =>
      trx
        .insertInto('leads')
        .values({ user_id: userId, company_id: company.id, name_key: 'n' })
        .execute();
    let moving: Promise<unknown> | undefined;
    await db.transaction().execute(async (trx) => {
      await add(trx);
      moving = move(db, lists[1]!);
      await Promise.race([moving, untilWaiting(db)]);
    });
    await moving;
    expect(await keptOf(userId)).toEqual(await countedOf(userId));
    let leaving: Promise<unknown> | undefined;
    await db.transaction().execute(async (trx) => {
      await move(trx, lists[0]!);
      leaving = db.deleteFrom('leads').where('user_id', '=', userId).execute();
      await Promise.race([leaving, untilWaiting(db)]);
    });
    await leaving;
    expect(await keptOf(userId)).toEqual(await countedOf(userId));
  });

  it('make no writer wait for another one of the same list', async () => {
    const { userId, lists } = await newAccount(1);
    const { db } = database;
    const add = (trx: Kysely<Database>) =>
      trx
        .insertInto('companies')
        .values({ user_id: userId, lead_list_id: lists[0]!, name: 'A', name_key: 'a' })
        .execute();
    await db.transaction().execute(async (first) => {
      await add(first);
      await db.transaction().execute(async (second) => {
        await sql`set local lock_timeout = '2s'`.execute(second);
        await add(second);
      });
    });
    expect(await keptOf(userId)).toEqual(await countedOf(userId));
  });
});
