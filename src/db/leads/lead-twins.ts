/** The lead that an import would match with a lead that is moved to a company. Choice 53. */
import { sql, type Transaction } from 'kysely';
import { indexLeads } from '../../domain/leads/lead-index.ts';
import type { PersonKeys } from '../../domain/leads/lead-keys.ts';
import { matchPerson } from '../../domain/leads/person-matching.ts';
import type { Company } from './companies.ts';
import { planned } from './company-twins.ts';
import { toLeads, type StoredLead } from './lead-import-rows.ts';
import type { Database } from '../tables.ts';

/** The lead of the company that is the same person. Needs `lockAccountLeads`. */
export async function findColleague(
  trx: Transaction<Database>,
  company: Company,
  person: PersonKeys & { id: number },
): Promise<number | undefined> {
  const { rows } = await sql<StoredLead>`
    select * from leads
    where company_id = ${company.id} and id <> ${person.id} and (email_key = ${person.emailKey}
      or profile_key = ${person.profileKey} or phone_key = ${person.phoneKey}
      or name_key = ${person.nameKey})
    order by id`.execute(trx);
  const known = planned(company);
  return matchPerson(indexLeads(toLeads(rows, [known])), person, known)?.id ?? undefined;
}
