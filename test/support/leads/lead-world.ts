/** Made-up people and the records that different sources would have of them, for import tests. */
import fc from 'fast-check';
import type { LeadGroup, NewPerson } from '../../../src/domain/leads/leads.ts';

/** The true data. All people of a company have different names. */
interface TruePerson {
  company: number;
  first: string;
  last: string;
  email: string;
  profile: string;
  phone: string;
}

const companies = [
  { names: ['Acme GmbH', 'ACME', 'Acme, GmbH'], websites: ['acme.de', 'https://www.acme.de/de/'] },
  { names: ['Globex Inc.', 'globex'], websites: ['http://globex.com', 'GLOBEX.com'] },
  { names: ['Initech', 'Initech LLC'], websites: ['initech.example.co.uk'] },
];

/** The number of a company's switchboard belongs to no person. */
const phoneOf = (company: number, person: number, isShared: boolean) =>
  isShared ? `+4930100${company}000` : `+493020${company}${String(person).padStart(4, '0')}`;

const truePeople = fc
  .array(fc.tuple(fc.nat(companies.length - 1), fc.boolean()), { minLength: 1, maxLength: 8 })
  .map((seeds) =>
    seeds.map(([company, isShared], i): TruePerson => ({
      company,
      first: `First${i}`,
      last: 'Müller',
      email: `p${i}@mail.example`,
      profile: `linkedin.com/in/p${i}`,
      phone: phoneOf(company, i, isShared),
    })),
  );

const writing = fc.record({
  name: fc.nat(2),
  website: fc.option(fc.nat(1), { nil: undefined, freq: 2 }),
  isLoud: fc.boolean(),
  fields: fc
    .record({ email: fc.boolean(), profile: fc.boolean(), phone: fc.boolean() })
    .filter(({ email, profile, phone }) => email || profile || phone),
});

/** Records of true people: each has part of their data, written in one form or another. */
export const truthfulRecords: fc.Arbitrary<LeadGroup[]> = truePeople.chain((people) =>
  fc
    .array(fc.tuple(fc.nat(people.length - 1), writing), { minLength: 1, maxLength: 20 })
    .map((records) => records.map(([who, how]) => recordOf(people[who]!, how))),
);

type Writing = typeof writing extends fc.Arbitrary<infer W> ? W : never;

function recordOf(person: TruePerson, { name, website, isLoud, fields }: Writing): LeadGroup {
  const { names, websites } = companies[person.company]!;
  const loud = (text: string) => (isLoud ? text.toUpperCase() : text);
  return {
    company: {
      name: names[name % names.length]!,
      website: website === undefined ? null : websites[website % websites.length]!,
    },
    people: [
      {
        firstName: loud(person.first),
        lastName: loud(person.last),
        email: fields.email ? loud(person.email) : null,
        socialProfileUrl: fields.profile
          ? isLoud
            ? `https://de.${person.profile}/?trk=a`
            : person.profile
          : null,
        phone: fields.phone
          ? isLoud
            ? person.phone.replace('+4930', '+49 (0)30 ')
            : person.phone
          : null,
      },
    ],
  };
}

const oneOf = (values: (string | null)[]) => fc.constantFrom(...values);

const anyPerson: fc.Arbitrary<NewPerson> = fc
  .record({
    firstName: fc.constantFrom('', 'Ann', 'Bob'),
    lastName: fc.constantFrom('', 'Lee'),
    email: oneOf([null, 'a@x.example', 'b@x.example', 'c@x.example']),
    socialProfileUrl: oneOf([null, 'linkedin.com/in/a', 'linkedin.com/in/b']),
    phone: oneOf([null, '+49301234567', '+49307654321']),
  })
  .filter(({ email, socialProfileUrl, phone }) => !!(email ?? socialProfileUrl ?? phone));

/** Records that contradict each other in every way. */
export const anyRecords: fc.Arbitrary<LeadGroup[]> = fc.array(
  fc.record({
    company: fc.option(
      fc.record({
        name: fc.constantFrom('Acme', 'Acme Ltd', 'Globex'),
        website: oneOf([null, 'acme.de', 'acme.com']),
        placeId: oneOf([null, 'place-1', 'place-2']),
        city: oneOf([null, 'Berlin', 'Bonn']),
      }),
      { nil: null, freq: 6 },
    ),
    people: fc.array(anyPerson, { minLength: 1, maxLength: 3 }),
  }),
  { minLength: 1, maxLength: 8 },
);
