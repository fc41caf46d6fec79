/** Companies: reading, changing and deleting them. Choices 1, 2. */
import type { Transaction } from 'kysely';
import type { Context } from '../../context.ts';
import { inEntry, noteChange } from '../../db/accounts/audit-log.ts';
import { commitOnce, committedEffect } from '../../db/accounts/request-effects.ts';
import { despiteDeadlocks } from '../../db/deadlocks.ts';
import { AUDITED_FIELDS, difference, namesBeside } from '../../domain/accounts/audited-values.ts';
import {
  listCompanies as listCompanyRows,
  searchCompanies,
} from '../../db/leads/pages/company-pages.ts';
import {
  countCompanies,
  findUserCompany,
  lockUserCompany,
  updateCompany,
  type Company,
  type CompanyFilter,
  type CountedCompany,
} from '../../db/leads/companies.ts';
import { findTwins } from '../../db/leads/company-twins.ts';
import type { RowOrder, RowPosition } from '../../db/leads/lead-queries.ts';
import { findUserLeadList } from '../../db/leads/lead-lists.ts';
import { lockAccountLeads } from '../../db/leads/lead-locks.ts';
import { deleteCompany as deleteCompanyRow, removeCompanyPortion } from '../../db/leads/leads.ts';
import { LIST_PORTION } from '../../db/leads/list-deletions.ts';
import type { Total } from '../../db/search-pages.ts';
import type { Database } from '../../db/tables.ts';
import { invalid, notFound } from '../../domain/errors.ts';
import { companyNameKey, domainKey } from '../../domain/leads/lead-keys.ts';
import type { FieldSource } from '../../domain/leads/leads.ts';

export type CompanyRow = CountedCompany;
export type { CompanyFilter };

type Needs = Pick<Context, 'db'>;

export async function getUserCompany(
  context: Needs,
  userId: string,
  id: number,
): Promise<CountedCompany> {
  const company = await findUserCompany(context.db, userId, id);
  if (!company) throw notFound('company');
  return company;
}

export async function listCompanies(
  context: Needs,
  userId: string,
  page: { filter: CompanyFilter; order: RowOrder; limit: number; offset: number },
): Promise<Total & { rows: CountedCompany[]; hasNext: boolean }> {
  if (page.filter.search) {
    const wanted = { ...page, limit: page.limit + 1 };
    const { rows, ...total } = await searchCompanies(context.db, userId, wanted);
    return { ...upTo(page.limit, rows), ...total };
  }
  const [part, total] = await Promise.all([
    listCompaniesBehind(context, userId, page),
    countCompanies(context.db, userId, page.filter),
  ]);
  return { ...part, ...total };
}

/** Companies after a row: no count, and as fast at the end as at the start. */
export async function listCompaniesBehind(
  context: Needs,
  userId: string,
  page: { filter: CompanyFilter; order: RowOrder; limit: number } & (
    { offset: number } | { after: RowPosition }
  ),
): Promise<{ rows: CountedCompany[]; hasNext: boolean }> {
  const rows = await listCompanyRows(context.db, userId, { ...page, limit: page.limit + 1 });
  return upTo(page.limit, rows);
}

const upTo = (limit: number, rows: CountedCompany[]) => ({
  rows: rows.slice(0, limit),
  hasNext: rows.length > limit,
});

/** Fields that are not given stay; null clears one. `leadListId` moves the company. */
export interface CompanyChanges {
  name?: string | undefined;
  website?: string | null | undefined;
  phone?: string | null | undefined;
  address?: string | null | undefined;
  city?: string | null | undefined;
  state?: string | null | undefined;
  countryCode?: string | null | undefined;
  category?: string | null | undefined;
  leadListId?: number | null | undefined;
}

/**
 * The domain is derived from the website. 404 for a company or a list of another user; 400
 * `COMPANY_EXISTS` where the list would have the company twice.
 */
export async function changeCompany(
  context: Needs,
  { userId, id }: { userId: string; id: number },
  changes: CompanyChanges,
): Promise<CountedCompany> {
  await commitOnce(context.db, async (trx) => {
    await lockAccountLeads(trx, userId);
    const { leadListId } = changes;
    if (typeof leadListId === 'number' && !(await findUserLeadList(trx, userId, leadListId))) {
      throw notFound('lead list', { field: 'leadListId', ids: [leadListId] });
    }
    const company = await lockUserCompany(trx, userId, id);
    if (!company) throw notFound('company');
    const columns = columnsOf(company, changes);
    await assertNoTwin(trx, { ...company, ...columns } as Company, company);
    await updateCompany(trx, id, columns);
    const leftOut = namesBeside(AUDITED_FIELDS.company, changes);
    noteChange(difference(AUDITED_FIELDS.company, company, { ...company, ...columns }, leftOut));
  });
  return getUserCompany(context, userId, id);
}

async function assertNoTwin(
  trx: Transaction<Database>,
  next: Company,
  before: Company,
): Promise<void> {
  const recognised = ['lead_list_id', 'name_key', 'domain_key'] as const;
  if (next.lead_list_id === null || recognised.every((key) => next[key] === before[key])) return;
  const twins = await findTwins(trx, next.lead_list_id, [next]);
  const twin = twins.get(next.id);
  if (twin === undefined) return;
  throw invalid(
    'COMPANY_EXISTS',
    `Lead list ${next.lead_list_id} has it already: company ${twin}`,
    [{ companyId: next.id, existingCompanyId: twin }],
  );
}

function columnsOf(company: Company, changes: CompanyChanges) {
  const { name, website, countryCode, leadListId, ...same } = changes;
  const domain = website === undefined ? undefined : domainKey(website);
  const by: FieldSource = { source: 'user', at: new Date().toISOString() };
  const changed = Object.entries(changes)
    .filter(([, value]) => value !== undefined)
    .map(([field]) => [field, by]);
  const given = Object.entries({
    ...same,
    name,
    name_key: name === undefined ? undefined : companyNameKey(name),
    website,
    domain,
    domain_key: domain,
    country_code: countryCode,
    lead_list_id: leadListId,
  }).filter(([, value]) => value !== undefined);
  const fields = {
    ...company.provenance.fields,
    ...(Object.fromEntries(changed) as Record<string, FieldSource>),
  };
  return {
    ...Object.fromEntries(given),
    provenance: JSON.stringify({ ...company.provenance, fields }),
  };
}

/**
 * Its leads are deleted too, as with a lead list. Those of a company that has very many go in transactions of their own
 * before, and its entry in the audit log with the first of them: a repeat of a request that ended in between deletes
 * the rest.
 */
export async function deleteCompany(
  context: Needs,
  userId: string,
  id: number,
): Promise<{ deletedLeads: number }> {
  const repeated = committedEffect<{ deletedLeads: number }>();
  if (repeated) return repeated;
  const before = await removePortions(context, userId, id);
  const change = async (trx: Transaction<Database>) => {
    const deleted = await deleteCompanyRow(trx, userId, id);
    if (!deleted) throw notFound('company');
    const { leads, leadListId } = deleted;
    const deletedLeads = before + leads;
    noteChange({ before: { leadListId }, after: { deletedLeads } });
    return { deletedLeads };
  };
  return despiteDeadlocks(() => commitOnce(context.db, change));
}

/** Ends the transaction that would otherwise tell in the audit log of a deletion that has not begun. */
class NothingRemoved extends Error {}

async function removePortions({ db }: Needs, userId: string, id: number): Promise<number> {
  const company = await findUserCompany(db, userId, id);
  if (!company || company.leads_count <= LIST_PORTION) return 0;
  const told = {
    before: { leadListId: company.lead_list_id },
    after: { deletedLeads: company.leads_count },
  };
  const next = async (trx: Transaction<Database>) => {
    const portion = await removeCompanyPortion(trx, { userId, id }, LIST_PORTION);
    if (portion === 0) throw new NothingRemoved();
    noteChange(told);
    return portion;
  };
  let removed = 0;
  try {
    for (;;) removed += await despiteDeadlocks(() => inEntry(db, next));
  } catch (error) {
    if (error instanceof NothingRemoved) return removed;
    throw error;
  }
}
