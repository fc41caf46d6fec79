/** Two lists, two companies, one person, in each order and at the same time. Spec: Leads; choice 53. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  startCampaignUsers,
  type CampaignUser,
  type CampaignUsers,
} from '../support/campaigns/campaign-users.ts';
import { runLeadImport } from '../support/leads/lead-imports.ts';

let users: CampaignUsers;
let user: CampaignUser;
let [spring, autumn]: number[] = [];

beforeAll(async () => void (users = await startCampaignUsers()));
afterAll(() => users?.close());
beforeEach(async () => {
  user = await users.newUser();
  [spring, autumn] = [await newList('Spring'), await newList('Autumn')];
});

const newList = async (name: string): Promise<number> =>
  (await user.ok('POST', '/v1/lead-lists', { name })).id;

const ann = { firstName: 'Ann', lastName: 'Lee' };
const WAYS: [string, object][] = [
  ['e-mail', { ...ann, email: 'ann@x.example' }],
  ['profile URL', { ...ann, social_profile_url: 'https://www.linkedin.com/in/ann-lee' }],
  ['phone and name', { ...ann, phone: '+4930123456' }],
  // What else is given says nothing about who they are.
  ['name alone', { ...ann, social_profile_url: 'https://www.linkedin.com/company/acme' }],
];

const add = (company: string, leadListId: number | undefined, person: object) =>
  user.ok('POST', '/v1/leads', { company_name: company, leadListId, people: [person] });

/** `Company: names of its leads` of a list. */
async function contentOf(list: number): Promise<string[]> {
  const companies = await user.ok('GET', `/v1/lead-lists/${list}/companies`);
  const leads = await user.ok('GET', `/v1/lead-lists/${list}/leads`);
  return companies
    .map(({ id, name }: { id: number; name: string }) => {
      const theirs = leads.filter(({ companyId }: { companyId: number }) => companyId === id);
      const names = theirs.map((lead: { personFirstName: string }) => lead.personFirstName);
      return `${name}: ${names.toSorted().join(', ')}`;
    })
    .toSorted();
}

describe.each(WAYS)('one person by %s', (_way, person) => {
  it.each([
    ['the same company in two lists', 'Acme', 'Acme'],
    ['two companies in two lists', 'Acme', 'Globex'],
  ])('is a lead of each: %s', async (_what, one, other) => {
    const first = await add(one, spring, person);
    const second = await add(other, autumn, person);
    expect([first.lead_list_id, second.lead_list_id]).toEqual([spring, autumn]);
    expect(second.leads[0].id).not.toBe(first.leads[0].id);
    expect(second).toMatchObject({ importedLeads: 1, importedCompanies: 1, foundLeads: 0 });
    expect(await contentOf(spring!)).toEqual([`${one}: Ann`]);
    expect(await contentOf(autumn!)).toEqual([`${other}: Ann`]);
    for (const [company, list, lead] of [
      [one, spring, first],
      [other, autumn, second],
    ] as const) {
      expect(await add(company, list, person)).toMatchObject({
        leads: [{ id: lead.leads[0].id }],
        importedLeads: 0,
        importedCompanies: 0,
        foundLeads: 1,
        foundCompanies: 1,
      });
    }
  });

  it('is a lead of two companies of one list', async () => {
    await add('Acme', spring, person);
    await add('Globex', spring, person);
    expect(await contentOf(spring!)).toEqual(['Acme: Ann', 'Globex: Ann']);
  });

  it('is found, at the same time from many requests, once in each', async () => {
    const wanted = Array.from({ length: 12 }, (_, i) => ({
      company: i % 4 < 2 ? 'Acme' : 'Globex',
      list: i % 2 === 0 ? spring : autumn,
    }));
    await Promise.all(wanted.map(({ company, list }) => add(company, list, person)));
    for (const list of [spring!, autumn!]) {
      expect(await contentOf(list)).toEqual(['Acme: Ann', 'Globex: Ann']);
    }
  });

  it('is put under the company that is named by its id, in the single-person shape', async () => {
    const first = await add('Acme', spring, person);
    const other = await add('Globex', autumn, {
      firstName: 'Bob',
      lastName: 'Ray',
      email: 'bob@x.example',
    });
    const { email, phone, social_profile_url } = person as Record<string, string>;
    const single = {
      personFirstName: 'Ann',
      personLastName: 'Lee',
      personEmail: email,
      personPhone: phone,
      socialProfileUrl: social_profile_url,
      companyId: other.company_id,
    };
    const added = await user.ok('POST', '/v1/leads', single);
    expect(added).toMatchObject({ company_id: other.company_id, lead_list_id: autumn });
    const ids = added.leads.map(({ id }: { id: number }) => id);
    expect(ids).not.toContain(first.leads[0].id);
    const under = await user.ok('GET', `/v1/leads?companyId=${other.company_id}`);
    expect(under.map(({ id }: { id: number }) => id)).toEqual(expect.arrayContaining(ids));
  });
});

describe('a company without a list', () => {
  const person = { ...ann, email: 'ann@x.example' };

  it('is assigned to the first list that names it, and stays there', async () => {
    const free = await add('Acme', undefined, person);
    expect(free.lead_list_id).toBeNull();
    const first = await add('Acme', spring, person);
    expect(first).toMatchObject({ company_id: free.company_id, foundCompanies: 1, foundLeads: 1 });
    const second = await add('Acme', autumn, person);
    expect(second.company_id).not.toBe(free.company_id);
    expect(await contentOf(spring!)).toEqual(['Acme: Ann']);
    expect(await contentOf(autumn!)).toEqual(['Acme: Ann']);
  });

  it('is preferred where no list is named, and one of any list is found else', async () => {
    const listed = await add('Acme', spring, person);
    expect((await add('Acme', undefined, person)).company_id).toBe(listed.company_id);
    const free = await add('Globex', undefined, person);
    await user.ok('PATCH', `/v1/companies/${free.company_id}`, { name: 'Acme' });
    expect((await add('Acme', undefined, person)).company_id).toBe(free.company_id);
  });
});

describe('imports at the same time that claim what is in no list or company yet', () => {
  it('leave each list with what it was answered: a company by its name and by its website', async () => {
    for (let round = 0; round < 10; round += 1) {
      const free = `Alpha ${round}`;
      const website = `https://alpha-${round}.example`;
      const file = (company: string) =>
        `email,company,website\np@${round}.example,${company},${website}\n`;
      const { id } = await user.ok('POST', '/v1/leads/import', { csv: file(free) });
      await runLeadImport(users.database, id);
      const other = await user.ok('POST', '/v1/leads/import', {
        csv: file(`Beta ${round}`),
        leadListId: autumn,
      });
      const [added] = await Promise.all([
        add(free, spring, { ...ann, email: `ann@${round}.example` }),
        runLeadImport(users.database, other.id),
      ]);
      expect(added.lead_list_id).toBe(spring);
      const companies = await user.ok('GET', `/v1/lead-lists/${spring}/companies`);
      const company = companies.find((one: { id: number }) => one.id === added.company_id);
      expect(company).toMatchObject({ leadListId: spring });
      const inAutumn = await user.ok('GET', `/v1/lead-lists/${autumn}/leads`);
      expect(inAutumn).toHaveLength(round + 1);
    }
  });

  it('leave each company with its lead: a person by their phone and by their profile', async () => {
    for (let round = 0; round < 10; round += 1) {
      const phone = `+49301230${round}00`;
      const profile = `https://www.linkedin.com/in/ann-${round}`;
      await user.ok('POST', '/v1/leads', {
        personFirstName: 'Ann',
        personLastName: 'Lee',
        personPhone: phone,
        socialProfileUrl: profile,
      });
      const both = await Promise.all([
        add(`Alpha ${round}`, spring, { ...ann, phone }),
        add(`Beta ${round}`, autumn, {
          firstName: 'A',
          lastName: 'L',
          social_profile_url: profile,
        }),
      ]);
      for (const { company_id: id, leads } of both) {
        const under = await user.ok('GET', `/v1/leads?companyId=${id}`);
        expect(under.map((lead: { id: number }) => lead.id)).toEqual([leads[0].id]);
      }
    }
  });
});

describe('a list that is deleted', () => {
  it('takes its own companies and leads along, and leaves the other as it was', async () => {
    const person = { ...ann, email: 'ann@x.example' };
    await add('Acme', spring, person);
    const before = await user.ok('GET', `/v1/lead-lists/${spring}/leads`);
    await add('Acme', autumn, { ...person, role: 'CEO', phone: '+4930123456' });
    expect(await user.ok('DELETE', `/v1/lead-lists/${autumn}`)).toMatchObject({
      deleted_companies: 1,
      deleted_leads: 1,
    });
    expect(await user.ok('GET', `/v1/lead-lists/${spring}/leads`)).toEqual(before);
  });
});

describe('companies that are moved or renamed', () => {
  const person = { ...ann, email: 'ann@x.example' };

  it('make no twin in a list: they stay, and the answer tells which one is there', async () => {
    const one = await add('Acme', spring, person);
    const other = await add('Acme', autumn, { ...person, email: 'bob@x.example' });
    const moved = await user.ok('POST', '/v1/leads/move', {
      ids: [other.leads[0].id],
      leadListId: spring,
    });
    const known = { companyId: other.company_id, existingCompanyId: one.company_id };
    expect(moved).toMatchObject({ movedCompanies: 0, movedLeads: 0, knownCompanies: [known] });
    for (const change of [{ leadListId: spring }, { leadListId: spring, name: 'ACME' }]) {
      const { status, body } = await user.call(
        'PATCH',
        `/v1/companies/${other.company_id}`,
        change,
      );
      expect([status, body.code, body.details]).toEqual([400, 'COMPANY_EXISTS', [known]]);
    }
    const renamed = await add('Globex', spring, person);
    const { body } = await user.call('PATCH', `/v1/companies/${renamed.company_id}`, {
      name: 'Acme',
    });
    expect(body.code).toBe('COMPANY_EXISTS');
    await user.ok('PATCH', `/v1/companies/${renamed.company_id}`, { name: 'Initech' });
  });

  it('take no lead to a company where the person is one by another key', async () => {
    const page = { social_profile_url: 'https://www.linkedin.com/in/ann-lee' };
    const one = await add('Acme', spring, { ...ann, ...page });
    const other = await add('Globex', autumn, { ...ann, ...page });
    const path = `/v1/leads/${other.leads[0].id}`;
    const { body } = await user.call('PATCH', path, { companyId: one.company_id });
    expect(body.code).toBe('LEAD_EXISTS');
  });

  it('take no lead to a company that has its address: 400 LEAD_EXISTS', async () => {
    const one = await add('Acme', spring, person);
    const other = await add('Globex', autumn, person);
    const path = `/v1/leads/${other.leads[0].id}`;
    const { status, body } = await user.call('PATCH', path, { companyId: one.company_id });
    expect([status, body.code]).toEqual([400, 'LEAD_EXISTS']);
    const free = await add('Initech', autumn, { ...ann, email: 'free@x.example' });
    await user.ok('PATCH', path, { companyId: free.company_id });
  });
});

describe('a file', () => {
  const FILE =
    'email,first name,last name,company\n' +
    'ann@x.example,Ann,Lee,Acme\nbob@x.example,Bob,Ray,Acme\nann@x.example,Ann,Lee,Globex\n' +
    'ANN@x.example,Ann,Lee,Acme\nbroken,Eve,Wu,Acme\n';

  async function load(list: number) {
    const { id } = await user.ok('POST', '/v1/leads/import', { csv: FILE, leadListId: list });
    await runLeadImport(users.database, id);
    return user.ok('GET', `/v1/leads/import/${id}`);
  }

  const explained = (done: Record<string, number>) =>
    done['importedLeads']! + done['foundLeads']! + done['skippedItems']!;

  it('fills each list that it is imported into, and changes nothing when it comes again', async () => {
    for (const list of [spring!, autumn!]) {
      const done = await load(list);
      expect(done).toMatchObject({
        importedLeads: 3,
        foundLeads: 1,
        skippedItems: 1,
        failedRows: 1,
        importedCompanies: 2,
        foundCompanies: 0,
      });
      expect(explained(done)).toBe(done.totalRows);
    }
    const before = await user.ok('GET', '/v1/leads');
    for (const list of [spring!, autumn!]) {
      expect(await contentOf(list)).toEqual(['Acme: Ann, Bob', 'Globex: Ann']);
      const again = await load(list);
      expect(again).toMatchObject({
        importedLeads: 0,
        foundLeads: 4,
        importedCompanies: 0,
        foundCompanies: 2,
      });
      expect(explained(again)).toBe(again.totalRows);
    }
    expect(await user.ok('GET', '/v1/leads')).toEqual(before);
  });

  it('does the same at the same time', async () => {
    const done = await Promise.all([spring!, spring!, autumn!, autumn!].map(load));
    const sum = (field: string) => done.reduce((total, one) => total + one[field], 0);
    expect([sum('importedLeads'), sum('importedCompanies')]).toEqual([6, 4]);
    expect([sum('foundLeads'), sum('foundCompanies')]).toEqual([10, 4]);
    for (const list of [spring!, autumn!]) {
      expect(await contentOf(list)).toEqual(['Acme: Ann, Bob', 'Globex: Ann']);
    }
  });
});
