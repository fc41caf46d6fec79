/** Planning an import: the same people in any order and any number of times are the same set. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emailKey, phoneKey, profileKey } from '../../src/domain/leads/lead-keys.ts';
import type { LeadGroup, NewPerson } from '../../src/domain/leads/leads.ts';
import { anyRecords, truthfulRecords } from '../support/leads/lead-world.ts';
import { createPlannedAccount } from '../support/leads/planned-account.ts';

const imported = (...calls: readonly LeadGroup[][]) => {
  const account = createPlannedAccount();
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
    const account = createPlannedAccount();
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
    const account = createPlannedAccount();
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

  it('keeps each address on one lead of a company, and loses no key', () => {
    fc.assert(
      fc.property(anyRecords, (records) => {
        const { leads } = imported(records).known;
        const people = records.flatMap((record) => record.people);
        const emails = leads.flatMap((lead) => lead.emailKey ?? []);
        expect([...new Set(emails)].toSorted()).toEqual(
          [...new Set(people.flatMap((person) => emailKey(person.email) ?? []))].toSorted(),
        );
        const inCompanies = leads
          .filter((lead) => lead.emailKey !== null)
          .map((lead) => `${lead.companyId} ${lead.emailKey}`);
        expect(new Set(inCompanies).size).toBe(inCompanies.length);
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
