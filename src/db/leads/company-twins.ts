/** Companies that would become duplicates within their list if they were moved or changed. Choice 53. */
import { sql, type Transaction } from 'kysely';
import {
  addCompany,
  indexCompanies,
  matchCompany,
  type RecognisedCompany,
} from '../../domain/leads/company-matching.ts';
import type { PlannedCompany } from '../../domain/leads/lead-rows.ts';
import type { Company } from './companies.ts';
import { toCompany } from './lead-import-rows.ts';
import type { Database } from '../tables.ts';

/**
 * By their ids, the company of the list that each would be matched with; of several that match each other,
 * the first is left out. Needs `lockAccountLeads`: otherwise an import might create one meanwhile.
 */
export async function findTwins(
  trx: Transaction<Database>,
  leadListId: number,
  companies: readonly Company[],
): Promise<Map<number, number>> {
  const names = companies.map((company) => company.name_key);
  const domains = companies.flatMap((company) => company.domain_key ?? []);
  const inList = await trx
    .selectFrom('companies')
    .selectAll()
    .where('lead_list_id', '=', leadListId)
    .where((eb) =>
      eb.or([
        eb('name_key', '=', sql<string>`any(${names}::text[])`),
        eb('domain_key', '=', sql<string>`any(${domains}::text[])`),
      ]),
    )
    .orderBy('id')
    .execute();
  const own = new Set(companies.map(({ id }) => id));
  const index = indexCompanies(inList.filter(({ id }) => !own.has(id)).map(planned));
  const twins = new Map<number, number>();
  for (const company of companies) {
    const moved = { ...planned(company), leadListId };
    const known = matchCompany(index, recognised(moved), leadListId);
    if (known) twins.set(company.id, known.id!);
    else addCompany(index, moved);
  }
  return twins;
}

/** A stored company in the form that imports compare. */
export const planned = (company: Company): PlannedCompany => toCompany(company);

const recognised = (company: PlannedCompany): RecognisedCompany => ({ ...company, given: company });
