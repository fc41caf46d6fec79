/**
 * Plans an import: who is known, what is filled in, what is new. Pure, and the same for one call
 * with everything as for one call each: groups and people are taken in their order.
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
import { forbiddenBy } from './lead-keys.ts';
import type { Origin, PlannedCompany, PlannedLead } from './lead-rows.ts';
import type { PersonOutcome, Provenance } from './leads.ts';
import {
  addLead,
  fillLead,
  indexLeads,
  matchPerson,
  plannedLead,
  type LeadIndex,
} from './person-matching.ts';

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
  people: { lead: PlannedLead | null; outcome: PersonOutcome['outcome'] }[];
}

interface Work {
  plan: ImportPlan;
  companies: CompanyIndex;
  leads: LeadIndex;
  erased: ReadonlySet<string>;
  /** ISO 8601 UTC: when fields were filled in. */
  at: string;
}

/** Changes the rows of `known`; `at` (ISO 8601 UTC) is noted for what is filled in. Undefined where a group names a company by an id that is unknown. */
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

/** Spec: Leads, rule 3. A company of whom nobody can be stored is not stored, either. */
function planGroup(work: Work, group: KeyedGroup): PlannedGroup {
  const isErased = (person: KeyedPerson) =>
    work.erased.size > 0 && forbiddenBy(person).some((key) => work.erased.has(key));
  const hasLead = group.people.some((person) => !isErased(person));
  const companiesBefore = work.plan.newCompanies.length;
  const company = hasLead ? planCompany(work, group) : null;
  return {
    company,
    companyCreated: work.plan.newCompanies.length > companiesBefore,
    people: group.people.map((person) =>
      isErased(person)
        ? { lead: null, outcome: 'erased' as const }
        : planPerson(work, person, { company, source: group.source }),
    ),
  };
}

function planCompany(work: Work, group: KeyedGroup): PlannedCompany | null {
  const { companies, plan } = work;
  if (group.companyId !== null) return companies.byId.get(group.companyId)!;
  const { company, leadListId, source } = group;
  if (company === null) return null;
  const known = matchCompany(companies, company, leadListId);
  if (known) {
    const origin = originOf(work, source, company.provenance);
    fillCompany(companies, known, { company, leadListId, origin });
    return known;
  }
  const index = plan.newCompanies.length;
  const added = plannedCompany(company, { leadListId, source, index });
  plan.newCompanies.push(added);
  addCompany(companies, added);
  return added;
}

function planPerson(
  work: Work,
  person: KeyedPerson,
  { company, source }: { company: PlannedCompany | null; source: string | null },
): PlannedGroup['people'][number] {
  const { leads, plan } = work;
  const known = matchPerson(leads, person, company);
  if (known) {
    const origin = originOf(work, source, person.given.provenance);
    fillLead(leads, known, { person, company, origin });
    return { lead: known, outcome: 'found' };
  }
  const added = plannedLead(person, company, { index: plan.newLeads.length, source });
  plan.newLeads.push(added);
  addLead(leads, added);
  return { lead: added, outcome: 'created' };
}

const originOf = (
  { at }: Work,
  source: string | null,
  provenance: Provenance | undefined,
): Origin => ({ provenance, otherwise: { source: source ?? 'api', at } });
