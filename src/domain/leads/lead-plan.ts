/**
 * Plans an import: who exists, what is filled in, what is new. Pure, and the same for one call with
 * everything as for one call each: groups and people are processed in order.
 */
import {
  addCompany,
  fillCompany,
  indexCompanies,
  matchCompany,
  plannedCompany,
  type CompanyIndex,
} from './company-matching.ts';
import type { KeyedGroup, KeyedPerson } from './lead-groups.ts';
import { fillLead, keptFields, newLead } from './lead-fills.ts';
import { indexLeads, type LeadIndex } from './lead-index.ts';
import { forbiddenBy } from './lead-keys.ts';
import type { Origin, PlannedCompany, PlannedLead } from './lead-rows.ts';
import type { PersonOutcome, Provenance } from './leads.ts';
import { matchPerson } from './person-matching.ts';

/** What the account has of the companies and people of an import, the oldest first. */
export interface Known {
  companies: PlannedCompany[];
  leads: PlannedLead[];
  /** Tombstones, `kind:key`. */
  erased: ReadonlySet<string>;
}

export interface ImportPlan {
  newCompanies: PlannedCompany[];
  newLeads: PlannedLead[];
  /** Stored ones that get what they lack. */
  filledCompanies: PlannedCompany[];
  filledLeads: PlannedLead[];
  groups: PlannedGroup[];
}

export interface PlannedGroup {
  /** Null for people without a company, and where nobody of the group may be stored. */
  company: PlannedCompany | null;
  companyCreated: boolean;
  companyFound: boolean;
  people: PlannedPerson[];
}

type PlannedPerson = Pick<PersonOutcome, 'outcome' | 'kept'> & { lead: PlannedLead | null };

interface Work {
  plan: ImportPlan;
  companies: CompanyIndex;
  leads: LeadIndex;
  erased: ReadonlySet<string>;
  /** ISO 8601 UTC: when fields were filled in. */
  at: string;
}

/**
 * Changes the rows of `known`; `at` (ISO 8601 UTC) is recorded for filled-in fields. Undefined where a group
 * names a company by an unknown id.
 */
export function planImport(
  groups: readonly KeyedGroup[],
  known: Known,
  at: string,
): ImportPlan | undefined {
  const plan: ImportPlan = {
    newCompanies: [],
    newLeads: [],
    filledCompanies: [],
    filledLeads: [],
    groups: [],
  };
  const work: Work = {
    plan,
    companies: indexCompanies(known.companies),
    leads: indexLeads(known.leads),
    erased: known.erased,
    at,
  };
  for (const group of groups) {
    if (group.companyId !== null && !work.companies.byId.has(group.companyId)) return undefined;
    plan.groups.push(planGroup(work, group));
  }
  plan.filledCompanies = known.companies.filter((company) => company.fills !== null);
  plan.filledLeads = known.leads.filter((lead) => lead.fills !== null);
  return plan;
}

/** Spec: Leads, rule 3. A company without a person who may be stored is not stored, either. */
function planGroup(work: Work, group: KeyedGroup): PlannedGroup {
  const isErased = (person: KeyedPerson) =>
    work.erased.size > 0 && forbiddenBy(person).some((key) => work.erased.has(key));
  const hasLead = group.people.some((person) => !isErased(person));
  const planned = hasLead ? planCompany(work, group) : NO_COMPANY;
  const { company } = planned;
  return {
    ...planned,
    people: group.people.map((person) =>
      isErased(person)
        ? { lead: null, outcome: 'erased' as const }
        : planPerson(work, person, { company, source: group.source }),
    ),
  };
}

const NO_COMPANY = { company: null, companyCreated: false, companyFound: false };

function planCompany(work: Work, group: KeyedGroup): Omit<PlannedGroup, 'people'> {
  const { companies, plan } = work;
  const found = { companyCreated: false, companyFound: true };
  if (group.companyId !== null) {
    return { company: companies.byId.get(group.companyId)!, ...found };
  }
  const { company, leadListId, source } = group;
  if (company === null) return NO_COMPANY;
  const known = matchCompany(companies, company, leadListId);
  if (known) {
    const importId = company.provenance?.import?.importId;
    const isOwn = importId !== undefined && known.provenance.import?.importId === importId;
    const origin = originOf(work, source, company.provenance);
    fillCompany(companies, known, { company, leadListId, origin });
    return { company: known, ...found, companyFound: !isOwn };
  }
  const index = plan.newCompanies.length;
  const added = plannedCompany(company, { leadListId, source, index });
  plan.newCompanies.push(added);
  addCompany(companies, added);
  return { company: added, companyCreated: true, companyFound: false };
}

function planPerson(
  work: Work,
  person: KeyedPerson,
  { company, source }: { company: PlannedCompany | null; source: string | null },
): PlannedPerson {
  const { leads, plan } = work;
  const known = matchPerson(leads, person, company);
  if (known) {
    const origin = originOf(work, source, person.given.provenance);
    fillLead(leads, known, { person, company, origin });
    const kept = keptFields(known, person);
    return { lead: known, outcome: 'found', ...(kept.length > 0 && { kept }) };
  }
  const added = newLead(leads, person, { company, source, position: plan.newLeads.length });
  plan.newLeads.push(added);
  return { lead: added, outcome: 'created' };
}

const originOf = (
  { at }: Work,
  source: string | null,
  provenance: Provenance | undefined,
): Origin => ({ provenance, otherwise: { source: source ?? 'api', at } });
