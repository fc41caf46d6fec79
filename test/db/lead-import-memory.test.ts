/** An import in several transactions: what it remembers holds only while nobody changes it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { importKeyedGroups } from '../../src/db/leads/lead-groups.ts';
import { newImportMemory } from '../../src/db/leads/lead-import-memory.ts';
import { keyGroups } from '../../src/domain/leads/lead-groups.ts';
import type { LeadGroup } from '../../src/domain/leads/leads.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

/** 130 people, two to a company; those of the second part have a telephone number and a city. */
const part = (isSecond: boolean): LeadGroup[] =>
  Array.from({ length: 65 }, (_, c) => ({
    company: { name: `Firm ${c}`, ...(isSecond && { city: 'Berlin' }) },
    people: ['Ann', 'Bob'].map((firstName) => ({
      firstName,
      lastName: 'Lee',
      email: `${firstName}@firm${c}.example`.toLowerCase(),
      ...(isSecond && { role: 'Head of Sales' }),
    })),
  }));

async function importTwice(userId: string, isRemembered: boolean) {
  const { db } = database;
  await db.insertInto('users').values({ user_id: userId, email: 'a@example.test' }).execute();
  const memory = newImportMemory();
  const load = (isSecond: boolean) =>
    importKeyedGroups(
      db,
      userId,
      keyGroups(part(isSecond), { leadListId: null, source: 'csv' }),
      isRemembered ? { memory } : {},
    );
  await load(false);
  // Meanwhile a person moves, a company is told its town, and somebody is deleted.
  const of = (n: number) => `ann@firm${n}.example`;
  const leads = db.updateTable('leads').where('user_id', '=', userId);
  await leads
    .set({ email_key: 'x@y.example', name_key: 'x' })
    .where('email_key', '=', of(1))
    .execute();
  await leads.set({ role: 'Owner' }).where('email_key', '=', of(2)).execute();
  await db
    .deleteFrom('leads')
    .where('user_id', '=', userId)
    .where('email_key', '=', of(3))
    .execute();
  const companies = db.updateTable('companies').where('user_id', '=', userId);
  await companies.set({ city: 'Paris' }).where('name_key', '=', 'firm 4').execute();
  const outcomes = [await load(true), await load(true)].map((groups) =>
    groups.map(({ people, companyCreated }) => [companyCreated, people.map((p) => p.outcome)]),
  );
  const rows = await db
    .selectFrom('leads')
    .innerJoin('companies', 'companies.id', 'leads.company_id')
    .select(['email_key', 'leads.name_key', 'role', 'companies.name', 'city', 'email'])
    .where('leads.user_id', '=', userId)
    .orderBy('leads.id')
    .execute();
  return { outcomes, rows };
}

it('stores the same with and without a memory, whoever changes rows between two parts', async () => {
  const remembered = await importTwice('remembers', true);
  const read = await importTwice('reads', false);
  expect(remembered).toEqual(read);
  expect(read.rows).toHaveLength(131);
  expect(read.rows.filter(({ city }) => city === 'Paris')).toHaveLength(2);
});
