/** The one way in for people: what becomes of companies, people, lists and those who were erased. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importGroupRows, importGroups } from '../../src/db/leads/lead-groups.ts';
import { insertLeadList } from '../../src/db/leads/lead-lists.ts';
import { tombstoneHash } from '../../src/db/leads/lead-locks.ts';
import { tombstoneKeys } from '../../src/domain/leads/lead-keys.ts';
import type { LeadGroup, NewPerson } from '../../src/domain/leads/leads.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';

let database: TestDatabase;
let users = 0;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

async function newAccount() {
  const userId = `user-${++users}`;
  const { db } = database;
  await db
    .insertInto('users')
    .values({ user_id: userId, email: `${userId}@example.test`, name: null })
    .execute();
  const run = (groups: LeadGroup[], leadListId: number | null = null) =>
    importGroups(db, { userId, leadListId, source: 'test', groups });
  return {
    userId,
    import: run,
    /** People under one company; answers what became of them. */
    add: async (people: NewPerson[], company: LeadGroup['company'] = { name: 'Acme' }) =>
      (await run([{ company, people }]))[0]!,
    list: () => insertLeadList(db, { userId, name: 'Spring' }),
    leads: () =>
      db.selectFrom('leads').selectAll().where('user_id', '=', userId).orderBy('id').execute(),
    companies: () =>
      db.selectFrom('companies').selectAll().where('user_id', '=', userId).orderBy('id').execute(),
    suppress: (kind: 'email' | 'domain', value: string) =>
      db
        .insertInto('suppressions')
        .values({ user_id: userId, kind, value, reason: 'manual', note: null })
        .execute(),
    erase: (keys: string[]) =>
      db
        .insertInto('erasure_tombstones')
        .values(keys.map((key) => ({ user_id: userId, key_hash: tombstoneHash(userId, key) })))
        .execute(),
  };
}

const ann: NewPerson = { firstName: 'Ann', lastName: 'Lee', email: 'ann@acme.com' };
const bob: NewPerson = { firstName: 'Bob', lastName: 'Ray', phone: '+4930123456' };

describe('importGroups', () => {
  it('stores new people under a new company', async () => {
    const account = await newAccount();
    const group = await account.add([ann, bob]);
    expect(group).toMatchObject({ companyName: 'Acme', companyCreated: true, leadListId: null });
    expect(group.people.map(({ outcome }) => outcome)).toEqual(['created', 'created']);
    const leads = await account.leads();
    expect(leads.map(({ id }) => id)).toEqual(group.people.map(({ leadId }) => leadId));
    expect(leads.map(({ company_id }) => company_id)).toEqual([group.companyId, group.companyId]);
    expect(leads[0]).toMatchObject({ first_name: 'Ann', status: 'pending', source: 'test' });
  });

  it('finds them when they come again, fills in what is missing and overwrites nothing', async () => {
    const account = await newAccount();
    await account.add([ann, bob], { name: 'Acme, Inc.', city: 'Berlin' });
    const again = await account.add(
      [
        { ...ann, email: 'ANN@acme.com', role: 'CEO', phone: '+49301111111' },
        { ...bob, role: 'CTO' },
      ],
      { name: 'ACME', website: 'https://www.acme.com/', city: 'Bonn', phone: '+4930999' },
    );
    expect(again).toMatchObject({ companyName: 'Acme, Inc.', companyCreated: false });
    expect(again.people.map(({ outcome }) => outcome)).toEqual(['found', 'found']);
    expect(await account.leads()).toMatchObject([
      { email: 'ann@acme.com', role: 'CEO', phone: '+49301111111' },
      { role: 'CTO', phone: '+4930123456', email: null },
    ]);
    expect(await account.companies()).toMatchObject([
      { name: 'Acme, Inc.', domain: 'acme.com', city: 'Berlin', phone: '+4930999' },
    ]);
  });

  it('merges people who come twice in one call', async () => {
    const account = await newAccount();
    const group = await account.add([ann, { ...ann, role: 'CEO' }]);
    expect(group.people).toEqual([
      { leadId: expect.any(Number), outcome: 'created' },
      { leadId: group.people[0]!.leadId, outcome: 'found' },
    ]);
    expect(await account.leads()).toMatchObject([{ role: 'CEO' }]);
  });

  it('keeps accounts apart', async () => {
    const [mine, other] = [await newAccount(), await newAccount()];
    await mine.add([ann]);
    expect((await other.add([ann])).people[0]!.outcome).toBe('created');
  });

  it('notes where a field that was filled in comes from, and keeps the first import', async () => {
    const account = await newAccount();
    const at = '2026-01-02T03:04:05.000Z';
    await account.add([{ ...ann, provenance: { import: { runId: 1 } } }]);
    const fields = { personRole: { source: 'website', url: 'https://acme.com/team', at } };
    await account.add([
      { ...ann, role: 'CEO', phone: '+49301111111', provenance: { fields, import: { runId: 2 } } },
    ]);
    const [lead] = await account.leads();
    expect(lead!.provenance).toEqual({
      fields: {
        personRole: fields.personRole,
        personPhone: { source: 'test', at: expect.any(String) },
      },
      import: { runId: 1 },
    });
  });

  it('takes a validation result when there is none or an older one', async () => {
    const account = await newAccount();
    const result = (day: number, score: number) => ({
      ...ann,
      validation: { score, status: 'risky', at: `2026-01-0${day}T00:00:00.000Z` },
    });
    await account.add([ann]);
    await account.add([result(2, 60)]);
    expect(await account.leads()).toMatchObject([{ validation_score: 60, email_valid: false }]);
    await account.add([result(1, 10)]);
    expect(await account.leads()).toMatchObject([{ validation_score: 60 }]);
    await account.add([result(3, 95)]);
    expect(await account.leads()).toMatchObject([{ validation_score: 95, email_valid: true }]);
  });

  it('takes no result that tells nothing where it has a verdict', async () => {
    const account = await newAccount();
    const result = (day: number, status: string, reason: string) => ({
      ...ann,
      validation: {
        score: status === 'valid' ? 95 : 40,
        status,
        reason,
        at: `2026-01-0${day}T00:00:00.000Z`,
      },
    });
    await account.add([result(2, 'valid', 'mailbox_exists')]);
    await account.add([result(3, 'unknown', 'verifier_unavailable')]);
    const known = { validation_score: 95, email_valid: true };
    expect(await account.leads()).toMatchObject([known]);
    const elsewhere = { name: 'Elsewhere', website: 'elsewhere.test' };
    await account.add([result(4, 'unknown', 'dns_failure')], elsewhere);
    expect(await account.leads()).toMatchObject([known, known]);
  });

  it('answers the rows, with what was filled in', async () => {
    const account = await newAccount();
    await account.add([ann]);
    const [group] = await importGroupRows(database.db, {
      userId: account.userId,
      leadListId: null,
      source: null,
      groups: [{ company: { name: 'Acme' }, people: [{ ...ann, role: 'CEO' }, bob] }],
    });
    expect(group!.leads).toMatchObject([
      { firstName: 'Ann', role: 'CEO', source: 'test', status: 'pending' },
      { firstName: 'Bob', source: null, status: 'pending', createdAt: expect.any(String) },
    ]);
  });
});

describe('lists in importGroups', () => {
  it('puts companies that are new or in no list into the list (rule 2)', async () => {
    const account = await newAccount();
    const list = await account.list();
    await account.add([ann], { name: 'Known' });
    const groups = ['Known', 'New'].map((name) => ({ company: { name }, people: [bob] }));
    const outcome = await account.import(groups, list.id);
    expect(outcome.map(({ leadListId }) => leadListId)).toEqual([list.id, list.id]);
    expect((await account.companies()).map((one) => one.lead_list_id)).toEqual([list.id, list.id]);
  });

  it('leaves a company where it is, and makes one in the list (choice 53)', async () => {
    const account = await newAccount();
    const [first, second] = [await account.list(), await account.list()];
    const of = (list: { id: number }, person: NewPerson) =>
      account.import([{ company: { name: 'Acme' }, people: [person] }], list.id);
    const [known] = await of(first, ann);
    for (const person of [bob, ann]) {
      const [group] = await of(second, person);
      expect(group).toMatchObject({ leadListId: second.id, people: [{ outcome: 'created' }] });
      expect(group!.companyId).not.toBe(known!.companyId);
    }
    const companies = await account.companies();
    expect(companies.map((one) => one.lead_list_id)).toEqual([first.id, second.id]);
    const leads = await account.leads();
    expect(leads.map((lead) => lead.company_id)).toEqual([0, 1, 1].map((at) => companies[at]!.id));
  });

  it.each([1, 150])('makes no twin by what one without a list says: among %i', async (count) => {
    const account = await newAccount();
    const list = await account.list();
    const website = 'https://acme.com';
    const add = (company: { name: string; website?: string }, id: number | null) =>
      account.import([{ company, people: [ann] }], id);
    await add({ name: 'Acme Group', website }, list.id);
    await add({ name: 'Acme', website: 'https://acme.de' }, null);
    await account.import([{ company: { name: 'Acme Berlin', website }, people: [bob] }], null);
    await database.db
      .updateTable('companies')
      .set({ lead_list_id: null })
      .where('user_id', '=', account.userId)
      .where('name', '=', 'Acme')
      .execute();
    await database.db
      .insertInto('companies')
      .values({ user_id: account.userId, name: 'Free', name_key: 'free', domain_key: 'acme.com' })
      .execute();
    const more = Array.from({ length: count }, (_, i) => ({ ...bob, phone: `+493012${1000 + i}` }));
    const [group] = await account.import([{ company: { name: 'Free' }, people: more }], list.id);
    expect(group).toMatchObject({ companyName: 'Free', companyCreated: true });
    const inList = (await account.companies()).filter((one) => one.lead_list_id === list.id);
    expect(inList.map(({ name, domain_key }) => [name, domain_key])).toEqual([
      ['Acme Group', 'acme.com'],
      ['Free', null],
    ]);
  });

  it.each([1, 150])('404 for a list of another user, and stores none of %i', async (count) => {
    const [account, other] = [await newAccount(), await newAccount()];
    const { id } = await other.list();
    const people = Array.from({ length: count }, (_, i) => ({ ...ann, email: `p${i}@acme.com` }));
    const groups = [{ company: { name: 'Acme' }, people }];
    await expect(account.import(groups, id)).rejects.toMatchObject({ code: 'LEAD_LIST_NOT_FOUND' });
    await expect(account.import(groups, 999_999)).rejects.toMatchObject({ kind: 'not_found' });
    expect(await account.companies()).toEqual([]);
  });

  it('404 for a company of another user', async () => {
    const [account, other] = [await newAccount(), await newAccount()];
    const { companyId } = await other.add([ann]);
    const group = { company: null, companyId: companyId!, people: [ann] };
    await expect(account.import([group])).rejects.toMatchObject({ code: 'COMPANY_NOT_FOUND' });
    expect(await account.leads()).toEqual([]);
    expect(await other.import([group])).toMatchObject([{ companyId, companyName: 'Acme' }]);
  });
});

describe('people who must not be written to', () => {
  it.each([
    ['email', 'ann@acme.com'],
    ['domain', 'acme.com'],
  ] as const)('are stored as suppressed by %s', async (kind, value) => {
    const account = await newAccount();
    await account.suppress(kind, value);
    await account.add([ann, { ...bob, email: 'bob@example.com' }]);
    expect((await account.leads()).map(({ status }) => status)).toEqual(['suppressed', 'pending']);
  });

  it('are suppressed by a domain above theirs, and when an address is filled in', async () => {
    const account = await newAccount();
    await account.suppress('domain', 'acme.com');
    await account.add([bob]);
    await account.add([{ ...bob, email: 'bob@mail.acme.com' }]);
    expect(await account.leads()).toMatchObject([
      { email: 'bob@mail.acme.com', status: 'suppressed' },
    ]);
  });

  it.each([
    ['a few', 0],
    ['very many', 120],
  ])('are told as suppressed when an address is filled in, among %s people', async (_few, more) => {
    const account = await newAccount();
    await account.suppress('domain', 'acme.com');
    await account.add([bob]);
    const others = Array.from({ length: more }, (_, at) => ({
      firstName: 'Eve',
      lastName: `No ${at}`,
      email: `eve${at}@example.com`,
    }));
    const people = [{ ...bob, email: 'bob@acme.com' }, ...others];
    const [group] = await importGroupRows(database.db, {
      userId: account.userId,
      leadListId: null,
      source: 'test',
      groups: [{ company: { name: 'Acme' }, people }],
    });
    expect(group!.people[0]).toMatchObject({ outcome: 'found' });
    expect(group!.leads[0]).toMatchObject({ email: 'bob@acme.com', status: 'suppressed' });
  });
});

describe('places on the map with one website', () => {
  it.each([
    ['with two names are two companies', 'Other', 2],
    ['with one name are one', 'Acme', 1],
  ])('%s', async (_outcome, name, companies) => {
    const account = await newAccount();
    const website = 'https://mall.example';
    await account.add([ann], { name: 'Acme', website, placeId: 'p1' });
    await account.add([bob], { name, website, placeId: 'p2' });
    expect(await account.companies()).toHaveLength(companies);
  });
});

describe('people with one page', () => {
  const named = (firstName: string, socialProfileUrl: string): NewPerson => ({
    firstName,
    lastName: 'X',
    socialProfileUrl,
  });
  const outcomes = async (people: NewPerson[], times = 1) => {
    const account = await newAccount();
    let group;
    for (let i = 0; i < times; i += 1) group = await account.add(people);
    const urls = (await account.leads()).map((lead) => lead.social_profile_url);
    return { outcomes: group!.people.map(({ outcome }) => outcome), urls };
  };

  it.each([
    'https://www.linkedin.com/company/acme',
    'https://www.linkedin.com/school/mit',
    'https://www.facebook.com/acme',
    'https://acme.com/team',
  ])('are each a lead of their own: %s', async (page) => {
    const people = [named('Ann', page), named('Bob', page)];
    people.forEach((person, i) => (person.lastName = `Name${i}`));
    expect(await outcomes(people)).toEqual({
      outcomes: ['created', 'created'],
      urls: [page, page],
    });
    expect(await outcomes(people, 2)).toMatchObject({ outcomes: ['found', 'found'] });
  });

  it('are found again also without a name', async () => {
    const page = 'https://www.linkedin.com/company/acme';
    const nobody = { firstName: '', lastName: '', socialProfileUrl: page };
    expect(await outcomes([nobody], 2)).toEqual({ outcomes: ['found'], urls: [page] });
  });

  it('are one where the page is a human’s', async () => {
    const page = 'https://www.linkedin.com/in/ann';
    expect(await outcomes([named('Ann', page), named('Dr. Ann', page)])).toMatchObject({
      outcomes: ['created', 'found'],
    });
  });

  it('are not told apart by a page that is nobody’s', async () => {
    const account = await newAccount();
    const page = 'https://www.linkedin.com/company/acme';
    const group = await account.add([named('Ann', page), named('Ann', 'linkedin.com/in/ann')]);
    expect(group.people.map(({ outcome }) => outcome)).toEqual(['created', 'found']);
  });
});

describe('erased people', () => {
  const keys = {
    emailKey: 'ann@acme.com',
    profileKey: 'linkedin.com/in/ann',
    phoneKey: '4930123456',
    nameKey: 'ann lee',
  };

  it.each<[string, Partial<NewPerson>]>([
    ['address', { email: 'Ann@ACME.com' }],
    ['profile', { email: 'new@acme.com', socialProfileUrl: 'https://www.linkedin.com/in/Ann/' }],
    ['number and name', { email: 'new@acme.com', phone: '+49 30 123456' }],
    ['number alone', { firstName: '', lastName: '', phone: '+49 30 123456' }],
    ['number without the country, and name', { phone: '030 123456' }],
  ])('are not stored again by their %s, nor is their new company', async (_by, person) => {
    const account = await newAccount();
    await account.erase(tombstoneKeys(keys));
    const group = await account.add([{ firstName: 'Ann', lastName: 'Lee', ...person }]);
    expect(group).toEqual({
      companyId: null,
      companyName: null,
      leadListId: null,
      companyCreated: false,
      companyFound: false,
      people: [{ leadId: null, outcome: 'erased' }],
    });
    expect(await account.companies()).toEqual([]);
  });

  it('do not take colleagues with the same switchboard along', async () => {
    const account = await newAccount();
    await account.erase(tombstoneKeys(keys));
    const colleague = { ...bob, email: 'bob@acme.com', phone: '+4930123456' };
    const group = await account.add([ann, colleague]);
    expect(group.people.map(({ outcome }) => outcome)).toEqual(['erased', 'created']);
    expect(group.companyCreated).toBe(true);
  });

  it('fill in nothing of others, either', async () => {
    const account = await newAccount();
    await account.add([{ firstName: 'Ann', lastName: 'Lee', phone: '+4930777777' }]);
    await account.erase(['email:ann@acme.com']);
    const group = await account.add([ann]);
    expect(group.people).toEqual([{ leadId: null, outcome: 'erased' }]);
    expect(await account.leads()).toMatchObject([{ email: null }]);
  });
});
