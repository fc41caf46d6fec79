/** Groups of companies and people with their matching keys. */
import { notFound } from '../errors.ts';
import { companyNameKey, domainKey } from './company-keys.ts';
import {
  emailKey,
  personNameKey,
  phoneKey,
  profileKey,
  withSharedPage,
  type PersonKeys,
} from './lead-keys.ts';
import type { LeadGroup, NewCompany, NewPerson, Provenance } from './leads.ts';

export interface KeyedCompany {
  given: NewCompany;
  nameKey: string;
  domainKey: string | null;
  provenance: Provenance | undefined;
}

export interface KeyedPerson extends PersonKeys {
  given: NewPerson;
}

/** `company` and `companyId` are both null for people without a company. */
export interface KeyedGroup {
  company: KeyedCompany | null;
  companyId: number | null;
  people: KeyedPerson[];
  /** The list of a company that is new or in none. */
  leadListId: number | null;
  /** `source` of what is new. */
  source: string | null;
}

export const keyGroups = (
  groups: readonly LeadGroup[],
  { leadListId, source }: { leadListId: number | null; source: string | null },
): KeyedGroup[] =>
  groups.map(({ company, companyId, people, provenance }) => ({
    company: company && {
      given: company,
      nameKey: companyNameKey(company.name),
      domainKey: domainKey(company.website),
      provenance,
    },
    companyId: companyId ?? null,
    people: people.map((person) => keyPerson(person, company?.countryCode)),
    leadListId,
    source,
  }));

/** For groups of one request. */
export const noList = (groups: readonly KeyedGroup[]) =>
  notFound('lead list', { field: 'leadListId', ids: namedBy(groups, 'leadListId') });

export const noCompany = (groups: readonly KeyedGroup[]) =>
  notFound('company', { field: 'companyId', ids: namedBy(groups, 'companyId') });

const namedBy = (groups: readonly KeyedGroup[], field: 'leadListId' | 'companyId'): number[] => [
  ...new Set(groups.flatMap((group) => group[field] ?? [])),
];

function keyPerson(given: NewPerson, country: string | null | undefined): KeyedPerson {
  const keys = {
    emailKey: emailKey(given.email),
    profileKey: profileKey(given.socialProfileUrl),
    phoneKey: phoneKey(given.phone, country),
    nameKey: personNameKey(given.firstName, given.lastName),
  };
  return { ...withSharedPage(keys, given.socialProfileUrl), given };
}
