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
import type { Origin, PlannedCompany, PlannedLead } from './lead-rows.ts';
import type { FieldSource, PersonOutcome, Provenance } from './leads.ts';
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
  people: { lead: PlannedLead | null; outcome: PersonOutcome['outcome'] }[];
}

export interface PlanOptions {
  leadListId: number | null;
  source: string | null;
  /** ISO 8601 UTC: when fields were filled in. */
  at: string;
}

interface Work {
  plan: ImportPlan;
  companies: CompanyIndex;
  leads: LeadIndex;
  erased: ReadonlySet<string>;
  options: PlanOptions;
}

/** Changes the rows of `known`. Undefined where a group names a company by an id that is unknown. */
export function planImport(
  groups: readonly KeyedGroup[],
  known: Known,
  options: PlanOptions,
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
    options,
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
    work.erased.size > 0 && person.forbiddenBy.some((key) => work.erased.has(key));
  const hasLead = group.people.some((person) => !isErased(person));
  const company = hasLead ? planCompany(work, group) : null;
  return {
    company,
    people: group.people.map((person) =>
      isErased(person)
        ? { lead: null, outcome: 'erased' as const }
        : planPerson(work, person, company),
    ),
  };
}

function planCompany(work: Work, group: KeyedGroup): PlannedCompany | null {
  const { companies, plan, options } = work;
  if (group.companyId !== null) return companies.byId.get(group.companyId)!;
  const { company } = group;
  if (company === null) return null;
  const { leadListId } = options;
  const known = matchCompany(companies, company, leadListId);
  if (known) {
    const origin = originOf(work, company.provenance);
    fillCompany(companies, known, { company, leadListId, origin });
    return known;
  }
  const added = plannedCompany(company, leadListId, plan.newCompanies.length);
  plan.newCompanies.push(added);
  addCompany(companies, added);
  return added;
}

function planPerson(
  work: Work,
  person: KeyedPerson,
  company: PlannedCompany | null,
): PlannedGroup['people'][number] {
  const { leads, plan, options } = work;
  const known = matchPerson(leads, person, company);
  if (known) {
    const origin = originOf(work, person.given.provenance);
    fillLead(leads, known, { person, company, origin });
    return { lead: known, outcome: 'found' };
  }
  const added = plannedLead(person, company, {
    index: plan.newLeads.length,
    source: options.source,
  });
  plan.newLeads.push(added);
  addLead(leads, added);
  return { lead: added, outcome: 'created' };
}

function originOf({ options }: Work, provenance: Provenance | undefined): Origin {
  const otherwise: FieldSource = { source: options.source ?? 'api', at: options.at };
  return { provenance, otherwise };
}
