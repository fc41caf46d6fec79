/** Imports into several lists: each fills its own, and no other knows of it. Choice 53. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emailKey, phoneKey, profileKey } from '../../src/domain/leads/lead-keys.ts';
import type { LeadGroup, NewPerson } from '../../src/domain/leads/leads.ts';
import { anyRecords, truthfulRecords } from '../support/leads/lead-world.ts';
import { createPlannedAccount, type PlannedAccount } from '../support/leads/planned-account.ts';

const LISTS = [1, 2, 3] as const;

/** Imports of an account, each into a list or none. */
const imports = (records: fc.Arbitrary<LeadGroup[]>) =>
  fc.array(fc.record({ records, list: fc.constantFrom(null, ...LISTS) }), { maxLength: 4 });

const accountAfter = (calls: readonly { records: LeadGroup[]; list: number | null }[]) => {
  const account = createPlannedAccount();
  for (const { records, list } of calls) account.import(records, list);
  return account;
};

/** Companies of a list and their leads, as they are stored. */
const contentOf = ({ known }: PlannedAccount, list: number | null): string[] =>
  [
    ...known.companies.filter(({ leadListId }) => leadListId === list),
    ...known.leads
      .filter(({ company }) => company && company.leadListId === list)
      .map(({ company: _company, ...lead }) => lead),
  ].map((row) => JSON.stringify(row));

const others = (account: PlannedAccount, list: number) =>
  LISTS.filter((other) => other !== list).map((other) => contentOf(account, other));

/** Nobody without a company comes into a list. Choice 52. */
const records = anyRecords.map((all) => all.filter(({ company }) => company !== null));
const before = imports(records);
const list = fc.constantFrom(...LISTS);

describe('an import into a list', () => {
  it('fills it with everybody it names, and changes no other', () => {
    fc.assert(
      fc.property(before, records, list, (calls, records, into) => {
        const account = accountAfter(calls);
        const untouched = others(account, into);
        account.import(records, into);
        expect(others(account, into)).toEqual(untouched);
        for (const { people } of records) {
          for (const person of people) {
            const [email, profile] = [emailKey(person.email), profileKey(person.socialProfileUrl)];
            const phone = phoneKey(person.phone);
            const isThere = account.known.leads.some(
              (lead) =>
                lead.company?.leadListId === into &&
                ((email !== null && lead.emailKey === email) ||
                  (profile !== null && lead.profileKey === profile) ||
                  (phone !== null && lead.phoneKey === phone)),
            );
            expect(isThere).toBe(true);
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  it('makes no two companies of it that would be recognised as one', () => {
    fc.assert(
      fc.property(before, truthfulRecords, list, (calls, records, into) => {
        const account = accountAfter(calls.map((call) => ({ ...call, records })));
        account.import(records, into);
        const inList = account.known.companies.filter(({ leadListId }) => leadListId === into);
        const names = inList.map(({ nameKey }) => nameKey);
        expect(new Set(names).size).toBe(names.length);
        const domains = inList.flatMap(({ domainKey }) => domainKey ?? []);
        expect(new Set(domains).size).toBe(domains.length);
      }),
      { numRuns: 300 },
    );
  });

  it('adds nobody when it comes again, into whatever lists it came meanwhile', () => {
    fc.assert(
      fc.property(before, records, list, (calls, records, into) => {
        const account = accountAfter([...calls, { records, list: into }]);
        for (const { list: other } of calls) account.import(records, other);
        const again = account.import(records, into);
        expect([again.newCompanies, again.newLeads]).toEqual([[], []]);
      }),
      { numRuns: 500 },
    );
  });

  it('gives a company that comes into it the website that a neighbour has in another list', () => {
    const named = (name: string, placeId: string | null, person: Partial<NewPerson>) => ({
      company: { name, website: 'acme.de', placeId },
      people: [{ firstName: '', lastName: '', ...person }],
    });
    const [one, other] = [{ phone: '+49307654321' }, { phone: '+49301234567' }];
    const account = createPlannedAccount();
    account.import(
      [{ company: { name: 'Acme' }, people: [{ firstName: 'A', lastName: '' }] }],
      null,
    );
    account.import([named('Globex', 'place-1', one), named('Acme', 'place-2', other)], null);
    account.import([named('Globex', 'place-1', one)], 1);
    const records = [named('Acme', null, other), named('Globex', null, one)];
    account.import(records, 2);
    const again = account.import(records, 2);
    expect([again.newCompanies, again.newLeads]).toEqual([[], []]);
  });

  it('is undone for every other list when its list is deleted', () => {
    fc.assert(
      fc.property(before, records, list, (calls, records, into) => {
        const account = accountAfter(calls);
        const untouched = others(account, into);
        account.import(records, into);
        account.deleteList(into);
        expect(others(account, into)).toEqual(untouched);
        expect(contentOf(account, into)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('gives two lists the same people', () => {
    fc.assert(
      fc.property(truthfulRecords, (records) => {
        const account = createPlannedAccount();
        const [first, second] = [1, 2].map((into) => account.import(records, into));
        expect(second!.newCompanies).toHaveLength(first!.newCompanies.length);
        expect(second!.newLeads).toHaveLength(first!.newLeads.length);
      }),
      { numRuns: 300 },
    );
  });
});
