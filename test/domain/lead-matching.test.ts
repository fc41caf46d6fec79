/** Who is the same: companies by domain and name, people by their strongest key. Spec: Leads, rule 2. */
import { describe, expect, it } from 'vitest';
import { keyGroups } from '../../src/domain/leads/lead-groups.ts';
import { planImport, type ImportPlan } from '../../src/domain/leads/lead-plan.ts';
import type { NewCompany, NewPerson } from '../../src/domain/leads/leads.ts';

const nobody = { companies: [], leads: [], erased: new Set<string>() };

function plan(
  groups: Parameters<typeof keyGroups>[0],
  leadListId: number | null = null,
): ImportPlan {
  return planImport(
    keyGroups(groups, { leadListId, source: 'test' }),
    nobody,
    '2026-01-01T00:00:00Z',
  )!;
}

/** How many companies two descriptions are. */
const companies = (...given: NewCompany[]) =>
  plan(given.map((company, i) => ({ company, people: [person(i)] }))).newCompanies;

const person = (i: number): NewPerson => ({
  firstName: `First${i}`,
  lastName: 'Lee',
  email: `p${i}@example.com`,
});

describe('a company', () => {
  it.each<[string, NewCompany, NewCompany]>([
    ['name, however it is written', { name: 'Acme, Inc.' }, { name: 'ACME' }],
    [
      'domain, whatever its name',
      { name: 'Acme', website: 'acme.com' },
      { name: 'Acme Shop', website: 'https://shop.acme.com/' },
    ],
    ['name where one has no website', { name: 'Acme', website: 'acme.com' }, { name: 'Acme' }],
    [
      'name where one has only a social page',
      { name: 'Acme', website: 'acme.com' },
      { name: 'Acme', website: 'facebook.com/acme' },
    ],
    [
      'domain at two places on the map',
      { name: 'Acme', website: 'acme.com', placeId: 'a', city: 'Berlin' },
      { name: 'Acme', website: 'acme.com', placeId: 'b', city: 'Bonn' },
    ],
    [
      'name at two places in one town',
      { name: 'Acme', placeId: 'a', city: 'Berlin' },
      { name: 'Acme', placeId: 'b', city: 'BERLIN ' },
    ],
    [
      'name and place, when the town is written otherwise',
      { name: 'Acme', placeId: 'a', city: 'Köln' },
      { name: 'Acme', placeId: 'a', city: 'Cologne' },
    ],
  ])('is the same by %s', (_by, one, other) => expect(companies(one, other)).toHaveLength(1));

  it.each<[string, NewCompany, NewCompany]>([
    ['domains', { name: 'Acme', website: 'acme.com' }, { name: 'Acme', website: 'acme.de' }],
    ['names', { name: 'Acme' }, { name: 'Acme Berlin' }],
    [
      'sites of one builder',
      { name: 'Roma', website: 'roma.jimdofree.com' },
      { name: 'Roma', website: 'roma2.jimdofree.com' },
    ],
    [
      'towns on the map',
      { name: 'Acme', placeId: 'a', city: 'Berlin' },
      { name: 'Acme', placeId: 'b', city: 'Bonn' },
    ],
    [
      'streets on the map',
      { name: 'Acme', placeId: 'a', address: 'Main St 1' },
      { name: 'Acme', placeId: 'b', address: 'Main St 2' },
    ],
  ])('is another with other %s', (_by, one, other) =>
    expect(companies(one, other)).toHaveLength(2),
  );

  it('is not the same by a page that many share', () => {
    expect(
      companies({ name: 'A', website: 'facebook.com/a' }, { name: 'B', website: 'facebook.com/b' }),
    ).toHaveLength(2);
  });

  it('gets what it lacks, and no half of another address', () => {
    const [acme] = companies(
      { name: 'Acme', city: 'Berlin', countryCode: 'DE' },
      { name: 'Acme', city: 'Bonn', address: 'Other St 2', phone: '+49301' },
      { name: 'Acme', city: 'berlin', address: 'Main St 1', website: 'acme.com' },
    );
    expect(acme).toMatchObject({
      city: 'Berlin',
      address: 'Main St 1',
      phone: '+49301',
      domain: 'acme.com',
    });
  });

  describe('of a list', () => {
    /** One company of three, by what its website is. */
    const known = (lists: (number | null)[], websites: (string | null)[] = []) => ({
      companies: lists.map((leadListId, i) => ({
        ...companies({ name: 'Acme', website: websites[i] ?? null })[0]!,
        id: i + 1,
        index: -1,
        leadListId,
      })),
      leads: [],
      erased: new Set<string>(),
    });
    const chosen = (
      account: ReturnType<typeof known>,
      leadListId: number | null,
      company: NewCompany = { name: 'Acme' },
    ) => {
      const groups = keyGroups([{ company, people: [person(1)] }], { leadListId, source: null });
      return planImport(groups, structuredClone(account), '2026-01-01T00:00:00Z')!.groups[0]!
        .company!;
    };

    it('is looked for in the list, then among those without a list, which are assigned', () => {
      const account = known([null, 7, 8]);
      expect(chosen(account, 7)).toMatchObject({ id: 2, leadListId: 7 });
      expect(chosen(account, 9)).toMatchObject({ id: 1, leadListId: 9 });
    });

    it('is a new one where the others belong to other lists', () => {
      expect(chosen(known([7, 8]), 9)).toMatchObject({ id: null, leadListId: 9 });
    });

    it('is looked for among all without a list, first among those in none', () => {
      expect(chosen(known([7, null]), null)).toMatchObject({ id: 2, leadListId: null });
      expect(chosen(known([7, 8]), null)).toMatchObject({ id: 1, leadListId: 7 });
    });

    it('is a new one where one without a list would be the twin of one that the list has', () => {
      const account = known([null, 7], ['acme.com', 'acme.com']);
      account.companies[1]!.nameKey = 'acme group';
      expect(chosen(account, 7)).toMatchObject({ id: null, leadListId: 7, domain: null });
    });
  });
});

const ann = { firstName: 'Ann', lastName: 'Lee' };
const bob = { firstName: 'Bob', lastName: 'Ray' };
const nameless = { firstName: '', lastName: '' };
const [phone, phone2] = ['+4930123456', '+4930654321'];
const [page, page2] = ['linkedin.com/in/ann', 'linkedin.com/in/lee'];

/** How many leads two people of one company are. */
const leads = (...people: NewPerson[]) => plan([{ company: { name: 'Acme' }, people }]).newLeads;

describe('a person', () => {
  it.each<[string, NewPerson, NewPerson]>([
    ['e-mail, whatever the name', { ...ann, email: 'a@x.co' }, { ...bob, email: 'A@X.CO' }],
    [
      'profile',
      { ...ann, socialProfileUrl: page },
      { ...bob, socialProfileUrl: `https://de.${page}/` },
    ],
    ['phone and name', { ...ann, phone }, { ...ann, phone: '+49 30 123456' }],
    ['name in the company', { ...ann, email: 'a@x.co' }, { ...ann, socialProfileUrl: page }],
    ['phone, where one has no name', { ...ann, phone }, { ...nameless, phone }],
    [
      'phone, where the other has no name',
      { ...nameless, phone },
      { ...ann, phone, email: 'a@x.co' },
    ],
  ])('is the same by %s', (_by, one, other) => expect(leads(one, other)).toHaveLength(1));

  it.each<[string, NewPerson, NewPerson]>([
    [
      'e-mails, though the profile is one',
      { ...ann, email: 'a@x.co', socialProfileUrl: page },
      { ...ann, email: 'b@x.co', socialProfileUrl: page },
    ],
    [
      'e-mails, though name and phone are one',
      { ...ann, email: 'a@x.co', phone },
      { ...ann, email: 'b@x.co', phone },
    ],
    [
      'profiles, though name and phone are one',
      { ...ann, socialProfileUrl: page, phone },
      { ...ann, socialProfileUrl: page2, phone },
    ],
    ['names at one switchboard', { ...ann, phone }, { ...bob, phone }],
    ['phones, though the name is one', { ...ann, phone }, { ...ann, phone: phone2 }],
    ['names', { ...ann, email: 'a@x.co' }, { ...bob, phone }],
    [
      'addresses without a name',
      { ...nameless, email: 'info@x.co' },
      { ...nameless, email: 'sales@x.co' },
    ],
  ])('is another with other %s', (_by, one, other) => expect(leads(one, other)).toHaveLength(2));

  it('is another with the same name in another company', () => {
    const groups = ['Acme', 'Globex'].map((name, i) => ({
      company: { name },
      people: [i === 0 ? { ...ann, email: 'a@x.co' } : { ...ann, socialProfileUrl: page }],
    }));
    expect(plan(groups).newLeads).toHaveLength(2);
  });

  it.each<[string, NewPerson]>([
    ['e-mail', { ...ann, email: 'a@x.co' }],
    ['profile', { ...ann, socialProfileUrl: page }],
    ['phone and name', { ...ann, phone }],
  ])('is a lead of each company that it is given under: by %s', (_by, one) => {
    const groups = ['Acme', 'Globex', 'Acme'].map((name) => ({
      company: { name },
      people: [one],
    }));
    const { newLeads, groups: planned } = plan(groups);
    expect(newLeads.map((lead) => lead.company!.name)).toEqual(['Acme', 'Globex']);
    expect(planned.map(({ people }) => people[0]!.outcome)).toEqual([
      'created',
      'created',
      'found',
    ]);
  });

  it('is in another company what is known of the address, and keeps the name it is given', () => {
    const at = '2026-01-02T00:00:00.000Z';
    const email = 'a@x.co';
    const source = { source: 'hunter', at };
    const groups = [
      {
        company: { name: 'Acme' },
        people: [
          {
            ...ann,
            email,
            validation: { score: 95, status: 'valid', at },
            provenance: { fields: { personEmail: source }, import: { runId: 3 } },
          },
        ],
      },
      { company: { name: 'Globex' }, people: [{ ...bob, email, role: 'CFO' }] },
    ];
    const [first, second] = plan(groups).newLeads;
    expect(first).toMatchObject({ ...ann, role: null });
    expect(second).toMatchObject({
      ...bob,
      role: 'CFO',
      validationScore: 95,
      emailValid: true,
      provenance: { fields: { personEmail: source }, import: { runId: 3 } },
    });
  });

  it('has one verdict in all companies: the newest', () => {
    const email = 'a@x.co';
    const checked = (score: number, day: number): NewPerson => ({
      ...ann,
      email,
      validation: { score, status: 'valid', at: `2026-01-0${day}T00:00:00.000Z` },
    });
    const groups = [checked(95, 2), { ...ann, email }, checked(80, 3), checked(10, 1)].map(
      (one, i) => ({ company: { name: `Company ${i}` }, people: [one] }),
    );
    expect(plan(groups).newLeads.map((lead) => lead.validationScore)).toEqual([80, 80, 80, 80]);
  });

  it.each(['bounced', 'unsubscribed'] as const)('stays %s in another company', (status) => {
    const [stored] = leads({ ...ann, email: 'a@x.co' });
    const known = {
      ...nobody,
      leads: [{ ...stored!, id: 1, companyId: 5, company: null, index: -1, status }],
    };
    const groups = keyGroups(
      [
        { company: { name: 'Globex' }, people: [{ ...ann, email: 'a@x.co' }] },
        { company: { name: 'Initech' }, people: [{ ...ann, phone }] },
      ],
      { leadListId: null, source: null },
    );
    const { newLeads } = planImport(groups, known, '2026-01-01T00:00:00Z')!;
    expect(newLeads.map((lead) => lead.status)).toEqual([status, null]);
  });

  it('tells what it keeps where it is given something else', () => {
    const email = 'a@x.co';
    const { groups } = plan([
      {
        company: { name: 'Acme' },
        people: [
          { ...ann, email, role: 'CEO', phone, socialProfileUrl: page },
          { ...bob, email, role: 'CTO', phone: phone2, socialProfileUrl: page2 },
          { ...ann, email: 'A@X.CO', role: ' ceo', phone: '+49 30 123456' },
          { ...nameless, email },
        ],
      },
    ]);
    expect(groups[0]!.people.map(({ kept }) => kept)).toEqual([
      undefined,
      ['personFirstName', 'personLastName', 'personRole', 'personPhone', 'socialProfileUrl'],
      undefined,
      undefined,
    ]);
  });

  it('without a company joins the one it comes with later', () => {
    const { newLeads } = plan([
      { company: null, people: [{ ...ann, email: 'a@x.co' }] },
      { company: { name: 'Acme' }, people: [{ ...ann, email: 'a@x.co' }] },
    ]);
    expect(newLeads.map((lead) => lead.company?.name)).toEqual(['Acme']);
  });

  it.each([
    ['first without a company', [null, 'Acme']],
    ['first in the company', ['Acme', null]],
  ])('is one lead by the profile, whichever has the address: %s', (_order, companies) => {
    const withAddress = { ...ann, email: 'a@x.co', socialProfileUrl: page };
    const { newLeads } = plan(
      companies.map((name) => ({
        company: name === null ? null : { name },
        people: [name === null ? withAddress : { ...ann, socialProfileUrl: page }],
      })),
    );
    expect(newLeads).toMatchObject([{ email: 'a@x.co', company: { name: 'Acme' } }]);
  });

  it('is the lead of the company that has the address of one without a company', () => {
    const email = 'a@x.co';
    const { newLeads, groups } = plan([
      { company: null, people: [{ ...bob, email, socialProfileUrl: page }] },
      { company: { name: 'Acme' }, people: [{ ...ann, email: 'other@x.co' }] },
      { company: { name: 'Acme' }, people: [{ ...nameless, socialProfileUrl: page }] },
    ]);
    expect(newLeads).toHaveLength(2);
    expect(groups[2]!.people[0]!.lead).toBe(newLeads[0]);
  });

  it('without a company stays so where another company has their address', () => {
    const email = 'a@x.co';
    const records = [
      { company: null, people: [{ ...nameless, email, socialProfileUrl: page }] },
      { company: { name: 'Acme' }, people: [{ ...ann, phone }] },
      { company: { name: 'Acme' }, people: [{ ...ann, email }] },
      { company: { name: 'Globex' }, people: [{ ...nameless, email }] },
      { company: { name: 'Acme' }, people: [{ ...nameless, socialProfileUrl: page }] },
    ];
    const { newLeads, groups } = plan(records);
    expect(newLeads.map((lead) => lead.company?.name)).toEqual([undefined, 'Acme', 'Globex']);
    expect(groups[4]!.people[0]!.lead).toBe(newLeads[1]);
  });

  it('without a company is looked for among all, first among those who have none', () => {
    const email = 'a@x.co';
    const { newLeads, groups } = plan([
      { company: { name: 'Acme' }, people: [{ ...ann, email }] },
      { company: null, people: [{ ...ann, email, role: 'CEO' }] },
    ]);
    expect(newLeads).toMatchObject([{ role: 'CEO' }]);
    expect(groups[1]!.people[0]).toMatchObject({ outcome: 'found' });
  });

  it('gets what it lacks, and keeps what it has', () => {
    const [lead] = leads(
      { ...ann, email: 'a@x.co', role: 'CEO' },
      { ...ann, email: 'a@x.co', role: 'CTO', phone, socialProfileUrl: page },
    );
    expect(lead).toMatchObject({ role: 'CEO', phone, socialProfileUrl: page });
  });

  it('gets a name as a whole, never half of one', () => {
    const email = 'a@x.co';
    expect(leads({ ...nameless, email }, { ...ann, email })).toMatchObject([ann]);
    expect(leads({ firstName: 'Ann', lastName: '', email }, { ...bob, email })).toMatchObject([
      { firstName: 'Ann', lastName: '' },
    ]);
  });

  it('is read with the country of the company', () => {
    const groups = [phone, '030 123456'].map((number) => ({
      company: { name: 'Acme', countryCode: 'DE' },
      people: [{ ...ann, phone: number }],
    }));
    expect(plan(groups).newLeads).toHaveLength(1);
  });
});
