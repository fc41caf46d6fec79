/** Whole requests for leads, companies, lists and what finds them: `whole-requests.ts`. */
import type { AuditedWorld } from './audited-world.ts';
import { company, lead, list, name, run, type Requests } from './writing-subjects.ts';

export const leadProcess = async (world: AuditedWorld) => ({
  searchTerm: 'yoga mats',
  leadCount: 100,
  adReachedCountries: ['US', 'GB'],
  leadListId: await list(world),
});

const PERSON = {
  personFirstName: 'Ada',
  personLastName: 'King',
  personRole: 'Owner',
  personTimezone: 'Europe/Berlin',
  personPhone: '+49 30 901820',
  socialProfileUrl: 'https://www.linkedin.com/in/ada-king',
};

/** A field that the account has defined, once. */
const custom = async ({ call }: AuditedWorld) => {
  const field = { name: 'segment', type: 'text' };
  await call('POST', '/v1/custom-fields', field);
  return { [field.name]: 'Bakeries' };
};

/** A list with two people of whom much is known. */
const filledList = async (world: AuditedWorld) => {
  const leadListId = await list(world);
  for (const first of ['Ada', 'Eve']) {
    const [path, order] = await wholeOfPeople['leads.create']!(world);
    const [person] = (order as { people: object[] }).people;
    const phone = `+49 30 ${901_830 + (people += 1)}`;
    const profile = { social_profile_url: `https://www.linkedin.com/in/king-${people}` };
    const own = { ...person, firstName: first, phone, ...profile };
    await world.ok('POST', path, { ...(order as object), leadListId, people: [own] });
  }
  return leadListId;
};
let people = 0;

export const wholeOfPeople: Requests = {
  'leads.create': async (world) => [
    '/v1/leads',
    {
      company_name: 'North Bakery',
      leadListId: await list(world),
      source: 'trade fair',
      people: [
        {
          firstName: 'Ada',
          lastName: 'King',
          role: 'Owner',
          timezone: 'Europe/Berlin',
          email: `ada@${name()}.example`,
          phone: '+49 30 901821',
          social_profile_url: 'https://www.linkedin.com/in/ada-king-2',
          custom: await custom(world),
        },
      ],
    },
  ],
  'leads.create person': async (world) => [
    '/v1/leads',
    {
      ...PERSON,
      personEmail: `ada@${name()}.example`,
      custom: await custom(world),
      companyId: await company(world),
      source: 'trade fair',
    },
  ],
  'leads.update': async (world) => [
    `/v1/leads/${await lead(world)}`,
    {
      ...PERSON,
      personPhone: '+49 30 901822',
      socialProfileUrl: 'https://www.linkedin.com/in/ada-king-3',
      personEmail: `ada@${name()}.example`,
      companyId: await company(world),
      custom: await custom(world),
    },
  ],
  'leadImports.create': async (world) => [
    '/v1/leads/import',
    {
      csv: `Vorname;E-Mail\nAda;ada@${name()}.example\n`,
      fileName: 'fair.csv',
      source: 'trade fair',
      delimiter: 'semicolon',
      leadListId: await list(world),
      mapping: { personFirstName: 'Vorname', personEmail: 'E-Mail' },
    },
  ],
  'leadImports.create mapping': async () => ['/v1/leads/import', wholeFile()],
  'companies.update': async (world) => [
    `/v1/companies/${await company(world)}`,
    {
      name: 'North Bakery',
      website: 'https://north.example',
      phone: '+49 30 901823',
      address: 'Main Street 1',
      city: 'Berlin',
      state: 'Berlin',
      countryCode: 'DE',
      category: 'Bakery',
      leadListId: await list(world),
    },
  ],
  'leadLists.update': async (world) => [
    `/v1/lead-lists/${await list(world)}`,
    { name: 'Bakeries', description: 'From the trade fair' },
  ],
  'suppressions.create': async () => [
    '/v1/suppressions',
    { email: `ada@${name()}.example`, reason: 'unsubscribe', note: 'Told us on the phone' },
  ],
  'suppressions.create domain': async () => ['/v1/suppressions', { domain: `${name()}.example` }],
  'suppressions.create entries': async () => [
    '/v1/suppressions',
    {
      entries: [
        { email: `ada@${name()}.example`, reason: 'complaint', note: 'By letter' },
        { domain: `${name()}.example`, reason: 'manual', note: 'A competitor' },
      ],
    },
  ],
  'erasures.create': async () => ['/v1/erasures', { email: `ada@${name()}.example` }],
  'erasures.create phone': async () => ['/v1/erasures', { phone: '+49 30 901824' }],
  'erasures.create profile': async () => [
    '/v1/erasures',
    { socialProfileUrl: 'https://www.linkedin.com/in/ada-king-4' },
  ],
  'mapsRuns.importToLeadList': async (world) => [
    `${await run(world, 'completed')}/import-to-lead-list`,
    {
      leadListId: await list(world),
      requireEmail: true,
      includePhoneOnly: false,
      includeGenericEmails: true,
      minValidationScore: 70,
      maxLeadsPerCompany: 3,
      limit: 500,
      startOver: true,
    },
  ],
  'leads.export': async (world) => [`/v1/leads/export?leadListId=${await filledList(world)}`],
  'leadLists.export': async (world) => [`/v1/lead-lists/${await filledList(world)}/export`],
  'leadProcesses.create': async (world) => ['/v1/leads/process', await leadProcess(world)],
};

/** Each column by its own name. */
function wholeFile() {
  const columns = {
    personFirstName: ['First', 'Ada'],
    personLastName: ['Last', 'King'],
    personFullName: ['Name', 'Ada King'],
    personRole: ['Job', 'Owner'],
    personTimezone: ['Zone', 'Europe/Berlin'],
    personEmail: ['Mail', `ada@${name()}.example`],
    personPhone: ['Mobile', '+49 30 901825'],
    socialProfileUrl: ['LinkedIn', 'https://www.linkedin.com/in/ada-king-5'],
    companyName: ['Firm', 'North Bakery'],
    companyWebsite: ['Site', 'https://north.example'],
    companyPhone: ['Desk', '+49 30 901826'],
    companyAddress: ['Street', 'Main Street 1'],
    companyCity: ['Town', 'Berlin'],
    companyState: ['Region', 'Berlin'],
    companyCountryCode: ['Country', 'DE'],
    companyCategory: ['Branch', 'Bakery'],
  };
  const [heads, cells] = [0, 1].map((at) => Object.values(columns).map((each) => each[at]));
  const mapping = Object.entries(columns).map(([field, [head]]) => [field, head]);
  return {
    csv: `${heads!.join(',')}\n${cells!.join(',')}\n`,
    mapping: Object.fromEntries(mapping) as object,
  };
}
