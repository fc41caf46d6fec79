/** Planning an import: the same people in any order and any number of times are the same set. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyGroups } from '../../src/domain/lead-groups.ts';
import { emailKey, phoneKey, profileKey } from '../../src/domain/lead-keys.ts';
import { planImport, type Known } from '../../src/domain/lead-plan.ts';
import type { LeadGroup, NewPerson } from '../../src/domain/leads.ts';
import { anyRecords, truthfulRecords } from '../support/lead-world.ts';

const options = { leadListId: 1, source: 'test' };
const at = '2026-01-01T00:00:00.000Z';

/** An account in memory: what a plan says is done to it. */
function createAccount() {
  const known: Known = { companies: [], leads: [], erased: new Set() };
  return {
    known,
    import(groups: readonly LeadGroup[]) {
      const plan = planImport(keyGroups(groups, options), known, at)!;
      for (const company of plan.newCompanies) {
        known.companies.push(Object.assign(company, { id: known.companies.length + 1, index: -1 }));
      }
      for (const lead of plan.newLeads) {
        known.leads.push(Object.assign(lead, { id: known.leads.length + 1, index: -1 }));
      }
      for (const lead of known.leads) lead.companyId = lead.company?.id ?? null;
      for (const row of [...known.companies, ...known.leads]) row.fills = null;
      return plan;
    },
    /** Who is there, however it is written and whatever its ids are. */
    people: () =>
      known.leads
        .map(({ nameKey, emailKey: email, profileKey: profile, phoneKey: phone, company }) =>
          [company?.nameKey, company?.domainKey, nameKey, email, profile, phone].join(' | '),
        )
        .toSorted(),
  };
}

const imported = (...calls: readonly LeadGroup[][]) => {
  const account = createAccount();
  for (const call of calls) account.import(call);
  return account;
};

describe('an import of records that are true', () => {
  it('gives the same set in any order, in one call or in many, once or twice', () => {
    fc.assert(
      fc.property(
        truthfulRecords.chain((records) =>
          fc.record({
            records: fc.constant(records),
            shuffled: fc.shuffledSubarray(records, { minLength: records.length }),
            cut: fc.nat(records.length),
          }),
        ),
        ({ records, shuffled, cut }) => {
          const expected = imported(records).people();
          expect(imported(shuffled).people()).toEqual(expected);
          expect(imported(...records.map((record) => [record])).people()).toEqual(expected);
          expect(imported(records, shuffled).people()).toEqual(expected);
          expect(imported(shuffled.slice(cut), shuffled.slice(0, cut), records).people()).toEqual(
            expected,
          );
        },
      ),
      { numRuns: 300 },
    );
  });
});

const phone = (number: string): NewPerson => ({ firstName: '', lastName: '', phone: number });
const named = (name: string, website: string | null, placeId: string, people: NewPerson[]) => ({
  company: { name, website, placeId },
  people,
});

describe('a website that neighbours share', () => {
  it('stays with the younger one who brought it, also when the records come again', () => {
    const account = createAccount();
    const records = [
      named('Acme', null, 'place-2', [phone('+49307654321')]),
      named('Globex', 'acme.com', 'place-2', [phone('+49301234567')]),
      named('Acme', 'acme.com', 'place-1', [phone('+49307654321')]),
    ];
    account.import(records);
    const { newCompanies, newLeads } = account.import(records);
    expect([newCompanies, newLeads]).toEqual([[], []]);
    expect(account.known.companies).toMatchObject([
      { name: 'Acme', website: 'acme.com', domain: 'acme.com', domainKey: null },
      { name: 'Globex', domain: 'acme.com', domainKey: 'acme.com' },
    ]);
  });

  it('is the older one’s all the same where another website contradicts', () => {
    const account = createAccount();
    account.import([
      named('Globex', 'acme.de', 'place-2', [phone('+49301234567')]),
      named('Acme', null, 'place-1', [phone('+49307654321')]),
      named('Acme', 'acme.de', 'place-1', [phone('+49307654321')]),
      named('Acme', 'acme.com', 'place-1', [phone('+49307654321')]),
    ]);
    expect(account.known.companies.map(({ name, domain }) => [name, domain])).toEqual([
      ['Globex', 'acme.de'],
      ['Acme', 'acme.de'],
      ['Acme', 'acme.com'],
    ]);
  });
});

describe('an import of any records', () => {
  it('adds nobody when it comes again', () => {
    fc.assert(
      fc.property(anyRecords, (records) => {
        const account = imported(records);
        const before = account.known.leads.length;
        const companiesBefore = account.known.companies.length;
        const again = account.import(records);
        expect(again.newLeads).toEqual([]);
        expect(again.newCompanies).toEqual([]);
        expect(account.known.leads).toHaveLength(before);
        expect(account.known.companies).toHaveLength(companiesBefore);
      }),
      { numRuns: 500 },
    );
  });

  it('is one call as well as many', () => {
    fc.assert(
      fc.property(anyRecords, (records) => {
        const together = imported(records).people();
        expect(imported(...records.map((record) => [record])).people()).toEqual(together);
      }),
      { numRuns: 300 },
    );
  });

  it('keeps each address on one lead, and loses no key', () => {
    fc.assert(
      fc.property(anyRecords, (records) => {
        const { leads } = imported(records).known;
        const people = records.flatMap((record) => record.people);
        const emails = leads.flatMap((lead) => lead.emailKey ?? []);
        expect(emails.toSorted()).toEqual(
          [...new Set(people.flatMap((person) => emailKey(person.email) ?? []))].toSorted(),
        );
        for (const person of people) {
          const found = leads.filter(
            (lead) =>
              (person.email && lead.emailKey === emailKey(person.email)) ||
              (person.socialProfileUrl &&
                lead.profileKey === profileKey(person.socialProfileUrl)) ||
              (person.phone && lead.phoneKey === phoneKey(person.phone)),
          );
          expect(found.length).toBeGreaterThan(0);
        }
      }),
      { numRuns: 300 },
    );
  });
});
