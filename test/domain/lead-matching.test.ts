/** Who is the same: companies by domain and name, people by their strongest key. Spec: Leads, rule 2. */
import { describe, expect, it } from 'vitest';
import { keyGroups } from '../../src/domain/lead-groups.ts';
import { planImport, type ImportPlan } from '../../src/domain/lead-plan.ts';
import type { NewCompany, NewPerson } from '../../src/domain/leads.ts';

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

  it('is preferred from the list of the import, then the oldest', () => {
    const known = {
      companies: ['acme.com', 'acme.de', 'acme.fr'].map((domain, i) => ({
        ...companies({ name: 'Acme', website: domain })[0]!,
        id: i + 1,
        index: -1,
        leadListId: i === 1 ? 7 : null,
      })),
      leads: [],
      erased: new Set<string>(),
    };
    const chosen = (leadListId: number | null) => {
      const groups = keyGroups([{ company: { name: 'Acme' }, people: [person(1)] }], {
        leadListId,
        source: null,
      });
      return planImport(groups, structuredClone(known), '2026-01-01T00:00:00Z')!.groups[0]!.company!
        .id;
    };
    expect(chosen(null)).toBe(1);
    expect(chosen(7)).toBe(2);
    expect(chosen(8)).toBe(1);
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

  it('is the same in another company by a key of his own, and stays where he was', () => {
    const groups = ['Acme', 'Globex'].map((name) => ({
      company: { name },
      people: [{ ...ann, email: 'a@x.co' }],
    }));
    const { newLeads } = plan(groups);
    expect(newLeads).toHaveLength(1);
    expect(newLeads[0]!.company!.name).toBe('Acme');
  });

  it('without a company joins the one he comes with later', () => {
    const { newLeads } = plan([
      { company: null, people: [{ ...ann, email: 'a@x.co' }] },
      { company: { name: 'Acme' }, people: [{ ...ann, email: 'a@x.co' }] },
    ]);
    expect(newLeads.map((lead) => lead.company?.name)).toEqual(['Acme']);
  });

  it('gets what he lacks, and keeps what he has', () => {
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
