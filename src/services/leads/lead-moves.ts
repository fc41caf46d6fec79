/** Moving leads to another list, with their companies. Choices 18, 53. */
import type { Context } from '../../context.ts';
import { noteChange } from '../../db/accounts/audit-log.ts';
import { lockCompanies, moveCompanies } from '../../db/leads/companies.ts';
import { findTwins } from '../../db/leads/company-twins.ts';
import { findUserLeadList } from '../../db/leads/lead-lists.ts';
import { lockAccountLeads } from '../../db/leads/lead-locks.ts';
import { findLeadCompanies } from '../../db/leads/leads.ts';
import { commitOnce } from '../../db/accounts/request-effects.ts';
import { notFound } from '../../domain/errors.ts';

type Needs = Pick<Context, 'db'>;

export interface LeadMove {
  movedCompanies: number;
  /** Companies that were not moved because the target list has them: `existingCompanyId`. */
  knownCompanies: { companyId: number; existingCompanyId: number }[];
  /** All leads of the moved companies, including those that were not requested. */
  movedLeads: number;
  /** Leads without a company, which cannot be in a list. */
  withoutCompanyIds: number[];
  missingIds: number[];
}

/**
 * A lead is in the list of its company, so its company moves with all its leads. A company that the list
 * already has stays: it would be there twice. 404 for a list of another user.
 */
export const moveLeads = (
  context: Needs,
  userId: string,
  { ids, leadListId }: { ids: readonly number[]; leadListId: number },
): Promise<LeadMove> =>
  commitOnce(context.db, async (trx) => {
    await lockAccountLeads(trx, userId);
    if (!(await findUserLeadList(trx, userId, leadListId))) {
      throw notFound('lead list', { field: 'leadListId', ids: [leadListId] });
    }
    const leads = await findLeadCompanies(trx, userId, ids);
    const found = new Set(leads.map((lead) => lead.id));
    const theirs = unique(leads.flatMap((lead) => lead.company_id ?? []));
    const companies = await lockCompanies(trx, userId, theirs);
    const twins = await findTwins(trx, leadListId, companies);
    const moved = companies.map(({ id }) => id).filter((id) => !twins.has(id));
    const from = companies
      .filter(({ id }) => !twins.has(id))
      .map((one) => one.lead_list_id ?? null);
    const before = { leadListIds: [...new Set(from)] };
    noteChange({ before, after: { leadListId, companyIds: moved } });
    return {
      movedCompanies: moved.length,
      movedLeads: await moveCompanies(trx, moved, leadListId),
      knownCompanies: [...twins].map(([companyId, existingCompanyId]) => ({
        companyId,
        existingCompanyId,
      })),
      withoutCompanyIds: leads.filter((lead) => lead.company_id === null).map((lead) => lead.id),
      missingIds: unique(ids).filter((id) => !found.has(id)),
    };
  });

const unique = (ids: readonly number[]): number[] => [...new Set(ids)];
