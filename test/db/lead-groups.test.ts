/** The one way in for people: nobody twice, in whatever order and at whatever time they come. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importGroups } from '../../src/db/lead-groups.ts';
import type { LeadGroup, NewPerson } from '../../src/domain/leads.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let users = 0;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

async function newUser(): Promise<string> {
  const userId = `user-${++users}`;
  await database.db
    .insertInto('users')
    .values({ user_id: userId, email: `${userId}@example.test`, name: null })
    .execute();
  return userId;
}

const importAs = (userId: string, groups: LeadGroup[], leadListId: number | null = null) =>
  importGroups(database.db, { userId, leadListId, source: 'test', groups });

const people = (count: number): NewPerson[] =>
  Array.from({ length: count }, (_, i) => ({
    firstName: `First${i}`,
    lastName: `Last${i}`,
    email: `p${i}@example.test`,
    phone: `+49301234${String(i).padStart(4, '0')}`,
  }));

const leadsOf = (userId: string) =>
  database.db.selectFrom('leads').selectAll().where('user_id', '=', userId).orderBy('id').execute();

describe('importGroups', () => {
  it('stores new people under a new company', async () => {
    const userId = await newUser();
    const [group] = await importAs(userId, [{ company: { name: 'Acme' }, people: people(3) }]);
    expect(group).toMatchObject({ companyName: 'Acme', companyCreated: true });
    expect(group!.people.map((person) => person.outcome)).toEqual(['created', 'created', 'created']);
    expect(await leadsOf(userId)).toHaveLength(3);
  });

  it('finds them all when they come again, and fills in what is missing', async () => {
    const userId = await newUser();
    await importAs(userId, [{ company: { name: 'Acme, Inc.' }, people: people(3) }]);
    const more = people(3).map((person) => ({ ...person, role: 'CEO' }));
    const company = { name: 'ACME', website: 'https://acme.example/' };
    const [group] = await importAs(userId, [{ company, people: more }]);
    expect(group).toMatchObject({ companyName: 'Acme, Inc.', companyCreated: false });
    expect(group!.people.every((person) => person.outcome === 'found')).toBe(true);
    const leads = await leadsOf(userId);
    expect(leads.map((lead) => lead.role)).toEqual(['CEO', 'CEO', 'CEO']);
  });
});
