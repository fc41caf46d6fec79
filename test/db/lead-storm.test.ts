/** Many imports of the same people at the same time: nobody twice, and no deadlock. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { importGroups } from '../../src/db/leads/lead-groups.ts';
import { insertLeadList } from '../../src/db/leads/lead-lists.ts';
import { deleteLeadList } from '../../src/transactions/delete-lead-list.ts';
import type { LeadGroup } from '../../src/domain/leads/leads.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { truthfulRecords } from '../support/leads/lead-world.ts';

/** Each import has a connection of its own. */
const CONNECTIONS = 8;

let database: TestDatabase;
let db: TestDatabase['db'];
let users = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  // A hundred imports wait for eight connections, on a machine that may be busy.
  db = openDatabase(database.url, { poolSize: CONNECTIONS, connectionTimeoutMs: 60_000 });
});
afterAll(async () => {
  await db.destroy();
  await database.close();
});

async function newUser(): Promise<string> {
  const userId = `storm-${++users}`;
  await db
    .insertInto('users')
    .values({ user_id: userId, email: `${userId}@example.test`, name: null })
    .execute();
  return userId;
}

/** `count` people in companies of ten, some with the switchboard only. */
const groupsOf = (count: number): LeadGroup[] =>
  Array.from({ length: Math.ceil(count / 10) }, (_, c) => ({
    company: { name: `Company ${c} GmbH`, website: `https://company-${c}.example` },
    people: Array.from({ length: Math.min(10, count - c * 10) }, (_unused, p) => ({
      firstName: `First${p}`,
      lastName: `Last${c}`,
      email: p % 3 === 0 ? null : `p${p}@company-${c}.example`,
      phone: `+49301234${String(c).padStart(3, '0')}`,
      socialProfileUrl: p % 2 === 0 ? `https://linkedin.com/in/p${p}-${c}` : null,
    })),
  }));

const shuffled = <T>(values: readonly T[]): T[] =>
  values
    .map((value) => [Math.random(), value] as const)
    .toSorted(([one], [other]) => one - other)
    .map(([, value]) => value);

async function counts(userId: string): Promise<{ leads: number; companies: number }> {
  const count = async (table: 'leads' | 'companies') => {
    const { total } = await db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    return total;
  };
  return { leads: await count('leads'), companies: await count('companies') };
}

describe('imports at the same time', () => {
  it('of the same 500 people make no twins, twenty times over', async () => {
    const groups = groupsOf(500);
    for (let round = 0; round < 20; round++) {
      const userId = await newUser();
      const input = { userId, leadListId: null, source: null };
      const outcomes = await Promise.all(
        Array.from({ length: 4 }, () => importGroups(db, { ...input, groups: shuffled(groups) })),
      );
      expect(await counts(userId)).toEqual({ leads: 500, companies: 50 });
      const created = outcomes
        .flat()
        .flatMap((group) => group.people)
        .filter((person) => person.outcome === 'created');
      expect(created).toHaveLength(500);
    }
  }, 120_000);

  it('of small groups and big ones make no twins', async () => {
    const groups = groupsOf(60);
    for (let round = 0; round < 10; round++) {
      const userId = await newUser();
      const input = { userId, leadListId: null, source: null };
      const singles = groups.flatMap((group) =>
        group.people.map((person) => ({ ...group, people: [person] })),
      );
      await Promise.all([
        importGroups(db, { ...input, groups }),
        ...shuffled(singles).map((group) => importGroups(db, { ...input, groups: [group] })),
        ...shuffled(singles).map((group) => importGroups(db, { ...input, groups: [group] })),
      ]);
      expect(await counts(userId)).toEqual({ leads: 60, companies: 6 });
    }
  }, 120_000);

  it('of records in any order give the same set as one after the other', async () => {
    await fc.assert(
      fc.asyncProperty(truthfulRecords, async (records) => {
        const [one, other] = [await newUser(), await newUser()];
        const each = (userId: string) => (group: LeadGroup) =>
          importGroups(db, { userId, leadListId: null, source: null, groups: [group] });
        await importGroups(db, { userId: one, leadListId: null, source: null, groups: records });
        await Promise.all([...records, ...shuffled(records)].map(each(other)));
        expect(await people(other)).toEqual(await people(one));
      }),
      { numRuns: 40 },
    );
  }, 120_000);

  it('and the deletion of their list end in one or the other', async () => {
    for (let round = 0; round < 10; round++) {
      const userId = await newUser();
      const { id } = await insertLeadList(db, { userId, name: 'Short-lived' });
      const groups = groupsOf(30);
      const input = { userId, leadListId: id, source: null, groups };
      await importGroups(db, { ...input, groups: groups.slice(0, 1) });
      const results = await Promise.allSettled([
        ...groups.map((group) => importGroups(db, { ...input, groups: [group] })),
        db.transaction().execute((trx) => deleteLeadList(trx, userId, id)),
        importGroups(db, input),
      ]);
      for (const result of results) {
        if (result.status === 'fulfilled') continue;
        expect(result.reason).toMatchObject({ code: 'LEAD_LIST_NOT_FOUND' });
      }
      expect(await counts(userId)).toEqual({ leads: 0, companies: 0 });
    }
  }, 120_000);
});

async function people(userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('leads')
    .leftJoin('companies', 'companies.id', 'leads.company_id')
    .select(['companies.name_key as company', 'domain_key', 'leads.name_key', 'email_key'])
    .select(['profile_key', 'phone_key'])
    .where('leads.user_id', '=', userId)
    .execute();
  return rows.map((row) => Object.values(row).join(' | ')).toSorted();
}
