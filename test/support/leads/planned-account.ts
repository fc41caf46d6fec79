/** An account in memory, to which the plans of imports are applied. */
import { keyGroups } from '../../../src/domain/leads/lead-groups.ts';
import { planImport, type ImportPlan, type Known } from '../../../src/domain/leads/lead-plan.ts';
import type { LeadGroup } from '../../../src/domain/leads/leads.ts';

const AT = '2026-01-01T00:00:00.000Z';

export function createPlannedAccount() {
  const known: Known = { companies: [], leads: [], erased: new Set() };
  let ids = 0;
  return {
    known,
    import(groups: readonly LeadGroup[], leadListId: number | null = 1): ImportPlan {
      const plan = planImport(keyGroups(groups, { leadListId, source: 'test' }), known, AT)!;
      for (const company of plan.newCompanies) {
        known.companies.push(Object.assign(company, { id: (ids += 1), index: -1 }));
      }
      for (const lead of plan.newLeads) {
        known.leads.push(Object.assign(lead, { id: (ids += 1), index: -1 }));
      }
      for (const lead of known.leads) lead.companyId = lead.company?.id ?? null;
      for (const row of [...known.companies, ...known.leads]) row.fills = null;
      return plan;
    },
    /** Together with its own companies and the leads under them. */
    deleteList(leadListId: number): void {
      known.leads = known.leads.filter(({ company }) => company?.leadListId !== leadListId);
      known.companies = known.companies.filter((company) => company.leadListId !== leadListId);
    },
    /** The people in it, independent of spelling and ids. */
    people: () =>
      known.leads
        .map(({ nameKey, emailKey, profileKey, phoneKey, company }) =>
          [company?.nameKey, company?.domainKey, nameKey, emailKey, profileKey, phoneKey].join(
            ' | ',
          ),
        )
        .toSorted(),
  };
}

export type PlannedAccount = ReturnType<typeof createPlannedAccount>;
