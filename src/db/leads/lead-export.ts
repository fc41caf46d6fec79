/** All leads of an account or a list with their companies, for a file. */
import type { Kysely, Selectable } from 'kysely';
import { allLeads } from './pages/lead-pages.ts';
import type { LeadFilter, LeadRow } from './lead-queries.ts';
import type { CompaniesTable } from './lead-tables.ts';
import type { Database } from '../tables.ts';

export interface ExportedLead {
  lead: LeadRow;
  company: Selectable<CompaniesTable> | undefined;
}

/** The oldest first, page by page. */
export async function* exportedLeads(
  db: Kysely<Database>,
  userId: string,
  filter: LeadFilter,
): AsyncGenerator<ExportedLead[]> {
  const order = { sort: 'createdAt', order: 'asc' } as const;
  for await (const leads of allLeads(db, userId, { filter, order })) {
    const ids = [...new Set(leads.flatMap(({ company_id }) => company_id ?? []))];
    const companies =
      ids.length === 0
        ? []
        : await db.selectFrom('companies').selectAll().where('id', 'in', ids).execute();
    const byId = new Map(companies.map((company) => [company.id, company]));
    yield leads.map((lead) => ({ lead, company: byId.get(lead.company_id ?? 0) }));
  }
}
